import { toolOf } from '../commandLine/tool.ts';
import type { Workload } from '../workload.ts';
import { readPgbenchLine } from './commandLine/readPgbenchLine.ts';
import { openPgbenchInitialization } from './init/initialization.ts';
import { initStep } from './init/initStep.ts';
import { openPgbenchTransactions } from './run/openTransactions.ts';
import { preparePgbenchRun } from './run/prepareTransactions.ts';
import { runStep } from './run/runStep.ts';

/** pgbench: PostgreSQL's own benchmark program, its tables, scripts and random numbers the same. */
export const pgbench = {
  id: 'pgbench',
  label: 'pgbench',
  description:
    'PostgreSQL’s own benchmark: bookings in the manner of TPC-B, single selects, or scripts of your own.',
  steps: [initStep, runStep],
  commandLine: toolOf('pgbench', readPgbenchLine),
  openInitialization: openPgbenchInitialization,
  prepareTransactions: preparePgbenchRun,
  openTransactions: openPgbenchTransactions,
} satisfies Workload;
