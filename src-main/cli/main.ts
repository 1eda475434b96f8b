import process from 'node:process';
import { toolVersion } from '../app/assets.ts';
import { engineInfos, workloadInfos } from '../app/catalog.ts';
import { createApp } from '../app/createApp.ts';
import { dataFolder } from '../app/dataFolder.ts';
import { generators } from '../app/generate.ts';
import { recipeInfos } from '../app/provision.ts';
import { memorySecrets } from '../app/secrets.ts';
import type { Cli } from './cli.ts';
import { runCommandLine } from './program.ts';
import { passwordVariable } from './targets.ts';
import { createTerminal } from './terminal.ts';

const env = { ...process.env };
// Programs that are started on the way (a server, a browser) inherit the environment: the password is not for them.
delete process.env[passwordVariable];

const folder = dataFolder();
const cli: Cli = {
  terminal: createTerminal(process),
  env,
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

process.exitCode = await runCommandLine(
  cli,
  {
    version: toolVersion,
    engines: engineInfos(),
    workloads: workloadInfos(),
    recipes: recipeInfos(),
    generators,
  },
  process.argv.slice(2),
);
