import { describe, expect, it } from 'vitest';
import type { Tick } from '../../src-shared/model/tick.ts';
import type { TickTransactions } from '../../src-shared/model/transactions.ts';
import { noBuckets } from '../../src-shared/stats/logBuckets.ts';
import { Distribution } from '../load/distribution.ts';
import type { OperationTotal } from '../load/job.ts';
import { emptyTally } from '../load/tally.ts';
import type { TransactionsPhase } from '../workloads/workload.ts';
import { addTicks, transactionFigures } from './transactionFigures.ts';

const spec: TransactionsPhase = {
  kind: 'transactions',
  transactions: { workload: 'fake', parameters: {} },
  database: 'benchmark',
  clients: 4,
  threads: 2,
  seconds: 20,
  transactionsPerClient: null,
  transactionsInAll: null,
  ratePerSecond: 50,
  latencyLimitMs: 30,
  reconnect: false,
  inTurn: true,
  warmupSeconds: 0,
  reportingPeriodSeconds: 0,
  statementLatencies: true,
  onError: 'end-client',
  seed: 1,
};
const source = {
  scripts: ['one', 'two'],
  statements: [
    { script: 0, text: 'BEGIN' },
    { script: 1, text: 'SELECT 1' },
  ],
};
const about = { spec, source, facts: { scale: 3 } };
const total = (name: string, count: number): OperationTotal => ({
  ...{
    name,
    count,
    errors: 0,
    late: 0,
    started: count,
    rows: 0,
    metrics: 0,
    bytes: 0,
    dropped: 0,
    seconds: 20,
  },
  latency: new Distribution(),
  service: null,
  firstRow: null,
});

describe('figures of transactions', () => {
  it('are per second, per script, per statement and per client', () => {
    const tally = emptyTally(2, 2);
    Object.assign(tally, { failed: 2, retried: 5, retries: 9, reads: 70, conflicts: { '40001': 11 } });
    Object.assign(tally.scripts[1] ?? {}, { failed: 2, retried: 5, retries: 9 });
    tally.lag = { count: 100, sumNs: 250e6, maxNs: 9e6 };
    tally.statements = { count: [60, 40], sumNs: [30e6, 80e6], failures: [0, 2], retries: [0, 9] };
    const clients = [24, 26, 24, 26].map((count) => ({ count, seconds: 19 }));
    const figures = transactionFigures(
      [total('transactions', 100), total('one', 60), total('two', 40)],
      { tally, threads: 2, connectSeconds: 0.02, clients },
      20,
      about,
    );
    expect(figures).toMatchObject({
      ...{ clients: 4, threads: 2, tps: 5, connectSeconds: 0.02, failed: 2, reads: 70, ratePerSecond: 50 },
      conflicts: { '40001': 11 },
      lag: { meanUs: 2500, maxUs: 9000 },
      scripts: [
        { name: 'one', count: 60, failed: 0 },
        { name: 'two', count: 40, failed: 2, retried: 5, retries: 9 },
      ],
      statements: [
        { script: 0, text: 'BEGIN', count: 60, meanUs: 500, failures: 0, retries: 0 },
        { script: 1, text: 'SELECT 1', count: 40, meanUs: 2000, failures: 2, retries: 9 },
      ],
      fairness: { count: { mean: 25, stddev: 1 }, seconds: { mean: 19, stddev: 0 } },
      facts: { scale: 3 },
    });
  });

  it('of a run without an end are those of its ticks, delays weighted by what was done', () => {
    const begun = transactionFigures(
      [],
      { tally: emptyTally(2, 2), threads: 2, connectSeconds: 0, clients: [] },
      0,
      about,
    );
    expect(begun.tps).toBe(0);
    const tick = (count: number, meanUs: number, maxUs: number, conflicts: Record<string, number>): Tick => {
      const transactions: TickTransactions = {
        ...{ failed: 1, retried: 2, retries: 3, skipped: 4, late: 5, reads: 6, writes: 7, others: 8 },
        ...{
          clients: 4,
          busy: 2,
          connectSeconds: 0.5,
          conflicts,
          lag: { meanUs, maxUs },
          buckets: noBuckets,
        },
      };
      return {
        ...{ runId: 'a', phase: 0, seq: 0, atMs: 1000, intervalMs: 1000, transactions },
        operations: [
          {
            ...{ name: 'transactions', count, errors: 1, late: 0, backlog: 0, rows: 0, metrics: 0, bytes: 0 },
            latencyUs: null,
            serviceUs: null,
          },
        ],
        client: { busiest: 0, cpuCores: 0, loopDelayMs: 0, rssBytes: 0 },
      };
    };
    expect(
      addTicks(begun, [tick(30, 1000, 4000, { '40P01': 1 }), tick(10, 5000, 6000, { '40P01': 2 })]),
    ).toMatchObject({
      ...{ failed: 2, retried: 4, retries: 6, skipped: 8, late: 10, reads: 12, writes: 14, others: 16 },
      conflicts: { '40P01': 3 },
      reconnectSeconds: 1,
      // (30 · 1 ms + 10 · 5 ms) ÷ 40
      lag: { meanUs: 2000, maxUs: 6000 },
      // Not in the ticks: nothing is better than zeros.
      ...{ scripts: [], statements: [] },
    });
    const single = { ...begun, scripts: begun.scripts.slice(0, 1) };
    expect(addTicks(single, [tick(30, 1000, 4000, {}), tick(10, 5000, 6000, {})]).scripts).toEqual([
      { name: 'one', count: 40, failed: 2, retried: 4, retries: 6, skipped: 8 },
    ]);
    expect(begun.conflicts).toEqual({});
  });
});
