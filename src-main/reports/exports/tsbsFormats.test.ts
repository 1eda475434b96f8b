import { encodeIntoCompressedBase64, Int32Histogram } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../../src-shared/model/run.ts';
import type { Tick } from '../../../src-shared/model/tick.ts';
import { tsbsQueryLabel } from '../../workloads/tsbs/queries/labels.ts';
import { isTsbsResults, readTsbsResults } from '../imports/tsbsResults.ts';
import { latencyOf, operationOf, phaseOf, runOf, tickOf } from '../testRun.ts';
import { hdrLatencies } from '../tsbsPercentiles.ts';
import type { RunRecord } from './format.ts';
import { findExportFormat } from './registry.ts';

const queries = phaseOf({
  ...{ index: 1, name: 'tsbs.queries', kind: 'queries', workers: 2, startedMs: 12_345, seconds: 16.185718 },
  ...{ rows: 0, metrics: 0, plannedRows: null, verifiedRows: null },
  operations: [
    operationOf({
      ...{ name: 'lastpoint', count: 1000, perSecond: 61.99, seconds: 16.185718 },
      latencyUs: latencyOf({
        ...{ count: 1000, min: 4420, p50: 6750, p95: 40_100, p99: 80_383, p999: 200_191, max: 209_670 },
      }),
    }),
  ],
});
const load = phaseOf({
  ...{ workers: 4, rows: 999_999, metrics: 9_999_990, seconds: 48.649, startedMs: 1500 },
  ...{ rowsPerSecond: 20_555.35, metricsPerSecond: 205_553.49 },
});
const run = runOf({
  startedAt: '2026-01-02T03:04:05.700Z',
  phases: [load, queries],
  resolvedSteps: [
    {
      id: 'tsbs.load',
      parameters: {
        ...{ dbName: 'benchmark', batchSize: 10_000, limit: 0, reportingPeriod: '10s', hashWorkers: true },
        ...{ doLoad: true, doCreateDb: true, doAbortOnExist: false, flowControl: false, channelCapacity: 0 },
        insertIntervals: '',
      },
    },
    {
      id: 'tsbs.queries',
      parameters: {
        ...{ dbName: 'benchmark', maxQueries: 0, maxRps: 0, burnIn: 0, printInterval: 100 },
        prewarmQueries: false,
      },
    },
  ],
});

function write(
  format: string,
  of: Run,
  more: Partial<RunRecord> & { ticks?: Tick[]; operation?: string } = {},
) {
  const { ticks = [], operation = null } = more;
  const series = { ticks, events: [], health: [], server: [], serverWatch: null };
  return findExportFormat(format).write([{ run: of, series, histograms: more.histograms ?? (() => []) }], {
    ...{ toolVersion: '0.1.0', comparison: null, operation, planText: () => '' },
    queryLabel: (type) => tsbsQueryLabel(type, 'timescaledb'),
  });
}

describe('TSBS’s results JSON', () => {
  it('of a load and of queries is what TSBS writes, an object each', () => {
    expect(write('tsbs-json', run)).toBe(`{
 "ResultFormatVersion": "0.1",
 "RunnerConfig": {
  "db-name": "benchmark",
  "batch-size": 10000,
  "workers": 4,
  "limit": 0,
  "do-load": true,
  "do-create-db": true,
  "do-abort-on-exist": false,
  "reporting-period": 10000000000,
  "hash-workers": true,
  "no-flow-control": true,
  "channel-capacity": 0,
  "insert-intervals": "",
  "results-file": "",
  "file": "",
  "seed": 123
 },
 "StartTime": 1767323047,
 "EndTime": 1767323095,
 "DurationMillis": 48649,
 "Totals": {
  "metricRate": 205553.49,
  "rowRate": 20555.35
 }
}
{
 "ResultFormatVersion": "0.1",
 "RunnerConfig": {
  "DBName": "benchmark",
  "Limit": 0,
  "LimitRPS": 0,
  "MemProfile": "",
  "HDRLatenciesFile": "",
  "Workers": 2,
  "PrintResponses": false,
  "Debug": 0,
  "FileName": "",
  "BurnIn": 0,
  "PrintInterval": 100,
  "PrewarmQueries": false,
  "ResultsFile": ""
 },
 "StartTime": 1767323058000,
 "EndTime": 1767323074000,
 "DurationMillis": 16185,
 "Totals": {
  "burnIn": 0,
  "limit": 0,
  "overallQuantiles": {
   "TimescaleDB_last_row_per_host": {
    "q0": 0,
    "q100": 209.67,
    "q50": 6.75,
    "q95": 40.1,
    "q99": 80.383,
    "q999": 200.191
   },
   "all_queries": {
    "q0": 0,
    "q100": 209.67,
    "q50": 6.75,
    "q95": 40.1,
    "q99": 80.383,
    "q999": 200.191
   }
  },
  "overallQueryRates": {
   "TimescaleDB_last_row_per_host": 61.99,
   "all_queries": 61.99
  },
  "prewarmQueries": false
 }
}`);
  });

  /** What a run of TSBS wrote that others keep as a sample of its format, but for the name of the database. */
  it('has the times, names, order and figures that TSBS gave to a run of its own', () => {
    const recorded = {
      ...{ StartTime: 1631785523000, EndTime: 1631785528000, DurationMillis: 4933 },
      Totals: {
        ...{ burnIn: 0, limit: 0 },
        overallQuantiles: {
          TimescaleDB_max_of_all_CPU_metrics_random_1_hosts_random_8h0m0s_by_1h: {
            ...{ q0: 0, q100: 39.285, q50: 14.228, q95: 28.045, q99: 33.075, q999: 36.537 },
          },
          all_queries: { q0: 0, q100: 39.285, q50: 14.228, q95: 28.045, q99: 33.075, q999: 36.537 },
        },
        overallQueryRates: {
          ...{ TimescaleDB_max_of_all_CPU_metrics_random_1_hosts_random_8h0m0s_by_1h: 2027.186427709223 },
          all_queries: 2027.186427709223,
        },
        prewarmQueries: false,
      },
    };
    const latencyUs = latencyOf({ p50: 14_228, p95: 28_045, p99: 33_075, p999: 36_537, max: 39_285 });
    const operation = operationOf({ name: 'cpu-max-all-1', perSecond: 2027.186427709223, latencyUs });
    const phase = { ...queries, startedMs: 400, seconds: 4.9332, operations: [operation] };
    const startedAt = '2021-09-16T09:45:23.000Z';
    const text = write('tsbs-json', { ...run, startedAt, phases: [phase] });
    expect(text.slice(text.indexOf('"StartTime"'))).toBe(
      JSON.stringify(recorded, null, 1).slice('{\n '.length),
    );
  });

  it('is read by what reads TSBS’s', () => {
    for (const phase of run.phases) {
      const value: unknown = JSON.parse(write('tsbs-json', { ...run, phases: [phase] }));
      expect(isTsbsResults(value)).toBe(true);
      const [read] = readTsbsResults(value).printed.phases;
      expect(read?.kind).toBe(phase.kind);
      expect(read?.seconds).toBeCloseTo(phase.seconds, 2);
    }
  });

  it('has characters as Go writes them, and is refused where nothing of TSBS was run', () => {
    const [first, second] = run.resolvedSteps;
    const odd = {
      ...run,
      phases: [load],
      resolvedSteps: [{ id: 'tsbs.load', parameters: { dbName: '<a&b>' } }],
    };
    expect(write('tsbs-json', odd)).toContain('"db-name": "\\u003ca\\u0026b\\u003e"');
    expect(first && second).toBeDefined();
    const other = { ...run, resolvedSteps: [{ id: 'pgbench.run', parameters: {} }] };
    for (const format of ['tsbs-json', 'tsbs-hdr', 'tsbs-csv'])
      expect(() => write(format, { ...other, phases: [load] })).toThrow(/of TSBS$/);
  });
});

/** A histogram of these microseconds, of TSBS's own precision. */
function histogramOf(values: readonly number[], digits: 3 | 4 = 4): Int32Histogram {
  const histogram = new Int32Histogram(1, 3_600_000_000, digits);
  for (const value of values) histogram.recordValue(value);
  return histogram;
}

describe('TSBS’s HDR latencies', () => {
  /**
   * Worked out by hand from the rule of the Go port: ten steps in each half of the distance to 100 %, a row as soon as a cell
   * reaches its step, the last cell's once and then 100 %.
   */
  it('of four values are the rows that the rule gives', () => {
    expect(hdrLatencies(histogramOf([1000, 2000, 3000, 4000]))).toBe(
      [
        ' Value\tPercentile\tTotalCount\t1/(1-Percentile)',
        '',
        '       1.000     0.000000            1         1.00',
        '       1.000     0.050000            1         1.05',
        '       1.000     0.100000            1         1.11',
        '       1.000     0.150000            1         1.18',
        '       1.000     0.200000            1         1.25',
        '       1.000     0.250000            1         1.33',
        '       2.000     0.300000            2         1.43',
        '       2.000     0.350000            2         1.54',
        '       2.000     0.400000            2         1.67',
        '       2.000     0.450000            2         1.82',
        '       2.000     0.500000            2         2.00',
        '       3.000     0.525000            3         2.11',
        '       3.000     0.550000            3         2.22',
        '       3.000     0.575000            3         2.35',
        '       3.000     0.600000            3         2.50',
        '       3.000     0.625000            3         2.67',
        '       3.000     0.650000            3         2.86',
        '       3.000     0.675000            3         3.08',
        '       3.000     0.700000            3         3.33',
        '       3.000     0.725000            3         3.64',
        '       3.000     0.750000            3         4.00',
        '       4.000     0.762500            4         4.21',
        '       4.000     1.000000            4          inf',
        '#[Mean    =        2.500, StdDeviation   =        1.118]',
        '#[Max     =        4.000, Total count    =            4]',
        '#[Buckets =           18, SubBuckets     =        32768]',
        '',
      ].join('\n'),
    );
  });

  /** What the Go port prints of its own example, from its tests. */
  it('are printed as by the program that prints them for TSBS', () => {
    const example = new Int32Histogram(1, 30_000_000, 3);
    const values = [459_876, 669_187, 711_612, 816_326, 931_423, 1_033_197, 1_131_895, 2_477_317, 3_964_974];
    for (const value of [...values, 12_718_782]) example.recordValue(value);
    expect(hdrLatencies(example, 1, 1)).toBe(
      [
        ' Value\tPercentile\tTotalCount\t1/(1-Percentile)',
        '',
        '  460031.000     0.000000            1         1.00',
        '  931839.000     0.500000            5         2.00',
        ' 2478079.000     0.750000            8         4.00',
        ' 3966975.000     0.875000            9         8.00',
        '12722175.000     0.937500           10        16.00',
        '12722175.000     1.000000           10          inf',
        '#[Mean    =  2491481.600, StdDeviation   =  3557920.109]',
        '#[Max     = 12722175.000, Total count    =           10]',
        '#[Buckets =           15, SubBuckets     =         2048]',
        '',
      ].join('\n'),
    );
  });

  it('of a run are those of its merged seconds, a list for each type', () => {
    const parts = [
      { phase: 1, seq: 5, operation: 'lastpoint', values: [1000, 2000] },
      { phase: 1, seq: 6, operation: 'lastpoint', values: [3000] },
      { phase: 1, seq: 6, operation: 'warm queries', values: [9] },
      { phase: 1, seq: 7, operation: 'high-cpu-1', values: [50] },
    ];
    const histograms = () =>
      parts.map(({ values, ...part }) => ({
        ...part,
        latency: encodeIntoCompressedBase64(histogramOf(values, 3)),
        service: null,
      }));
    const [first, second] = [histogramOf([1000, 2000, 3000], 3), histogramOf([50], 3)];
    expect(write('tsbs-hdr', run, { histograms })).toBe(
      `#[Queries = lastpoint]\n${hdrLatencies(first)}\n#[Queries = high-cpu-1]\n${hdrLatencies(second)}`,
    );
    expect(write('tsbs-hdr', run, { histograms, operation: 'high-cpu-1' })).toBe(hdrLatencies(second));
    expect(() => write('tsbs-hdr', run, { histograms, operation: 'none' })).toThrow('has no none of TSBS');
  });
});

it('the text of TSBS has its own names of queries', () => {
  const lines = write('tsbs', { ...run, phases: [queries] }).split('\n');
  expect(lines.slice(0, 2)).toEqual([
    'Run complete after 1000 queries with 2 workers (Overall query rate 61.99 queries/sec):',
    'TimescaleDB last row per host:',
  ]);
});

describe('TSBS’s progress CSV', () => {
  it('has one header and the lines of each load', () => {
    const tick = (phase: number, seq: number) =>
      tickOf({ phase, seq, intervalMs: 10_000, atMs: 10_000 * (seq + 1), rows: 120_000, metrics: 1_200_000 });
    const loads = [load, { ...load, index: 1, name: 'tsbs.load 2' }];
    const [step] = run.resolvedSteps;
    const both = { ...run, phases: loads, resolvedSteps: step ? [step, step] : [] };
    expect(write('tsbs-csv', both, { ticks: [tick(0, 0), tick(1, 1)] })).toBe(
      [
        'time,per. metric/s,metric total,overall metric/s,per. row/s,row total,overall row/s',
        '1767323055,120000.00,1.200000E+06,120000.00,12000.00,1.200000E+05,12000.00',
        '1767323065,120000.00,1.200000E+06,120000.00,12000.00,1.200000E+05,12000.00',
        '',
      ].join('\n'),
    );
  });
});
