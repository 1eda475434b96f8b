import { z } from 'zod';
import { newSeed } from '../seed.ts';
import { countOf } from '../words.ts';
import type { Step, TransactionsPhase } from '../workload.ts';
import { type RunOptions, runOptions, runSchema } from './runOptions.ts';
import { preparedTables, tableProblems } from './tables.ts';

/** What holds where no prepare step comes before: sysbench's defaults. */
const alone = { dbName: 'sbtest', tables: 1, tableSize: 10_000, sysbenchVersion: '1.0' };

/** `sysbench.run`: one of sysbench's OLTP scripts. */
export const runStep: Step = {
  id: 'sysbench.run',
  label: 'Run a sysbench script',
  description:
    'Runs one of sysbench’s OLTP scripts on tables that a prepare step, or sysbench itself, has made.',
  parameters: z.strictObject(runOptions),
  inherit(own, before) {
    const filled = { ...alone, ...preparedTables(before), ...own };
    return { ...filled, ...((own.randSeed ?? 0) === 0 && { randSeed: newSeed() }) };
  },
  check(parameters) {
    const own = runSchema.parse(parameters);
    return [...tableProblems(own), ...runProblems(own)];
  },
  phase(parameters): TransactionsPhase {
    const own = runSchema.parse(parameters);
    return {
      kind: 'transactions',
      transactions: { workload: 'sysbench', parameters: own },
      database: own.dbName,
      clients: own.threads,
      threads: null,
      seconds: own.time > 0 ? own.time : null,
      transactionsPerClient: null,
      transactionsInAll: own.events > 0 ? own.events : null,
      ratePerSecond: own.rate,
      latencyLimitMs: null,
      reconnect: false,
      inTurn: false,
      warmupSeconds: own.warmupTime,
      reportingPeriodSeconds: own.reportInterval,
      statementLatencies: false,
      onError: 'end-run',
      seed: own.randSeed,
    };
  },
  rows: () => 0,
  summary(parameters, before) {
    const own = runSchema.parse(parameters);
    const limits = [
      ...(own.events > 0 ? [countOf(own.events, 'event')] : []),
      ...(own.time > 0 ? [`${own.time} s`] : []),
    ].join(' or ');
    const where = before.at(-1)?.parameters.dbName === own.dbName ? '' : ` on ${own.dbName}`;
    return `run ${own.script}${where} for ${limits} with ${countOf(own.threads, 'thread')}`;
  },
};

function runProblems(own: RunOptions): ReturnType<Step['check']> {
  const problems: ReturnType<Step['check']> = [];
  const add = (path: string, message: string, hint: string | null) => problems.push({ path, message, hint });
  if (own.time === 0 && own.events === 0)
    add('time', 'With neither a time nor a number of events the run has no end', 'Set time, or events.');
  if (own.tableSize === 0 && own.script !== 'oltp_insert')
    add('tableSize', `${own.script} needs tables with rows`, 'Set the number of rows that the tables have.');
  if (own.lockingUpdate && own.sysbenchVersion !== '0.4')
    add('lockingUpdate', 'Only sysbench 0.4 has the update before the delete', 'Set sysbenchVersion: 0.4.');
  if (statements(own) === 0) add('script', `An event of ${own.script} has no statement left`, null);
  return problems;
}

/** Statements of one event, BEGIN and COMMIT left out. */
function statements(own: RunOptions): number {
  const ranges = own.rangeSelects
    ? own.simpleRanges + own.sumRanges + own.orderRanges + own.distinctRanges
    : 0;
  const reads = own.pointSelects + ranges;
  const writes = own.indexUpdates + own.nonIndexUpdates + own.deleteInserts;
  switch (own.script) {
    case 'oltp_read_only':
      return reads;
    case 'oltp_read_write':
      return reads + writes;
    case 'oltp_write_only':
      return writes;
    case 'oltp_update_index':
      return own.indexUpdates;
    case 'oltp_update_non_index':
      return own.nonIndexUpdates;
    default:
      return 1;
  }
}
