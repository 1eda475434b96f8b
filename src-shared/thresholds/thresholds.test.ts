import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Latency } from '../model/latency.ts';
import { planSchema } from '../model/plan.ts';
import type { Operation, Phase, Run } from '../model/run.ts';
import { judgeThresholds } from './judge.ts';
import { comparators, metricKind, parseThreshold, thresholdMetrics } from './parse.ts';

const problemOf = (entry: Parameters<typeof parseThreshold>[0]) => {
  const parsed = parseThreshold(entry);
  return 'problem' in parsed ? parsed.problem : null;
};

describe('the grammar', () => {
  it('reads limits, whole or of an operation, latencies with their unit', () => {
    expect(parseThreshold('rowsPerSecond >= 12000')).toEqual({
      threshold: {
        text: 'rowsPerSecond >= 12000',
        kind: 'limit',
        figure: { metric: 'rowsPerSecond', of: null },
        comparator: '>=',
        limit: 12_000,
      },
    });
    expect(parseThreshold(' p99 of high-cpu-1<1.5s ')).toMatchObject({
      threshold: { figure: { metric: 'p99', of: 'high-cpu-1' }, comparator: '<', limit: 1_500_000 },
    });
    expect(parseThreshold('errors <= 0')).toMatchObject({ threshold: { limit: 0 } });
  });

  it('reads what is held against the baseline, as YAML gives it and as one line', () => {
    const five = { kind: 'baseline', figure: null, tolerance: 0.05, text: 'noWorseThan: baseline 5%' };
    expect(parseThreshold({ noWorseThan: 'baseline 5%' })).toEqual({ threshold: five });
    expect(parseThreshold('noWorseThan: baseline 5%')).toEqual({ threshold: five });
    expect(parseThreshold({ noWorseThan: 'baseline 7.5 % for p99 of lastpoint' })).toMatchObject({
      threshold: { tolerance: 0.075, figure: { metric: 'p99', of: 'lastpoint' } },
    });
  });

  it('says what is wrong in words', () => {
    expect(problemOf('rowsPerSecond')).toMatch(/no comparison/);
    expect(problemOf('rowPerSecond > 5')).toMatch(/rowsPerSecond was probably meant/);
    expect(problemOf('p99 < 50')).toMatch(/needs one with its unit, as 50ms/);
    expect(problemOf('rowsPerSecond > 12,000')).toMatch(/without unit or commas/);
    expect(problemOf('tps == 5')).toMatch(/use >=, <=, >, </);
    expect(problemOf({ noWorseThan: '5%' })).toMatch(/write noWorseThan: baseline 5%/);
    expect(problemOf({ noWorseThan: 'baseline 100%' })).toMatch(/would let everything pass/);
  });

  it('names the field in a plan', () => {
    const plan = { version: 1, name: 'a', steps: [{ 'tsbs.load': {} }] };
    const given = planSchema.safeParse({ ...plan, thresholds: ['tps > 5', 'p99 < 50'] });
    expect(given.error?.issues.map(({ path }) => path)).toEqual([['thresholds', 1]]);
    expect(
      planSchema.safeParse({ ...plan, thresholds: ['tps > 5', { noWorseThan: 'baseline 5%' }] }).success,
    ).toBe(true);
  });

  it('reads back whatever is put together by its rules, and never throws', () => {
    const metric = fc.constantFrom(...thresholdMetrics);
    const blanks = fc.constantFrom('', ' ', '  ');
    fc.assert(
      fc.property(
        metric,
        fc.constantFrom(...comparators),
        fc.nat(1_000_000),
        blanks,
        blanks,
        (name, sign, n, before, after) => {
          const text = `${name}${before}${sign}${after}${n}${metricKind(name) === 'latency' ? 'ms' : ''}`;
          expect(parseThreshold(text)).toEqual({
            threshold: {
              text,
              kind: 'limit',
              figure: { metric: name, of: null },
              comparator: sign,
              limit: metricKind(name) === 'latency' ? n * 1000 : n,
            },
          });
        },
      ),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(Object.keys(parseThreshold(text))).toHaveLength(1);
      }),
    );
  });
});

const latency: Latency = {
  ...{ count: 10, min: 1, mean: 5000, p50: 4000, p90: 8000, p95: 9000, p99: 40_000 },
  ...{ p999: 50_000, max: 60_000, stddev: 1, sum: 50 },
};
const operation = (patch: Partial<Operation> = {}): Operation => ({
  ...{ name: 'batch', count: 10, errors: 0, late: 0, dropped: 0, rows: 1000, bytes: 1 },
  ...{ seconds: 10, perSecond: 1, latencyUs: latency, serviceUs: null },
  ...patch,
});
const phase = (patch: Partial<Phase> = {}): Phase => ({
  ...{ index: 0, name: 'tsbs.load', kind: 'load', workers: 1, startedMs: 0, rows: 1000, metrics: 1 },
  ...{ bytes: 1, seconds: 10, rowsPerSecond: 13_204, metricsPerSecond: 1, verifiedRows: null },
  ...{ plannedRows: null, operations: [operation()], notes: [] },
  ...patch,
});
const queries = phase({
  ...{ index: 1, name: 'tsbs.queries', kind: 'queries' },
  operations: [
    operation({ name: 'lastpoint', perSecond: 60, errors: 1 }),
    operation({ name: 'all queries', perSecond: 30, errors: 1 }),
  ],
});
const run = (patch: Partial<Run> = {}): Run => ({
  ...{ id: 'a', name: 'A', status: 'finished', verdicts: [], targetName: 'sandbox', engine: 'sandbox' },
  ...{ serverLabel: null, startedAt: '2026-01-01T10:00:00.000Z', endedAt: null, tags: [], notes: '' },
  ...{ rowsPerSecond: null, rows: null, tps: null, p99Us: null, group: null, resolvedSteps: [], seed: 1 },
  ...{ host: null, server: null, phases: [phase(), queries], error: null, client: null },
  plan: { version: 1, name: 'A', target: 'sandbox', steps: [], repeat: 1 },
  ...patch,
});
const at = (rowsPerSecond: number) => run({ phases: [phase({ rowsPerSecond })] });

describe('a run held against thresholds', () => {
  it('keeps or misses limits, and says what was measured and what was wanted', () => {
    const given = [
      'rowsPerSecond >= 12000',
      'p99 < 50ms',
      'rowsPerSecond > 20000',
      'p99 of lastpoint < 40ms',
    ];
    expect(judgeThresholds(given, run(), null)).toEqual([
      { text: given[0], kept: true, detail: '13,204 rows/s, at least 12,000 rows/s wanted' },
      { text: given[1], kept: true, detail: '40.0 ms, less than 50.0 ms wanted' },
      { text: given[2], kept: false, detail: '13,204 rows/s, more than 20,000 rows/s wanted' },
      { text: given[3], kept: false, detail: '40.0 ms, less than 40.0 ms wanted' },
    ]);
  });
  it('takes the rate of all queries, counts errors once, and does not keep what the run has not', () => {
    const given = ['queriesPerSecond <= 30', 'queriesPerSecond of lastpoint >= 60', 'errors <= 1', 'tps > 1'];
    expect(judgeThresholds(given, run(), null).map(({ kept, detail }) => [kept, detail])).toEqual([
      [true, '30.00 queries/s, at most 30.00 queries/s wanted'],
      [true, '60.00 queries/s, at least 60.00 queries/s wanted'],
      [true, '1 error, at most 1 error wanted'],
      [false, 'the run has no tps'],
    ]);
  });
  it('takes what has all of a phase, wherever it stands, and one reader for none of several', () => {
    const of = (p99: number) => ({ latencyUs: { ...latency, p99 } });
    const phases = (...operations: Operation[]) => run({ phases: [phase({ ...queries, operations })] });
    const results = (entries: string[], given: Run) =>
      judgeThresholds(entries, given, null).map(({ detail }) => detail);
    const types = phases(
      operation({ name: 'lastpoint', errors: 1, ...of(1000) }),
      operation({ name: 'high-cpu-all', errors: 2, ...of(9000) }),
      operation({ name: 'all queries', errors: 3, ...of(8000) }),
    );
    expect(results(['p99 < 5ms', 'p99 of tsbs.queries < 5ms', 'errors <= 0'], types)).toEqual([
      '8.00 ms, less than 5.00 ms wanted',
      '8.00 ms, less than 5.00 ms wanted',
      '3 errors, at most 0 errors wanted',
    ]);
    const prewarmed = phases(
      operation({ name: 'lastpoint', perSecond: 40, errors: 3 }),
      operation({ name: 'cold queries', perSecond: 20, errors: 2 }),
      operation({ name: 'warm queries', perSecond: 20, errors: 1 }),
    );
    expect(results(['queriesPerSecond > 30', 'errors <= 0'], prewarmed)).toEqual([
      '40.00 queries/s, more than 30.00 queries/s wanted',
      '3 errors, at most 0 errors wanted',
    ]);
    const fetches = phases(
      operation({ name: '1 reader, warm', errors: 4 }),
      operation({ name: '8 readers, warm' }),
    );
    expect(
      results(['errors <= 0', 'queriesPerSecond > 1', 'p99 of 8 readers, warm < 50ms'], fetches),
    ).toEqual([
      '4 errors, at most 0 errors wanted',
      'the run has no queriesPerSecond of all operations, but a queriesPerSecond of 1 reader, warm',
      '40.0 ms, less than 50.0 ms wanted',
    ]);
  });
  it('is held against the mean of the baseline, in the direction in which worse lies', () => {
    const baseline = [at(100), at(110), at(90)];
    const limit = [{ noWorseThan: 'baseline 5%' }];
    const kept = (value: number) => judgeThresholds(limit, at(value), baseline)[0]?.kept;
    expect([kept(95), kept(94.9), kept(200)]).toEqual([true, false, true]);
    expect(judgeThresholds(limit, at(94), baseline)[0]?.detail).toBe(
      '94.00 rows/s against 100 rows/s of the baseline, three runs (−6.0 %); 5 % worse at most wanted',
    );
    const slower = (p99: number) =>
      run({ phases: [phase({ operations: [operation({ latencyUs: { ...latency, p99 } })] })] });
    const ofP99 = [{ noWorseThan: 'baseline 10% for p99' }];
    const keeps = (p99: number) => judgeThresholds(ofP99, slower(p99), [slower(1000)])[0]?.kept;
    expect([keeps(1100), keeps(1101), keeps(1)]).toEqual([true, false, true]);
  });
  it('cannot be held against a baseline that there is not, or that is of something else', () => {
    const limit = [{ noWorseThan: 'baseline 5%' }];
    expect(judgeThresholds(limit, run(), null)).toMatchObject([
      { kept: false, detail: 'there is no baseline of this plan to hold it against' },
    ]);
    const client = {
      ...{ hostname: 'desk', os: 'Linux', arch: 'x64', cpu: 'A', cores: 4, memoryBytes: 1 },
      ...{ node: '24', toolVersion: '1' },
    };
    const elsewhere = run({ client: { ...client, hostname: 'lab' } });
    expect(judgeThresholds(limit, run({ client }), [elsewhere])[0]).toMatchObject({
      kept: false,
      detail: 'it cannot be held against the baseline: the loader ran on another machine',
    });
  });
});
