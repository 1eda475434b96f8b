import { describe, expect, it } from 'vitest';
import type { Phase, Run } from '../../../src-shared/model/run.ts';
import type { Tick } from '../../../src-shared/model/tick.ts';
import type { TickTransactions, TransactionFigures } from '../../../src-shared/model/transactions.ts';
import { noBuckets, toBuckets } from '../../../src-shared/stats/logBuckets.ts';
import { runText } from '../runText.ts';
import { latencyOf, operationOf, phaseOf, runOf, tickOf } from '../testRun.ts';

const parameters = { threads: 4, rate: 0, reportInterval: 2, percentile: 95, histogram: false };

const counts = { failed: 0, retried: 0, retries: 0, skipped: 0, late: 0 };

function figures(part: Partial<TransactionFigures>): TransactionFigures {
  return {
    ...counts,
    ...{ reads: 0, writes: 0, others: 0, conflicts: {}, clients: 4, threads: 2, endedClients: 0, tps: 0 },
    ...{ connectSeconds: 0, reconnects: 0, reconnectSeconds: 0, lag: null, latencyLimitMs: null },
    ...{ ratePerSecond: 0, scripts: [], statements: [], facts: {} },
    fairness: { count: { mean: 0, stddev: 0 }, seconds: { mean: 0, stddev: 0 } },
    ...part,
  };
}

function tick(part: Partial<TickTransactions> & { events: number; seq: number; backlog?: number }): Tick {
  const { events, seq, backlog = 0, ...own } = part;
  const base = tickOf({ seq, atMs: (seq + 1) * 1000, intervalMs: 1000 });
  return {
    ...base,
    operations: base.operations.map((operation) => ({ ...operation, count: events, backlog })),
    transactions: {
      ...counts,
      ...{ reads: 0, writes: 0, others: 0, conflicts: {}, clients: 4, busy: 0 },
      ...{ connectSeconds: 0, lag: null, buckets: noBuckets },
      ...own,
    },
  };
}

function textOf(
  phase: Partial<Phase>,
  ticks: Tick[],
  own: Record<string, number | boolean | string>,
): string {
  const step = { 'sysbench.run': own };
  const run: Run = runOf({
    plan: { version: 1, name: 'sysbench', target: 'sandbox', repeat: 1, steps: [step] },
    resolvedSteps: [{ id: 'sysbench.run', parameters: { ...parameters, ...own } }],
    phases: [phaseOf({ kind: 'transactions', name: 'sysbench.run', ...phase })],
  });
  return runText(run, ticks);
}

describe('a run of sysbench', () => {
  it('reads as the report of sysbench 1.0.20 does, line for line', () => {
    // A recorded run of sysbench with four threads for ten seconds, its banner apart.
    const text = textOf(
      {
        seconds: 10.0139,
        operations: [
          operationOf({
            count: 4624,
            latencyUs: latencyOf({ min: 1560, mean: 8652.5, max: 89_590, sum: 40_009_360 }),
          }),
        ],
        transactions: figures({
          ...{ reads: 64_792, writes: 18_485, others: 9275, conflicts: { 23505: 3, '40P01': 1 } },
          fairness: { count: { mean: 1156, stddev: 26.11 }, seconds: { mean: 10.0023, stddev: 0.002 } },
        }),
      },
      [
        tick({
          seq: 0,
          events: 470,
          reads: 6600,
          writes: 1900,
          others: 950,
          buckets: toBuckets([[15.83, 470]]),
        }),
        tick({
          ...{ seq: 1, events: 484, reads: 6774, writes: 1912, others: 964 },
          ...{ conflicts: { 23505: 1, '40P01': 1 }, buckets: toBuckets([[17.32, 3000]]) },
        }),
      ],
      {},
    );
    expect(text).toBe(`sysbench 1.0.20 (as measured by Benchberry 0.1.0)

Running the test with following options:
Number of threads: 4
Report intermediate results every 2 second(s)
Initializing random number generator from current time


Initializing worker threads...

Threads started!

[ 2s ] thds: 4 tps: 477.00 qps: 9550.00 (r/w/o: 6687.00/1906.00/957.00) lat (ms,95%): 17.32 err/s: 1.00 reconn/s: 0.00
SQL statistics:
    queries performed:
        read:                            64792
        write:                           18485
        other:                           9275
        total:                           92552
    transactions:                        4624   (461.76 per sec.)
    queries:                             92552  (9242.35 per sec.)
    ignored errors:                      4      (0.40 per sec.)
    reconnects:                          0      (0.00 per sec.)

General statistics:
    total time:                          10.0139s
    total number of events:              4624

Latency (ms):
         min:                                    1.56
         avg:                                    8.65
         max:                                   89.59
         95th percentile:                       17.32
         sum:                                40009.36

Threads fairness:
    events (avg/stddev):           1156.0000/26.11
    execution time (avg/stddev):   10.0023/0.00

`);
  });

  it('has the lines of a rate, a seed, no percentile', () => {
    const lines = textOf(
      { transactions: figures({}) },
      [tick({ seq: 0, events: 55, clients: 2, busy: 1, backlog: 7 })],
      { threads: 2, rate: 50, reportInterval: 1, percentile: 0, randSeed: 5 },
    ).split('\n');
    // As recorded of sysbench.
    expect(lines.slice(2, 14)).toEqual([
      'Running the test with following options:',
      'Number of threads: 2',
      'Target transaction rate: 50/sec',
      'Report intermediate results every 1 second(s)',
      'Initializing random number generator from seed (5).',
      '',
      '',
      'Initializing worker threads...',
      '',
      'Threads started!',
      '',
      '[ 1s ] thds: 2 tps: 55.00 qps: 0.00 (r/w/o: 0.00/0.00/0.00) lat (ms,0%): 0.00 err/s: 0.00 reconn/s: 0.00',
    ]);
    expect(lines[14]).toBe('[ 1s ] queue length: 7, concurrency: 1');
    expect(lines).toContain('         percentile stats:               disabled');
    // As of a run that was cut: how the threads shared the work is not known.
    expect(lines).not.toContain('Threads fairness:');
  });

  it('has lines of the interval asked for, each with its own percentile, and none for a part of one', () => {
    const pattern =
      /^\[ (\d+)s \] thds: (\d+) tps: ([\d.]+) qps: ([\d.]+) \(r\/w\/o: ([\d.]+)\/([\d.]+)\/([\d.]+)\) lat \(ms,(\d+)%\): ([\d.]+) err\/s:? ([\d.]+) reconn\/s: ([\d.]+)$/;
    const ticks = [1, 2, 3, 4, 5].map((n) =>
      tick({ seq: n - 1, events: n, reads: n, buckets: toBuckets([[n * 10, 1]]) }),
    );
    const found = textOf({ transactions: figures({}) }, ticks, { percentile: 51 })
      .split('\n')
      .flatMap((line) => pattern.exec(line)?.slice(1).map(Number) ?? []);
    // Of two events 51 % are one: that of 10 ms, then that of 30 ms; the nearest buckets are 10.09 and 30.26.
    expect(found).toEqual([
      ...[2, 4, 1.5, 1.5, 1.5, 0, 0, 51, 10.09, 0, 0],
      ...[4, 4, 3.5, 3.5, 3.5, 0, 0, 51, 30.26, 0, 0],
    ]);
  });

  it('prints the histogram before the report', () => {
    const cells = [
      [0.92, 1],
      [0.937, 11],
      [0.954, 31],
      [1.996, 1],
    ] as const;
    const text = textOf(
      { transactions: figures({}) },
      [tick({ seq: 0, events: 44, buckets: toBuckets(cells) })],
      {
        histogram: true,
      },
    );
    expect(text).toContain(`Threads started!

Latency histogram (values are in milliseconds)
       value  ------------- distribution ------------- count
       0.920 |*                                        1
       0.937 |**************                           11
       0.954 |**************************************** 31
       1.996 |*                                        1
${' '}
SQL statistics:
`);
  });

  it('says nothing final of a run that did not get as far', () => {
    expect(textOf({ operations: [] }, [], {})).toContain('Threads started!');
  });
});

describe('prepare and cleanup', () => {
  it('name each table, as sysbench does', () => {
    const step = { tables: 2, tableSize: 20_000, createSecondary: true, sysbenchVersion: '1.0' };
    const run = runOf({
      resolvedSteps: [
        { id: 'sysbench.prepare', parameters: step },
        { id: 'sysbench.cleanup', parameters: { tables: 1, sysbenchVersion: '0.4' } },
      ],
      phases: [phaseOf({ kind: 'initialize' }), phaseOf({ index: 1, kind: 'initialize' })],
    });
    expect(runText(run, [])).toBe(`sysbench 1.0.20 (as measured by Benchberry 0.1.0)

Creating table 'sbtest1'...
Inserting 20000 records into 'sbtest1'
Creating a secondary index on 'sbtest1'...
Creating table 'sbtest2'...
Inserting 20000 records into 'sbtest2'
Creating a secondary index on 'sbtest2'...

sysbench 1.0.20 (as measured by Benchberry 0.1.0)

Dropping table 'sbtest'...
`);
  });
});
