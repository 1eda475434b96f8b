import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../databases/driver.ts';
import { sandboxDriver } from '../databases/sandbox/index.ts';
import type { RunRequest } from './runner.ts';
import { testBench } from './testBench.ts';
import { requestOf } from './testRequest.ts';
import { openRowsOf } from './testRows.ts';

const never = new AbortController().signal;
let bench: ReturnType<typeof testBench>;
beforeAll(() => {
  bench = testBench({});
});
afterAll(async () => {
  await sandboxDriver.managed?.stop();
  await bench.close();
});

const resolve = (signal: AbortSignal): Promise<Endpoint> =>
  sandboxDriver.resolve({}, null, { dataFolder: bench.folder, signal });

const plan = (steps: Record<string, unknown>[]) =>
  requestOf(steps, { targetName: 'sandbox', driver: sandboxDriver, resolve });

/** First row of an answer of the server, as text. */
async function ask(text: string): Promise<(string | null)[]> {
  const reader = await sandboxDriver.openReader(await resolve(never), 'benchmark', never);
  const { values } = await reader.run({ text }, never, true);
  await reader.close();
  return values?.[0] ?? [];
}

async function run(request: RunRequest) {
  const { id } = bench.runner.start(request);
  await bench.runner.ended(id);
  const run = bench.store.runs.get(id);
  if (run === null) throw new Error('the run is stored');
  return run;
}

/** Starts a load that would take hours; resolves when a tick with rows is stored. */
async function underWay() {
  const load = { scale: 100, seed: 1, timestampEnd: '2030-01-01T00:00:00Z', workers: 2, batchSize: 1000 };
  const { id } = bench.runner.start(plan([{ 'tsbs.load': load }]));
  const written = () => bench.all('run.tick').some((tick) => tick.runId === id && tick.operations[0]?.rows);
  while (!written()) await bench.next('run.tick');
  return id;
}

const small = {
  scale: 20,
  seed: 123,
  timestampStart: '2016-01-01T00:00:00Z',
  timestampEnd: '2016-01-01T01:00:00Z',
  batchSize: 500,
};
// 20 hosts, one row each 10 s for an hour
const rows = 20 * 360;

describe('a load into the sandbox', () => {
  const contents = new Map<string, string>();
  for (const hashWorkers of [false, true])
    for (const workers of [1, 3, 12])
      it(`holds exactly the rows of the simulation with ${workers} workers${hashWorkers ? ', hashed' : ''}`, async () => {
        const done = await run(plan([{ 'tsbs.load': { ...small, workers, hashWorkers } }]));
        expect(done.error).toBeNull();
        expect(done.phases[0]).toMatchObject({
          rows,
          metrics: rows * 10,
          verifiedRows: rows,
          plannedRows: rows,
        });
        const [count, user, nice, all] = await ask(
          'SELECT count(*), sum(usage_user)::bigint, sum(usage_guest_nice)::bigint, sum(hashtextextended(cpu::text, 0)) FROM cpu',
        );
        const simulated = openRowsOf(done);
        expect([count, user, nice]).toEqual([rows, simulated[0], simulated[9]].map(String));
        contents.set(`${workers} ${hashWorkers}`, all ?? '');
      });
  it('holds the same whatever the number of workers', () => {
    expect(contents.size).toBe(6);
    expect(new Set(contents.values()).size).toBe(1);
  });
});

it('queries after a load, each type and all together, are stored with the run', async () => {
  const types = ['lastpoint', 'single-groupby-1-1-1'];
  const done = await run(
    plan([
      { 'tsbs.load': small },
      { 'tsbs.queries': { types, queries: 60, workers: 2, burnIn: 10, prewarmQueries: true } },
    ]),
  );
  expect(done.error).toBeNull();
  expect(done.phases[1]?.operations.map((o) => [o.name, o.count, o.errors])).toEqual([
    ['lastpoint', 110, 0],
    ['single-groupby-1-1-1', 110, 0],
    ['cold queries', 110, 0],
    ['warm queries', 110, 0],
    ['all queries', 220, 0],
  ]);
  // lastpoint answers with one row per host
  expect(done.phases[1]?.operations[0]?.rows).toBe(110 * 20);
});

describe('select + fetch', () => {
  const load = {
    'fetch.load': { points: 20_000, selected: 200, selections: 12, batchSize: 2000, workers: 2 },
  };
  const restart = (signal: AbortSignal) =>
    sandboxDriver.managed?.restart({ dataFolder: bench.folder, signal }) ?? Promise.reject();
  const fetches = (read: Record<string, unknown>) =>
    run({ ...plan([load, { 'fetch.read': read }]), restart });

  it('tells first reads from warm ones, by readers, and has compared what came', async () => {
    const done = await fetches({ readers: [1, 2], fetches: 50, coldFetches: 2 });
    expect(done.error).toBeNull();
    const [inserted, read] = done.phases;
    expect(inserted).toMatchObject({ rows: 20_000, verifiedRows: 20_000 });
    expect(
      read?.operations.map(({ name, cache, readers, count, errors, rows }) => [
        ...[name, cache, readers, count, errors],
        rows,
      ]),
    ).toEqual([
      ['1 reader, first read', 'first', 1, 2, 0, 400],
      ['1 reader, warm', 'warm', 1, 50, 0, 10_000],
      ['2 readers, first read', 'first', 2, 4, 0, 800],
      ['2 readers, warm', 'warm', 2, 100, 0, 20_000],
    ]);
    for (const { firstRowUs, latencyUs, bytes, rows } of read?.operations ?? []) {
      expect(firstRowUs?.count).toBe(latencyUs?.count);
      expect(firstRowUs?.mean).toBeGreaterThan(0);
      expect(firstRowUs?.mean).toBeLessThanOrEqual(latencyUs?.mean ?? 0);
      // A row is at least 22 bytes of time, a digit and their lengths.
      expect(bytes).toBeGreaterThan(rows * 30);
    }
    const [verified] = bench
      .all('run.event')
      .filter(({ runId, text }) => runId === done.id && text.includes('compared'));
    expect(verified?.text).toBe(
      '6 different fetches compared with what was inserted: 1,200 rows, the sum of their values included',
    );
  });

  it('restarts the server before cold fetches where that is wanted', async () => {
    const done = await fetches({
      select: 'date-range',
      readers: [1, 2],
      cold: 'restart',
      fetches: 1,
      coldFetches: 1,
    });
    expect(done.error).toBeNull();
    expect(done.phases[1]?.operations.map(({ name, cache, rows }) => [name, cache, rows])).toEqual([
      ['1 reader, after a restart', 'restarted', 200],
      ['1 reader, warm', 'warm', 200],
      ['2 readers, after a restart', 'restarted', 400],
      ['2 readers, warm', 'warm', 400],
    ]);
    const restarts = bench
      .all('run.event')
      .filter(({ runId, text }) => runId === done.id && text.startsWith('The server was restarted'));
    expect(restarts.length).toBe(2);
    // Where Benchberry may not restart it, that is said before anything is loaded.
    const refused = await run(
      plan([load, { 'fetch.read': { readers: [1], cold: 'restart', coldFetches: 1 } }]),
    );
    expect(refused).toMatchObject({ status: 'failed', phases: [], error: { code: 'unsupported' } });
  });

  it('fails where a row is missing, or has another value than was inserted', async () => {
    const again = { ...load['fetch.load'], readers: [1], cold: 'none', fetches: 10, coldFetches: 2 };
    const { batchSize: _, workers: __, ...read } = again;
    await ask(`UPDATE test SET value = value + 1 WHERE ctid IN
      (SELECT test.ctid FROM test JOIN tags ON tags_id = id WHERE sel = 'selected-1' LIMIT 1) RETURNING 1`);
    const changed = await run(plan([{ 'fetch.read': read }]));
    expect(changed.error).toMatchObject({
      code: 'server-error',
      message: 'What was fetched is not what was inserted',
    });
    expect(changed.phases[0]?.operations[0]).toMatchObject({ count: 10, errors: 0 });
    await ask(`DELETE FROM test WHERE ctid IN
      (SELECT test.ctid FROM test JOIN tags ON tags_id = id WHERE sel = 'selected-1' LIMIT 1) RETURNING 1`);
    const missing = await run(plan([{ 'fetch.read': read }]));
    expect(missing.phases[0]?.operations[0]).toMatchObject({ count: 5, errors: 5 });
    expect(
      bench
        .all('run.event')
        .some(({ text }) => text.includes('199 rows were fetched where 200 had been inserted')),
    ).toBe(true);
  });
});

it('a load that is stopped keeps exactly the rows that are in the database', async () => {
  const id = await underWay();
  await bench.runner.stop(id);
  const stopped = bench.store.runs.get(id);
  expect(stopped).toMatchObject({ status: 'cancelled', error: null });
  const kept = stopped?.phases[0]?.rows ?? 0;
  expect(kept).toBeGreaterThan(0);
  expect(await ask('SELECT count(*) FROM cpu')).toEqual([String(kept)]);
});

describe('a server that goes away in mid-load', () => {
  it('by closing the connections: the run fails, rows acknowledged and ticks are kept', async () => {
    const id = await underWay();
    await ask(
      `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = 'benchmark' AND pid <> pg_backend_pid()`,
    );
    const head = await bench.runner.ended(id);
    expect(head.status).toBe('failed');
    expect(head.verdicts[0]?.code).toBe('failed');
    const run = bench.store.runs.get(id);
    expect(run?.error?.code).toBe('connection-lost');
    const kept = run?.phases[0]?.rows ?? 0;
    expect(kept).toBeGreaterThan(0);
    const { ticks } = bench.store.runs.series(id);
    expect(ticks.reduce((n, tick) => n + (tick.operations[0]?.rows ?? 0), 0)).toBe(kept);
    // A batch may have been committed whose acknowledgement was lost: at most one per connection.
    const stored = Number((await ask('SELECT count(*) FROM cpu'))[0]);
    expect(stored).toBeGreaterThanOrEqual(kept);
    expect(stored).toBeLessThanOrEqual(kept + 2 * 1000);
  });

  it('by stopping: the run fails the same way, and the next one works', async () => {
    const id = await underWay();
    await sandboxDriver.managed?.stop();
    const head = await bench.runner.ended(id);
    expect(head.status).toBe('failed');
    expect(bench.store.runs.get(id)?.error?.code).toBe('connection-lost');
    expect(head.rows).toBeGreaterThan(0);
    const next = await run(plan([{ 'tsbs.load': small }]));
    expect(next).toMatchObject({ status: 'finished', rows });
  });
});
