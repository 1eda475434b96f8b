import process from 'node:process';
import { toolVersion } from '../app/assets.ts';
import { catalogHandlers } from '../app/catalog.ts';
import { createApp } from '../app/createApp.ts';
import { dataFolder } from '../app/dataFolder.ts';
import { memorySecrets } from '../app/secrets.ts';
import type { Cli } from './cli.ts';
import { runCommandLine } from './program.ts';
import { createTerminal } from './terminal.ts';

const folder = dataFolder();
const cli: Cli = {
  terminal: createTerminal(process),
  env: process.env,
  dataFolder: folder,
  openApp: () => createApp({ dataFolder: folder, secrets: memorySecrets() }),
  onInterrupt(listener) {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, listener);
    return () => {
      for (const signal of signals) process.off(signal, listener);
    };
  },
  exitNow: (code) => process.exit(code),
};

// The catalog is the same whatever the data folder holds: help needs no core.
const catalog = catalogHandlers();
const { signal } = new AbortController();
process.exitCode = await runCommandLine(
  cli,
  {
    version: toolVersion,
    engines: await catalog['engines.list'](null, signal),
    workloads: await catalog['workloads.list'](null, signal),
  },
  process.argv.slice(2),
);
