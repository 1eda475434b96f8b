import { describe, expect, it } from 'vitest';
import type { Difference } from '../model/comparison.ts';
import type { Operation, Phase, Run } from '../model/run.ts';
import { compareRuns, compareSides, formatChange, formatFigure, rowsByMetric, runLabels } from './compare.ts';

function operation(patch: Partial<Operation> = {}): Operation {
  return {
    name: 'batch',
    count: 10,
    errors: 0,
    late: 0,
    dropped: 0,
    rows: 1000,
    bytes: 1,
    seconds: 10,
    perSecond: 1,
    latencyUs: {
      count: 10,
      min: 1,
      mean: 5,
      p50: 4,
      p90: 8,
      p95: 9,
      p99: 10,
      p999: 11,
      max: 12,
      stddev: 1,
      sum: 50,
    },
    serviceUs: null,
    ...patch,
  };
}
function phase(patch: Partial<Phase> = {}): Phase {
  return {
    index: 0,
    name: 'tsbs.load',
    kind: 'load',
    workers: 1,
    startedMs: 0,
    rows: 1000,
    metrics: 10_000,
    bytes: 1,
    seconds: 10,
    rowsPerSecond: 100,
    metricsPerSecond: 1000,
    verifiedRows: 1000,
    plannedRows: 1000,
    operations: [operation()],
    notes: [],
    ...patch,
  };
}
const client = {
  hostname: 'desk',
  os: 'Linux',
  arch: 'x64',
  cpu: 'A',
  cores: 4,
  memoryBytes: 8 * 2 ** 30,
  node: '24.0.0',
  toolVersion: '0.1.0',
};
function run(patch: Partial<Run> = {}): Run {
  return {
    id: 'a',
    name: 'Quick look',
    status: 'finished',
    verdicts: [{ code: 'valid', reason: '', advice: '' }],
    targetName: 'sandbox',
    engine: 'sandbox',
    serverLabel: null,
    startedAt: '2026-01-01T10:00:00.000Z',
    endedAt: null,
    tags: [],
    notes: '',
    rowsPerSecond: 100,
    rows: 1000,
    tps: null,
    p99Us: 10,
    group: null,
    plan: {
      version: 1,
      name: 'Quick look',
      target: 'sandbox',
      steps: [{ 'tsbs.load': {} }],
      repeat: 1,
    },
    resolvedSteps: [{ id: 'tsbs.load', parameters: { scale: 10, seed: 123, batchSize: 1000 } }],
    seed: 123,
    client,
    host: null,
    server: null,
    phases: [phase()],
    error: null,
    ...patch,
  };
}
const server = {
  engine: 'postgresql',
  product: 'PostgreSQL',
  version: '17.5',
  versionText: '',
  edition: 'plain',
  dialect: 'postgresql',
  database: 'benchmark',
  sizeBytes: 0,
  tls: null,
  roundTripUs: 100,
  settings: [{ name: 'shared_buffers', value: '128', unit: 'MB', source: 'configuration file' }],
  notes: [],
};

const shown = (differences: readonly Difference[]) =>
  differences.map(({ area, name, values }) => [area, name, ...values]);

describe('differences', () => {
  it('of the hosts: what was stopped for the run, which disk was watched, whether the gate was overridden', () => {
    const host = { name: 'rpi-4', before: null, after: null, quieted: null, place: null, gate: null };
    const gate = { at: '2026-01-01T00:00:00.000Z', checks: [], waitedMs: 0, override: null };
    const quiet = {
      ...host,
      gate: { ...gate, override: 'its fan is broken' },
      quieted: ['fstrim.timer', 'man-db.timer'],
      place: { folder: '/mnt/ssd', how: 'chosen' },
    };
    const { differences } = compareRuns([run({ host: { ...host, gate } }), run({ host: quiet })]);
    expect(shown(differences)).toEqual([
      ['host', 'Kept quiet', 'no', 'yes'],
      ['host', 'Stopped for the run', 'nothing', 'fstrim.timer, man-db.timer'],
      ['host', 'Gate', 'passed', 'overridden: its fan is broken'],
      ['storage', 'Watched disk', 'under /', 'under /mnt/ssd'],
    ]);
  });
  it('finds none between a run and itself', () => {
    expect(compareRuns([run(), run()]).differences).toEqual([]);
  });

  it('names each parameter, the target first and the tool last', () => {
    const other = run({
      targetName: 'rpi-5',
      seed: 7,
      resolvedSteps: [{ id: 'tsbs.load', parameters: { scale: 10, seed: 7, batchSize: 5000 } }],
      client: { ...client, toolVersion: '0.2.0', cores: 8 },
      server,
    });
    expect(shown(compareRuns([run(), other]).differences)).toEqual([
      ['target', 'Target', 'sandbox', 'rpi-5'],
      ['plan', 'tsbs.load · batchSize', '1000', '5000'],
      ['seed', 'Seed', '123', '7'],
      ['server', 'Server', 'not reached', 'reached'],
      ['client', 'Cores', '4', '8'],
      ['tool', 'Benchberry', '0.1.0', '0.2.0'],
    ]);
  });

  it('knows a seed by whatever name, and names it once', () => {
    const steps = (seed: number, own: number) => [
      { id: 'sysbench.prepare', parameters: { tables: 1, randSeed: own } },
      { id: 'sysbench.run', parameters: { threads: 4, randSeed: seed } },
    ];
    const { differences, caveats } = compareRuns([
      run({ seed: 11, resolvedSteps: steps(11, 5) }),
      run({ seed: 12, resolvedSteps: steps(12, 6) }),
    ]);
    expect(shown(differences)).toEqual([
      ['seed', 'Seed', '11', '12'],
      ['seed', 'sysbench.prepare · randSeed', '5', '6'],
    ]);
    expect(caveats).toContain('Differs besides the target: seed.');
  });

  it('warns where latencies count from the schedule in one run and not in the other', () => {
    const { latencyUs } = operation();
    const scheduled = run({
      targetName: 'rpi-5',
      phases: [phase({ name: 'pgbench.run', operations: [operation({ serviceUs: latencyUs })] })],
    });
    const closed = run({ phases: [phase({ name: 'pgbench.run' })] });
    const caveat =
      'Latencies of pgbench.run are not of one kind: from the planned start in rpi-5, which had a rate to keep; from the actual start in sandbox.';
    expect(compareRuns([closed, scheduled]).caveats).toContain(caveat);
    for (const same of [closed, scheduled])
      expect(compareRuns([same, same]).caveats.join()).not.toContain('not of one kind');
  });

  it('claims nothing of a server that was not reached', () => {
    const newer = { ...server, version: '18.1' };
    expect(shown(compareRuns([run({ server }), run(), run({ server: newer })]).differences)).toEqual([
      ['server', 'Server', 'reached', 'not reached', 'reached'],
      ['server', 'Version', '17.5', 'not reached', '18.1'],
    ]);
  });

  it('shows a setting that only one server has', () => {
    const tuned = {
      ...server,
      settings: [...server.settings, { name: 'fsync', value: 'off', unit: null, source: '' }],
    };
    expect(shown(compareRuns([run({ server }), run({ server: tuned })]).differences)).toEqual([
      ['server', 'fsync', null, 'off'],
    ]);
  });

  it('counts a step that one run lacks once, and tells the second of a kind from the first', () => {
    const step = { id: 'tsbs.load', parameters: { batchSize: 1000, scale: 10, seed: 123 } };
    const { differences } = compareRuns([
      run({ resolvedSteps: [step, step] }),
      run({ resolvedSteps: [step, { id: 'tsbs.queries', parameters: { types: ['lastpoint'] } }] }),
    ]);
    expect(differences.map(({ name, values }) => [name, ...values])).toEqual([
      ['tsbs.load 2', 'in the plan', null],
      ['tsbs.queries', null, 'in the plan'],
    ]);
  });
});

describe('table', () => {
  const slow = run({ id: 'slow' });
  const fast = run({
    id: 'fast',
    targetName: 'rpi-5',
    phases: [phase({ rowsPerSecond: 150, operations: [operation({ latencyUs: null })] })],
  });

  it('gives the change against the base, whichever that is', () => {
    const rows = (base: number) => compareRuns([slow, fast], base).table[0];
    expect(rows(0)).toMatchObject({
      name: 'tsbs.load',
      metric: { unit: 'rows/s' },
      cells: [
        { value: 100, delta: null },
        { value: 150, delta: 0.5 },
      ],
    });
    expect(rows(1)?.cells[0]?.delta).toBeCloseTo(-1 / 3, 10);
  });

  it('leaves a missing figure empty instead of guessing', () => {
    const p99 = compareRuns([slow, fast]).table.find(({ metric }) => metric.key === 'p99');
    expect(p99?.cells).toEqual([
      { value: 10, values: [10], delta: null, verdict: null },
      { value: null, values: [], delta: null, verdict: null },
    ]);
  });

  it('matches operations by phase and name, not by position', () => {
    const queries = (names: string[]) =>
      run({
        phases: [
          phase({
            name: 'tsbs.queries',
            kind: 'queries',
            operations: names.map((name, i) => operation({ name, perSecond: 10 * (i + 1) })),
          }),
        ],
      });
    const { table } = compareRuns([
      queries(['lastpoint', 'high-cpu-1']),
      queries(['high-cpu-1', 'lastpoint']),
    ]);
    const rates = table.filter(({ metric }) => metric.key === 'operations');
    expect(rates.map(({ name, cells }) => [name, ...cells.map(({ value }) => value)])).toEqual([
      ['tsbs.queries · lastpoint', 10, 20],
      ['tsbs.queries · high-cpu-1', 20, 10],
      ['geometric mean', expect.closeTo(Math.sqrt(200), 10), expect.closeTo(Math.sqrt(200), 10)],
    ]);
  });

  it('never puts rows that are only sent beside acknowledged ones, and compares when all could be queried', () => {
    const four = (rates: number[], patch: Partial<Phase>) =>
      rates.map((rowsPerSecond, i) =>
        run({
          id: String(i),
          phases: [
            phase({ rowsPerSecond, visible: { seconds: 20, rowsPerSecond: rowsPerSecond / 2 }, ...patch }),
          ],
        }),
      );
    const slow = { label: 'a', runs: four([100, 101, 102, 103], {}), leftOut: [] };
    const quick = four([200, 201, 202, 203], {});
    const kinds = (runs: Run[]) =>
      compareSides([slow, { label: 'b', runs, leftOut: [] }])
        .table.filter(({ metric }) => ['rows', 'metrics', 'visible', 'p99'].includes(metric.key))
        .map(({ metric, cells }) => [metric.key, cells[1]?.value, cells[1]?.verdict?.kind]);
    expect(kinds(quick)).toEqual([
      ['rows', 201.5, 'faster'],
      ['metrics', 1000, 'no-difference'],
      ['visible', 100.75, 'faster'],
      ['p99', 10, 'no-difference'],
    ]);
    const sent = four([200, 201, 202, 203], { unanswered: true });
    expect(kinds(sent)).toEqual([
      ['rows', 201.5, 'not-comparable'],
      ['metrics', 1000, 'not-comparable'],
      ['visible', 100.75, 'faster'],
      ['p99', 10, 'not-comparable'],
    ]);
    expect(compareSides([slow, { label: 'b', runs: sent, leftOut: [] }]).sentence).toBe(
      'b against a: not comparable: rows count when they are sent on one side and when the server has acknowledged them on the other.',
    );
  });

  it('is shown by what the rows are of: transactions and queries a second are two groups', () => {
    const both = run({
      phases: [
        phase({ name: 'a', kind: 'transactions', operations: [operation({ name: 'transactions' })] }),
        phase({ name: 'b', kind: 'queries', operations: [operation({ name: 'lastpoint' })] }),
      ],
    });
    const { table } = compareRuns([both, both]);
    const groups = rowsByMetric(table).map(({ metric, rows }) => [metric.unit, ...rows.map((r) => r.name)]);
    expect(groups.slice(0, 2)).toEqual([
      ['TPS', 'a · transactions'],
      ['queries/s', 'b · lastpoint'],
    ]);
    expect(rowsByMetric(table).flatMap(({ rows }) => rows)).toEqual(table);
  });

  it('has nothing twice in the geometric mean: no merged types, no transactions of all scripts', () => {
    const of = (kind: Phase['kind'], rates: Record<string, number>) => {
      const operations = Object.entries(rates).map(([name, perSecond]) => operation({ name, perSecond }));
      return run({ phases: [phase({ name: 'a', kind, operations })] });
    };
    const means = (given: Run) =>
      compareRuns([given, given])
        .table.filter(({ name, metric }) => name === 'geometric mean' && metric.key === 'operations')
        .map(({ cells }) => cells[0]?.value);
    const types = { lastpoint: 10, 'high-cpu-1': 1000 };
    const merged = { 'cold queries': 3, 'warm queries': 5, 'all queries': 7 };
    expect(means(of('queries', { ...types, ...merged }))).toEqual([expect.closeTo(100, 9)]);
    expect(means(of('queries', { lastpoint: 8, 'cold queries': 4, 'warm queries': 4 }))).toEqual([]);
    expect(means(of('transactions', { transactions: 5, read: 1, write: 4 }))).toEqual([expect.closeTo(2, 9)]);
  });

  it('has transactions a second where there are any, and how long making tables took', () => {
    const tested = (perSecond: number, seconds: number) =>
      run({
        phases: [
          phase({
            name: 'pgbench.init',
            kind: 'initialize',
            operations: [operation({ name: 'vacuum', seconds })],
          }),
          phase({
            name: 'pgbench.run',
            kind: 'transactions',
            operations: [operation({ name: 'transactions', perSecond })],
          }),
        ],
      });
    const { table, sentence } = compareRuns([tested(800, 2), tested(1000, 1)]);
    const shown = table.map(({ name, metric, cells }) => [
      name,
      ...cells.map(({ value }) => formatFigure(value, metric)),
    ]);
    expect(shown.slice(0, 2)).toEqual([
      ['pgbench.run · transactions', '800 TPS', '1,000 TPS'],
      ['pgbench.init · vacuum', '2.00 s', '1.00 s'],
    ]);
    expect(shown.filter(([name]) => name === 'pgbench.init · vacuum')).toHaveLength(1);
    expect(sentence).toBe("sandbox B against sandbox A: can't tell: one run against one.");
  });

  it('has rows, data and the first row of fetches, and never one figure of cold and warm ones', () => {
    const fetches = (seconds: number, firstRow: number) => {
      const done = { readers: 1, rows: 5000, bytes: 2 ** 20, seconds };
      const { latencyUs } = operation();
      const firstRowUs = latencyUs && { ...latencyUs, p50: firstRow };
      return run({
        phases: [
          phase({
            name: 'fetch.read',
            kind: 'queries',
            operations: [
              operation({ ...done, name: '1 reader, first read', cache: 'first', firstRowUs: null }),
              operation({
                ...done,
                name: '1 reader, warm',
                cache: 'warm',
                firstRowUs,
              }),
            ],
          }),
        ],
      });
    };
    const { table } = compareRuns([fetches(2, 100), fetches(1, 150)]);
    const figures = table
      .filter(({ metric, operation: name }) => /^f/.test(metric.key) && name === '1 reader, warm')
      .map(({ metric, cells }) => [
        metric.key,
        metric.unit,
        ...cells.map(({ value }) => value),
        cells[1]?.delta,
      ]);
    expect(figures).toEqual([
      ['fetchedRows', 'rows/s', 2500, 5000, 1],
      ['fetchedBytes', 'MiB/s', 0.5, 1, 1],
      ['firstRow', 'µs', 100, 150, 0.5],
    ]);
    expect(table.filter(({ metric }) => metric.key === 'firstRow').length).toBe(1);
    expect(table.some(({ name }) => name === 'geometric mean')).toBe(false);
    // Of queries there is nothing of the kind.
    expect(compareRuns([run(), run()]).table.some(({ metric }) => metric.key.startsWith('f'))).toBe(false);
  });

  it('has no change of errors and highest values between one run and several', () => {
    const failing = run({ phases: [phase({ operations: [operation({ errors: 2 })] })] });
    const deltas = (runs: Run[]) =>
      compareSides([
        { label: 'a', runs: [failing], leftOut: [] },
        { label: 'b', runs, leftOut: [] },
      ])
        .table.filter(({ metric }) => ['errors', 'max'].includes(metric.key))
        .map(({ metric, cells }) => [metric.key, cells[1]?.value, cells[1]?.delta]);
    expect(deltas([failing])).toEqual([
      ['max', 12, 0],
      ['errors', 2, 0],
    ]);
    expect(deltas([failing, failing, failing])).toEqual([
      ['max', 12, null],
      ['errors', 6, null],
    ]);
  });

  it('lists errors only where there are some', () => {
    const keys = (errors: number) =>
      compareRuns([run(), run({ phases: [phase({ operations: [operation({ errors })] })] })]).table.map(
        ({ metric }) => metric.key,
      );
    expect(keys(0)).not.toContain('errors');
    expect(keys(2)).toContain('errors');
  });
});

describe('words', () => {
  it('says of one run against one that there is no telling, and why', () => {
    const fast = run({ targetName: 'rpi-5', phases: [phase({ rowsPerSecond: 150 })] });
    const { sentence, caveats } = compareRuns([run(), fast]);
    expect(sentence).toBe("rpi-5 against sandbox: can't tell: one run against one.");
    expect(caveats[0]).toMatch(
      /^How much runs of one set-up vary .* is not known from one of each: repeat both\.$/,
    );
    expect(`${sentence} ${caveats.join(' ')}`).not.toMatch(/significan/i);
    expect(compareRuns([run(), fast], 1).sentence).toBe(
      "sandbox against rpi-5: can't tell: one run against one.",
    );
  });

  it('names runs that are not valid', () => {
    const bound = run({ targetName: 'rpi-5', verdicts: [{ code: 'client-bound', reason: '', advice: '' }] });
    expect(compareRuns([run(), bound]).caveats.join(' ')).toContain('rpi-5 (Client-bound)');
  });

  it('has a sentence for three runs, for one and for nothing in common', () => {
    const three = [
      run(),
      run({ targetName: 'b' }),
      run({ targetName: 'c', phases: [phase({ rowsPerSecond: 50 })] }),
    ];
    expect(compareRuns(three).sentence).toBe(
      "b against sandbox: can't tell: one run against one; c against sandbox: can't tell: one run against one.",
    );
    expect(compareRuns([run()]).sentence).toContain('Two runs');
    expect(compareRuns([run(), run({ phases: [] })]).sentence).toContain('no rate in common');
  });

  it('labels runs so that they can be told apart', () => {
    expect(runLabels([run(), run({ targetName: 'b' })])).toEqual(['sandbox', 'b']);
    expect(runLabels([run(), run({ name: 'Other' })])).toEqual(['Quick look', 'Other']);
    expect(runLabels([run(), run()])).toEqual(['sandbox A', 'sandbox B']);
  });

  it('writes a change as one reads it', () => {
    expect([-0.021, 0, 0.184, 8.5, 9, 50729.5].map(formatChange)).toEqual([
      '−2.1 %',
      '±0.0 %',
      '+18.4 %',
      '+850.0 %',
      '× 10',
      '× 50,731',
    ]);
  });
});
