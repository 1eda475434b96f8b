import type { HealthSample } from '../../src-shared/model/host.ts';
import { heldBackBefore, makeHealthSample } from '../../src-shared/model/testHealthSample.ts';

/** A sample at so many seconds, of a host that tells neither disk, network nor pressure; for tests. */
export function healthAt(seconds: number, part: Partial<HealthSample> = {}): HealthSample {
  const idle = makeHealthSample();
  return {
    ...idle,
    atMs: seconds * 1000,
    cpu: { user: 0.5, system: 0.1, wait: 0.2, irq: 0.05, steal: 0, idle: 0.15 },
    load1: 1,
    memory: { ...idle.memory, totalBytes: 1000 * 2 ** 20, availableBytes: 400 * 2 ** 20 },
    temperatureC: 60 + seconds,
    clockMhz: 1500,
    underVoltage: false,
    throttle: heldBackBefore,
    ...part,
  };
}
