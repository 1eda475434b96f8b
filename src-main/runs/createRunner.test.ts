import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { phaseNames } from './createRunner.ts';
import { fakeTarget, loadPhase, queriesPhase, request, testBench } from './testBench.ts';

let bench: ReturnType<typeof testBench>;
beforeEach(() => {
  bench = testBench();
});
afterEach(async () => {
  await bench.close();
});

const finals = () => bench.all('run.changed').filter(({ final }) => final);

describe('a run', () => {
  it('loads, counts, asks, and is stored with everything it was', async () => {
    const target = fakeTarget(9_000, { delayMs: 80 });
    const phases = [
      loadPhase(9_000, { workers: 3 }),
      queriesPhase(['lastpoint', 'high-cpu-1'], 120, { workers: 4 }),
    ];
    const head = bench.runner.start(request(target, phases));
    expect(head).toMatchObject({
      status: 'preparing',
      name: 'A plan',
      targetName: 'fake',
      engine: 'fake',
      group: null,
    });
    const ended = await bench.runner.ended(head.id);

    // the fake's rows are hit once more by the queries' numbers, after the count
    expect(target.calls).toEqual([
      'describe',
      'prepare',
      'describe',
      'writeDevices after 0 rows',
      'count',
      'describe',
      'close',
    ]);
    const run = bench.store.runs.get(head.id);
    expect(run).toMatchObject({
      status: 'finished',
      seed: 123,
      serverLabel: 'FakeSQL 1.0',
      rows: 9_000,
      error: null,
      resolvedSteps: [
        { id: 'fake.load', parameters: {} },
        { id: 'fake.queries', parameters: {} },
      ],
    });
    const [load, queries] = run?.phases ?? [];
    expect(load).toMatchObject({
      name: 'fake.load',
      kind: 'load',
      workers: 3,
      rows: 9_000,
      metrics: 27_000,
      bytes: 180_000,
      verifiedRows: 9_000,
      plannedRows: 9_000,
      notes: ['a note of the fake'],
    });
    // 90 batches of 80 ms on 3 connections
    expect(load?.seconds).toBeGreaterThan(2.3);
    expect(load?.rowsPerSecond).toBeCloseTo(9_000 / (load?.seconds ?? 0), 6);
    expect(queries?.operations.map((o) => [o.name, o.count, o.rows])).toEqual([
      ['lastpoint', 120, 240],
      ['high-cpu-1', 120, 240],
      ['all queries', 240, 480],
    ]);
    const [a, b, both] = queries?.operations ?? [];
    expect(both?.seconds).toBe((a?.seconds ?? 0) + (b?.seconds ?? 0));
    expect(both?.latencyUs?.max).toBe(Math.max(a?.latencyUs?.max ?? 0, b?.latencyUs?.max ?? 0));
    expect(queries?.rows).toBe(480);
    // an overloaded machine makes it client-bound, and rightly
    expect(['valid', 'client-bound']).toContain(ended.verdicts.map((v) => v.code).join());
    expect(ended).toEqual(finals()[0]?.head);
    expect(run?.p99Us).toBe(load?.operations[0]?.latencyUs?.p99);
  });

  it('tells its states in order and its end once', async () => {
    const { id } = bench.runner.start(request(fakeTarget(2_000), [loadPhase(2_000)]));
    await bench.runner.ended(id);
    const statuses = bench.all('run.changed').map(({ head }) => head.status);
    expect(statuses.filter((status, i) => status !== statuses[i - 1])).toEqual([
      'preparing',
      'running',
      'finished',
    ]);
    expect(finals()).toHaveLength(1);
    expect(bench.published.at(-1)).toMatchObject({ name: 'run.changed', data: { final: true } });
    expect(bench.all('run.event').map(({ kind }) => kind)).toEqual([
      'note',
      'phase-start',
      'phase-end',
      'verify',
    ]);
    expect(bench.store.runs.series(id).events).toEqual(bench.all('run.event'));
    expect(bench.runner.progress()).toEqual([]);
  });

  it('stores each tick with its histograms before it is published, and their sum is the phase', async () => {
    const target = fakeTarget(10_000, { delayMs: 30 });
    const { id } = bench.runner.start(request(target, [loadPhase(10_000)]));
    await bench.runner.ended(id);
    const { ticks } = bench.store.runs.series(id);
    expect(ticks).toEqual(bench.all('run.tick'));
    expect(ticks.map(({ seq }) => seq)).toEqual(ticks.map((_, i) => i));
    expect(ticks.length).toBeGreaterThanOrEqual(2);
    const total = (of: 'rows' | 'metrics' | 'bytes' | 'count') =>
      ticks.reduce((n, tick) => n + (tick.operations[0]?.[of] ?? 0), 0);
    expect([total('rows'), total('metrics'), total('bytes'), total('count')]).toEqual([
      10_000, 30_000, 200_000, 100,
    ]);
    const stored = bench.store.runs.histograms(id, 0);
    expect(stored.filter((h) => h.latency !== null).map((h) => h.seq)).toEqual(
      ticks.filter((t) => (t.operations[0]?.count ?? 0) > 0).map((t) => t.seq),
    );
    const fractions = bench.all('run.progress').map(({ fraction }) => fraction ?? 0);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(Math.max(...fractions)).toBeLessThanOrEqual(1);
  });

  it('only generates with doLoad false: nothing is prepared, written or counted', async () => {
    const target = fakeTarget(500);
    const { id } = bench.runner.start(request(target, [loadPhase(500, { doLoad: false })]));
    const head = await bench.runner.ended(id);
    expect(target.calls).toEqual(['describe', 'close']);
    expect(bench.store.runs.get(id)?.phases[0]).toMatchObject({ rows: 500, metrics: 0, verifiedRows: null });
    expect(head.verdicts.map((v) => v.code)).toContain('client-bound');
  });

  it('says that rows are missing', async () => {
    const target = fakeTarget(500, {}, { count: async () => ({ cpu: 499 }) });
    const { id } = bench.runner.start(request(target, [loadPhase(500)]));
    expect((await bench.runner.ended(id)).verdicts.map((v) => v.code)).toContain('rows-missing');
    expect(bench.store.runs.get(id)?.phases[0]?.verifiedRows).toBe(499);
    expect(bench.all('run.event').at(-1)?.text).toBe(
      '499 rows counted in the database, but 500 were acknowledged',
    );
  });
});

describe('stopping', () => {
  it('ends the run as cancelled and keeps what was measured', async () => {
    const target = fakeTarget(100_000, { delayMs: 20 });
    const { id } = bench.runner.start(request(target, [loadPhase(100_000), queriesPhase(['a'], 1)]));
    await bench.next('run.tick');
    await bench.runner.stop(id);
    const run = bench.store.runs.get(id);
    expect(run).toMatchObject({ status: 'cancelled', error: null });
    expect(run?.verdicts[0]?.code).toBe('cancelled');
    const acknowledged = target.hits.reduce((a, b) => a + b);
    expect(run?.phases.map((p) => p.rows)).toEqual([acknowledged]);
    expect(acknowledged).toBeGreaterThan(0);
    expect(finals()).toHaveLength(1);
    expect(bench.all('run.event').map(({ kind }) => kind)).toContain('stop');
    await bench.runner.stop(id); // it has ended: nothing to do
    expect(finals()).toHaveLength(1);
  });

  it('works while it connects', async () => {
    const target = fakeTarget(1);
    const resolve = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const { id } = bench.runner.start(request(target, [loadPhase(1)], { resolve }));
    await bench.runner.stop(id);
    expect(bench.store.runs.get(id)).toMatchObject({ status: 'cancelled', phases: [] });
  });

  it('knows which runs there are', async () => {
    await expect(bench.runner.stop('nothing')).rejects.toMatchObject({ code: 'not-found' });
    await expect(bench.runner.ended('nothing')).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('one run at a time', () => {
  it('refuses a second one', async () => {
    const { id } = bench.runner.start(request(fakeTarget(100), [loadPhase(100)]));
    expect(() => bench.runner.start(request(fakeTarget(1), [loadPhase(1)]))).toThrow(
      expect.objectContaining({ code: 'run-active' }),
    );
    await bench.runner.ended(id);
    const next = bench.runner.start(request(fakeTarget(100), [loadPhase(100)]));
    expect((await bench.runner.ended(next.id)).status).toBe('finished');
  });

  it('repeats in one group until told to stop', async () => {
    const { id, group } = bench.runner.start(
      request(fakeTarget(100), [loadPhase(100, { doLoad: false })], { repeat: 3 }),
    );
    expect(group).not.toBeNull();
    await bench.runner.ended(id);
    for (let [active] = bench.runner.progress(); active; [active] = bench.runner.progress())
      await bench.runner.ended(active.runId);
    const runs = bench.store.runs.list({ terms: [], limit: 10 });
    expect(runs.map((run) => [run.name, run.status, run.group]).sort()).toEqual(
      [1, 2, 3].map((n) => [`A plan (${n} of 3)`, 'finished', group]),
    );
    expect(finals()).toHaveLength(3);

    const second = bench.runner.start(
      request(fakeTarget(1_000, { hangAt: 500 }), [queriesPhase(['a'], 1_000)], { repeat: 3 }),
    );
    await bench.next('run.tick');
    await bench.runner.stop(second.id);
    expect(bench.runner.progress()).toEqual([]);
    expect(finals()).toHaveLength(4);
  });
});

it('names phases by step, with a number from the second on', () => {
  expect(phaseNames(['tsbs.load', 'tsbs.queries', 'tsbs.load', 'tsbs.load'])).toEqual([
    'tsbs.load',
    'tsbs.queries',
    'tsbs.load 2',
    'tsbs.load 3',
  ]);
});
