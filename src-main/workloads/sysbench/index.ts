import { toolOf } from '../commandLine/tool.ts';
import type { Workload } from '../workload.ts';
import { cleanupStep } from './cleanupStep.ts';
import { readSysbenchLine } from './commandLine.ts';
import { openSysbenchInitialization } from './initialization.ts';
import { prepareStep } from './prepareStep.ts';
import { prepareSysbenchRun } from './prepareTransactions.ts';
import { runStep } from './runStep.ts';
import { openSysbenchTransactions } from './transactions.ts';

/** The OLTP scripts of sysbench 1.0, and the two of 0.4 that published results are of. */
export const sysbench = {
  id: 'sysbench',
  label: 'sysbench OLTP',
  description:
    'sysbench’s OLTP scripts: point selects, ranges, updates, deletes and inserts on tables sbtest1, sbtest2 …',
  steps: [prepareStep, runStep, cleanupStep],
  commandLine: toolOf('sysbench', readSysbenchLine),
  openInitialization: openSysbenchInitialization,
  prepareTransactions: prepareSysbenchRun,
  openTransactions: openSysbenchTransactions,
} satisfies Workload;
