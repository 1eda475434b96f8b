import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-shared/errors.ts';
import { printedSchema } from '../../../src-shared/model/printed.ts';
import { readSysbenchReport } from './sysbenchReport.ts';

// What sysbench 1.0.20 printed.
const version1 = `sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Running the test with following options:
Number of threads: 4
Report intermediate results every 2 second(s)
Initializing random number generator from current time

Threads started!

[ 2s ] thds: 4 tps: 455.23 qps: 9127.61 (r/w/o: 6391.23/1823.42/912.96) lat (ms,95%): 17.95 err/s: 0.50 reconn/s: 0.00
[ 4s ] thds: 4 tps: 470.01 qps: 9400.20 (r/w/o: 6580.14/1880.04/940.02) lat (ms,95%): 16.41 err/s: 0.00 reconn/s: 0.00
SQL statistics:
    queries performed:
        read:                            64792
        write:                           18485
        other:                           9275
        total:                           92552
    transactions:                        4624   (461.74 per sec.)
    queries:                             92552  (9241.89 per sec.)
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
`;
// The form of 0.4.12.
const version04 = `sysbench 0.4.12:  multi-threaded system evaluation benchmark

Number of threads: 8

OLTP test statistics:
    queries performed:
        read:                            140000
        write:                           50000
        other:                           20000
        total:                           210000
    transactions:                        10000  (271.18 per sec.)
    deadlocks:                           3      (0.08 per sec.)
    read/write requests:                 190000 (5152.47 per sec.)
    other operations:                    20000  (542.36 per sec.)

Test execution summary:
    total time:                          36.8755s
    total number of events:              10000
    total time taken by event execution: 294.7
    per-request statistics:
         min:                                  9.16ms
         avg:                                 29.47ms
         max:                                335.19ms
         approx.  95 percentile:              54.68ms
`;

describe('a report of sysbench', () => {
  it('gives every figure that is printed, and no other', () => {
    const { printed, steps } = readSysbenchReport(version1);
    expect(steps).toEqual([{ 'sysbench.run': { threads: 4 } }]);
    expect(printed.source.program).toBe('sysbench 1.0.20');
    expect(printed.phases).toEqual([
      {
        name: 'sysbench.run',
        kind: 'transactions',
        workers: 4,
        rows: null,
        metrics: null,
        seconds: 10.0139,
        rowsPerSecond: null,
        metricsPerSecond: null,
        operations: [
          {
            name: 'transactions',
            count: 4624,
            errors: null,
            perSecond: 461.74,
            seconds: 10.0139,
            latencyUs: {
              ...{
                min: 1560,
                mean: 8650,
                p50: null,
                p90: null,
                p95: 17320,
                p99: null,
                p999: null,
                max: 89590,
              },
              stddev: null,
            },
          },
        ],
        transactions: {
          ...{ tps: 461.74, failed: null, retried: null, retries: 4, skipped: null, late: null },
        },
      },
    ]);
    expect(printed.series.map(({ label, points }) => [label, points])).toEqual([
      [
        'Transactions',
        [
          [2, 455.23],
          [4, 470.01],
        ],
      ],
      [
        'Latency, p95',
        [
          [2, 17.95],
          [4, 16.41],
        ],
      ],
    ]);
  });

  it('of 0.4 has its units beside the figures and deadlocks for errors', () => {
    const { printed } = readSysbenchReport(version04);
    expect(printed.source.program).toBe('sysbench 0.4.12');
    const [phase] = printed.phases;
    expect(phase).toMatchObject({ workers: 8, seconds: 36.8755 });
    expect(phase?.transactions).toMatchObject({ tps: 271.18, retries: 3 });
    expect(phase?.operations[0]?.latencyUs).toMatchObject({
      min: 9160,
      mean: 29_470,
      p95: 54_680,
      max: 335_190,
    });
  });

  it('with a percentile of its own tells it in words', () => {
    const { printed } = readSysbenchReport(version1.replace('95th percentile: ', '42th percentile: '));
    expect(printed.phases[0]?.operations[0]?.latencyUs?.p95).toBeNull();
    expect(printed.facts).toContainEqual({ name: '42th percentile of the latency', value: '17.32 ms' });
  });

  it('that is cut before its figures is refused', () => {
    expect(() => readSysbenchReport(version1.slice(0, version1.indexOf('transactions:')))).toThrow(
      /no line “transactions/,
    );
    expect(() => readSysbenchReport('')).toThrow(/no line “SQL statistics”/);
  });

  it('however mangled, throws nothing but that it is none', () => {
    const lines = [...version1.split('\n'), ...version04.split('\n')];
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...lines), fc.string()), { maxLength: 40 }),
        fc.array(fc.tuple(fc.nat(900), fc.string({ maxLength: 3 })), { maxLength: 4 }),
        (parts, edits) => {
          let text = parts.join('\n');
          for (const [at, put] of edits) text = text.slice(0, at) + put + text.slice(at + 1);
          try {
            printedSchema.parse(readSysbenchReport(text).printed);
          } catch (error) {
            if (!(error instanceof AppError)) throw error;
            expect(error.code).toBe('bad-input');
          }
        },
      ),
    );
  });
});
