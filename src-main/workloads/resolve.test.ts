import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolvePlan } from './resolve.ts';

const plan = (...steps: unknown[]) => ({ version: 1, name: 'a plan', steps });
const problemsOf = (...steps: unknown[]) => resolvePlan(plan(...steps)).problems;

describe('a good plan', () => {
  const resolved = resolvePlan(
    plan(
      {
        'tsbs.load': {
          scale: 40,
          seed: 135,
          timestampStart: new Date('2021-01-01T10:00:00Z'),
          timestampEnd: '2021-01-04T08:00:00Z',
          limit: 1_000_000,
          workers: 2,
          batchSize: 5000,
          hashWorkers: true,
          insertIntervals: 3,
          reportingPeriod: '1m30s',
          chunkTime: '4h',
          dbName: 'pi',
        },
      },
      { 'tsbs.queries': { types: ['lastpoint', 'high-cpu-1'], queries: 300, maxRps: 20, burnIn: 10 } },
    ),
  );

  it('has no problems, and says what it does', () => {
    expect(resolved.problems).toEqual([]);
    expect(resolved.rows).toBe(1_000_000);
    expect(resolved.summary).toBe('Load 1,000,000 rows into pi, then run 600 queries of 2 types');
    expect(resolved.plan?.repeat).toBe(1);
  });

  it('becomes phases', () => {
    const [load, queries] = resolved.phases;
    expect(load).toMatchObject({
      kind: 'load',
      database: 'pi',
      doLoad: true,
      doCreateDb: true,
      doAbortOnExist: false,
      workers: 2,
      batchSize: 5000,
      hashWorkers: true,
      insertIntervals: [{ min: 3, max: 3 }],
      reportingPeriodSeconds: 90,
      engineOptions: { chunkTime: '4h', writeMode: 'binary' },
      rows: {
        workload: 'tsbs',
        parameters: { scale: 40, seed: 135, limit: 1_000_000, timestampStart: '2021-01-01T10:00:00Z' },
      },
    });
    expect(queries).toMatchObject({
      kind: 'queries',
      database: 'pi',
      ratePerSecond: 20,
      burnIn: 10,
      prewarm: false,
      jobs: [
        { name: 'lastpoint', queries: { workload: 'tsbs', parameters: { type: 'lastpoint', queries: 300 } } },
        { name: 'high-cpu-1' },
      ],
    });
  });

  it('hands scale, seed, times and database on to the queries, the end of the data one second later', () => {
    expect(resolved.steps[1]?.parameters).toMatchObject({
      scale: 40,
      seed: 135,
      dbName: 'pi',
      timestampStart: '2021-01-01T10:00:00Z',
      // 25,000 times 10 s, since the load ends at a million rows of 40 hosts.
      timestampEnd: '2021-01-04T07:26:41Z',
    });
  });

  it('asks for no time of which a limited load has nothing', () => {
    const end = (load: object, own: object = {}) =>
      resolvePlan(
        plan({ 'tsbs.load': { scale: 10, ...load } }, { 'tsbs.queries': { types: ['lastpoint'], ...own } }),
      ).steps[1]?.parameters.timestampEnd;
    // 95 rows of 10 hosts: ten times 10 s, the last one not whole. All nine tables of `devops` take a row each.
    expect(end({ limit: 95 })).toBe('2016-01-01T00:01:41Z');
    expect(end({ limit: 95 * 9, useCase: 'devops' })).toBe('2016-01-01T00:01:41Z');
    expect(end({ maxDataPoints: 100, initialScale: 1 })).toBe('2016-01-01T00:01:41Z');
    expect(end({ limit: 1e9 })).toBe('2016-01-02T00:00:01Z');
    expect(end({ limit: 95 }, { timestampEnd: '2016-01-03T00:00:00Z' })).toBe('2016-01-03T00:00:00Z');
  });

  it('can be resolved again from what was resolved', () => {
    const again = resolvePlan(plan(...resolved.steps.map(({ id, parameters }) => ({ [id]: parameters }))));
    expect(again.problems).toEqual([]);
    expect(again.phases).toEqual(resolved.phases);
  });
});

describe('defaults', () => {
  it('make a plan of two empty steps', () => {
    const resolved = resolvePlan(plan({ 'tsbs.load': null }, { 'tsbs.queries': {} }));
    expect(resolved.problems).toEqual([]);
    expect(resolved.rows).toBe(3_456_000);
    expect(resolved.summary).toBe('Load 3,456,000 rows into benchmark, then run 4,000 queries of 4 types');
    const long = Array.from({ length: 20 }, () => ({ 'tsbs.load': { limit: 10 } }));
    const ten = 'oad 10 rows into benchmark';
    expect(resolvePlan(plan(...long)).summary).toBe(
      `L${ten}, then l${ten}, then l${ten}, then 17 more steps`,
    );
    const elsewhere = resolvePlan(plan({ 'tsbs.load': {} }, { 'tsbs.queries': { dbName: 'pi' } }));
    expect(elsewhere.summary).toBe(
      'Load 3,456,000 rows into benchmark, then run 4,000 queries of 4 types on pi',
    );
    // The longest query type fits into the default day.
    expect(problemsOf({ 'tsbs.load': {} }, { 'tsbs.queries': { types: ['cpu-max-all-32-24'] } })).toEqual([]);
  });

  it('put a seed in the place of 0, the same for load and queries, and keep it', () => {
    const { steps, phases } = resolvePlan(plan({ 'tsbs.load': { seed: 0 } }, { 'tsbs.queries': {} }));
    const seed = steps[0]?.parameters.seed;
    expect(seed).toBeTypeOf('number');
    expect(seed).not.toBe(0);
    expect(steps[1]?.parameters.seed).toBe(seed);
    expect(phases.map((phase) => phase.seed)).toEqual([seed, seed]);
  });

  it('count with ramp, limits and repeats', () => {
    const hour = { scale: 10, timestampEnd: '2016-01-01T01:00:00Z' };
    const rows = (parameters: object) => resolvePlan(plan({ 'tsbs.load': { ...hour, ...parameters } })).rows;
    expect(rows({})).toBe(3600);
    expect(rows({ initialScale: 2 })).toBe(1981);
    expect(rows({ maxDataPoints: 77 })).toBe(77);
    const twice = resolvePlan({ ...plan({ 'tsbs.load': { ...hour, doLoad: false } }), repeat: 2 });
    expect(twice.summary).toBe('Make 3,600 rows without loading them, 2 times');
  });
});

describe('a bad plan', () => {
  it('names the field, the range, the nearest key', () => {
    expect(
      problemsOf(
        {
          'tsbs.load': {
            scal: 40,
            scale: 0,
            workers: 1.5,
            maxDataPoints: -1,
            logInterval: '10 s',
            timestampStart: '2016-02-30T00:00:00Z',
            doLoad: 'yes',
            useCase: 'iott',
            insertIntervals: '5-2',
          },
        },
        { 'tsbs.query': {} },
        { 'tsbs.queries': { types: ['lastpont'], maxRps: -1 } },
      ),
    ).toEqual([
      {
        path: 'steps[0].tsbs.load.useCase',
        message: '"iott" is not one of cpu-only, cpu-single, devops, iot, devops-generic',
        hint: 'Did you mean iot?',
      },
      { path: 'steps[0].tsbs.load.scale', message: '0 is out of range: 1 to 10,000,000', hint: null },
      {
        path: 'steps[0].tsbs.load.timestampStart',
        message: 'A time with its zone, such as 2016-01-01T00:00:00Z',
        hint: null,
      },
      {
        path: 'steps[0].tsbs.load.logInterval',
        message: 'A duration such as 10s, 1h30m or 500ms',
        hint: null,
      },
      {
        path: 'steps[0].tsbs.load.maxDataPoints',
        message: '-1 is out of range: at least 0',
        hint: null,
      },
      { path: 'steps[0].tsbs.load.workers', message: '1.5 is not a whole number', hint: null },
      { path: 'steps[0].tsbs.load.doLoad', message: '"yes" is not true or false', hint: null },
      {
        path: 'steps[0].tsbs.load.insertIntervals',
        message: 'A list such as 1 or 1,0-5 or 2-4: seconds, or a range of whole seconds to draw from',
        hint: null,
      },
      {
        path: 'steps[0].tsbs.load.scal',
        message: 'There is no key "scal" here',
        hint: 'Did you mean scale?',
      },
      {
        path: 'steps[1].tsbs.query',
        message: 'There is no step "tsbs.query"',
        hint: 'Did you mean tsbs.queries?',
      },
      {
        path: 'steps[2].tsbs.queries.types[0]',
        message: expect.stringMatching(
          /^"lastpont" is not one of single-groupby-1-1-1, .*, lastpoint, .*, breakdown-frequency$/,
        ),
        hint: 'Did you mean lastpoint?',
      },
      {
        path: 'steps[2].tsbs.queries.maxRps',
        message: '-1 is out of range: 0 to 1,000,000',
        hint: null,
      },
    ]);
  });

  it('is told what does not fit together', () => {
    const paths = (...steps: unknown[]) => problemsOf(...steps).map((problem) => problem.path);
    expect(paths({ 'tsbs.load': { timestampEnd: '2015-12-31T00:00:00Z' } })).toEqual([
      'steps[0].tsbs.load.timestampEnd',
    ]);
    expect(paths({ 'tsbs.load': { logInterval: '25h' } })).toEqual(['steps[0].tsbs.load.logInterval']);
    expect(paths({ 'tsbs.load': { scale: 5, initialScale: 6 } })).toEqual([
      'steps[0].tsbs.load.initialScale',
    ]);
    const hour = { scale: 4, timestampEnd: '2016-01-01T01:00:00Z' };
    expect(
      problemsOf(
        { 'tsbs.load': hour },
        { 'tsbs.queries': { types: ['single-groupby-1-1-1', 'single-groupby-1-8-1', 'high-cpu-all'] } },
      ),
    ).toEqual([
      {
        path: 'steps[1].tsbs.queries.types',
        message: 'single-groupby-1-8-1 asks for 8 hosts at a time, and there are only 4',
        hint: 'Take more hosts, or another query type.',
      },
      {
        path: 'steps[1].tsbs.queries.types',
        message:
          'high-cpu-all asks for 12 hours at a time, and the time from start to end is not longer than that',
        hint: 'Take a longer time, or an end one second later.',
      },
    ]);
    expect(paths({ 'tsbs.queries': { queries: 10, burnIn: 10 } })).toEqual(['steps[0].tsbs.queries.burnIn']);
    expect(paths({ 'tsbs.load': { useJsonbTags: true } }, { 'tsbs.queries': {} })).toEqual([
      'steps[1].tsbs.queries.timescaleUseJson',
    ]);
    expect(paths({ 'tsbs.load': {} }, { 'tsbs.queries': { timescaleUseTags: false } })).toEqual([
      'steps[1].tsbs.queries.timescaleUseTags',
    ]);
  });

  it('names the field of a load that cannot be read, with queries after it', () => {
    const { problems } = resolvePlan(plan({ 'tsbs.load': { batchSize: 0 } }, { 'tsbs.queries': {} }));
    expect(problems.map(({ path }) => path)).toEqual(['steps[0].tsbs.load.batchSize']);
  });

  it('has no phases, rows or summary', () => {
    const resolved = resolvePlan(plan({ 'tsbs.load': {} }, { 'tsbs.queries': { workers: 0 } }));
    expect(resolved).toMatchObject({ steps: [], phases: [], rows: null, summary: '' });
    expect(resolved.plan?.name).toBe('a plan');
  });

  it('is told about keys and values at the top, and does not throw whatever it is', () => {
    expect(resolvePlan({ version: 1, name: 'x', stepz: [] }).problems).toEqual([
      { path: 'steps', message: 'This key is needed', hint: null },
      { path: 'stepz', message: 'There is no key "stepz" here', hint: 'Did you mean steps?' },
    ]);
    expect(resolvePlan(plan(7)).problems[0]?.path).toBe('steps[0]');
    expect(resolvePlan(plan({ 'tsbs.load': { scale: undefined } })).problems).toHaveLength(1);
    fc.assert(
      fc.property(fc.anything(), (anything) => {
        const all = [
          anything,
          plan(anything),
          plan({ 'tsbs.load': anything }),
          plan({ 'tsbs.queries': { a: anything } }),
        ];
        for (const bad of all) {
          const { plan: read, problems } = resolvePlan(bad);
          expect(read !== null || problems.length > 0).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});
