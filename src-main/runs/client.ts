import { arch, availableParallelism, cpus, hostname, release, totalmem, type } from 'node:os';
import type { ClientMachine } from '../../src-shared/model/run.ts';

/** The machine the loader runs on, stored with every run. */
export function clientMachine(toolVersion: string): ClientMachine {
  return {
    hostname: hostname(),
    os: `${type()} ${release()}`,
    arch: arch(),
    // On some ARM systems the model is empty.
    cpu: cpus()[0]?.model.trim() || arch(),
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    node: process.versions.node,
    toolVersion,
  };
}
