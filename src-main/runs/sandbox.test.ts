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
