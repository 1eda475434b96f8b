import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerSample } from '../../src-shared/model/telemetry.ts';
import type { Driver, Endpoint } from '../databases/driver.ts';
import { dialledFrom } from '../databases/postgresql/connection.ts';
import { Control } from '../databases/postgresql/control.ts';
import { postgresqlDriver } from '../databases/postgresql/index.ts';
import { resetSandbox, sandboxDriver } from '../databases/sandbox/index.ts';
import { noTestServer, startTestServer, type TestServer } from '../databases/testServer.ts';
import { resolvePlan } from '../workloads/resolve.ts';
import type { RunRequest } from './runner.ts';
import { fakeTarget, loadPhase, request, testBench } from './testBench.ts';

const never = new AbortController().signal;

interface Place {
  driver: Driver;
  endpoint: Endpoint;
  /** The server's own. */
  log(): string;
}

function requestOf(
  { driver, endpoint }: Pick<Place, 'driver' | 'endpoint'>,
  steps: Record<string, unknown>[],
  telemetry?: false,
): RunRequest {
  const resolved = resolvePlan({ version: 1, name: 'Watched', target: 'sandbox', steps });
  if (resolved.plan === null) throw new Error(JSON.stringify(resolved.problems));
  return {
    plan: { ...resolved.plan, ...(telemetry === false && { telemetry }) },
    steps: resolved.steps,
    phases: resolved.phases,
    targetName: 'sandbox',
    driver,
    resolve: async () => endpoint,
    group: null,
  };
}

/** What holds of every PostgreSQL. */
function telemetryOf(name: string, open: () => Promise<Place>, close: () => Promise<void>): void {
  describe(name, () => {
    let bench: ReturnType<typeof testBench>;
    let place: Place;
    let side: Control;
    beforeAll(async () => {
      bench = testBench({});
      place = await open();
      side = await connect('postgres');
    });
    afterAll(async () => {
      await side.close();
      await bench.close();
      await close();
    });

    const connect = (database: string) =>
      Control.open(dialledFrom(place.endpoint), database, never, 'second');

    /** A load that takes hours, with this going on beside it from its first rows on; stopped then. */
    async function loadWith(beside: (samples: () => ServerSample[]) => Promise<void>, telemetry?: false) {
      const load = { scale: 100, seed: 1, timestampEnd: '2030-01-01T00:00:00Z', workers: 2, batchSize: 500 };
      const { id } = bench.runner.start(requestOf(place, [{ 'tsbs.load': load }], telemetry));
      const samples = () =>
        bench.all('run.server').flatMap((each) => (each.runId === id ? [each.sample] : []));
      await until('run.tick', () =>
        bench.all('run.tick').some((tick) => tick.runId === id && (tick.operations[0]?.rows ?? 0) > 0),
      );
      await beside(samples);
      await bench.runner.stop(id);
      const run = bench.store.runs.get(id);
      if (run === null) throw new Error('the run is stored');
      return { run, series: bench.store.runs.series(id), samples: samples() };
    }

    async function until(event: 'run.server' | 'run.tick' | 'run.event', holds: () => boolean) {
      while (!holds()) await bench.next(event);
    }

    it('a checkpoint forced in mid-run is a band within a second of what the server logs', async () => {
      const { run, series, samples } = await loadWith(async (samples) => {
        await until('run.server', () => samples().length >= 2);
        await side.execute('CHECKPOINT', never);
        const told = () =>
          samples().some(({ checkpoints }) =>
            checkpoints.some(({ reason, writeMs }) => reason === 'requested' && writeMs !== null),
          );
        await until('run.server', told);
      });
      expect(series.server).toEqual(samples);
      const forced = samples
        .flatMap(({ checkpoints }) => checkpoints)
        .findLast(({ reason, writeMs }) => reason === 'requested' && writeMs !== null);
      const logged = loggedCheckpoints(place.log()).at(-1);
      const at = (ms: number | null | undefined) => Date.parse(run.startedAt) + (ms ?? Number.NaN);
      expect(Math.abs(at(forced?.startMs) - (logged?.startedAt ?? Number.NaN))).toBeLessThanOrEqual(1000);
      expect(Math.abs(at(forced?.endMs) - (logged?.endedAt ?? Number.NaN))).toBeLessThanOrEqual(1000);
      // The log counts pages that the cache of transaction states wrote as well, from version to version differently.
      expect(Math.abs((forced?.buffers ?? Number.NaN) - (logged?.buffers ?? Number.NaN))).toBeLessThanOrEqual(
        50,
      );
    });

    it('tells what its sessions wait for, what is written, and how large it is', async () => {
      const { series } = await loadWith((samples) => until('run.server', () => samples().length >= 3));
      const { server, serverWatch } = series;
      const sum = (of: (sample: ServerSample) => number) =>
        server.reduce((all, sample) => all + of(sample), 0);
      expect(sum(({ waits }) => waits.samples)).toBeGreaterThan(5);
      expect(
        sum(({ waits }) => waits.idle + Object.values(waits.events).reduce((a, b) => a + b, 0)),
      ).toBeGreaterThan(0);
      expect(sum(({ wal }) => wal?.bytes ?? 0)).toBeGreaterThan(1e5);
      const [sizes] = server.flatMap((sample) => (sample.sizes ? [sample.sizes] : []));
      expect(sizes?.tables.map(({ name: table }) => table)).toEqual(expect.arrayContaining(['tags', 'cpu']));
      for (const sample of server) expect(sample.atMs - sample.intervalMs).toBeGreaterThanOrEqual(0);
      expect(serverWatch).toMatchObject({
        limits: [],
        noStatements: expect.stringContaining('pg_stat_statements'),
      });
    });

    it('a queue that a second session makes is its wait event, with who holds the lock', async () => {
      const locker = await connectWhenThere();
      const { samples } = await loadWith(async (samples) => {
        await locker.open();
        await until('run.server', () => samples().some(({ blocked }) => blocked.length > 0));
        await locker.close();
      });
      const waiting = samples.find(({ blocked }) => blocked.length > 0);
      expect(waiting?.waits.events['Lock:relation']).toBeGreaterThan(0);
      expect(waiting?.blocked[0]).toMatchObject({ lock: 'relation', relation: 'cpu' });
      expect(waiting?.blocked[0]?.by).toContainEqual(
        expect.objectContaining({ application: 'second', state: 'idle in transaction' }),
      );
    });

    /** A session that locks the table out of the hands of the load. */
    async function connectWhenThere() {
      let session: Control | null = null;
      return {
        async open() {
          session = await connect('benchmark');
          await session.execute('BEGIN', never);
          await session.execute('LOCK TABLE cpu IN SHARE MODE', never);
        },
        async close() {
          await session?.execute('COMMIT', never);
          await session?.close();
        },
      };
    }

    it('a telemetry connection that is killed leaves a gap and comes again; the run goes on', async () => {
      const { run, series } = await loadWith(async (samples) => {
        await until('run.server', () => samples().length >= 1);
        await side.execute(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'benchberry-telemetry'`,
          never,
        );
        const again = () => bench.all('run.event').some(({ text }) => text === 'The server is watched again');
        await until('run.event', again);
        const before = samples().length;
        await until('run.server', () => samples().length > before);
      });
      expect(run).toMatchObject({ status: 'cancelled', error: null });
      const notes = series.events.map(({ text }) => text).filter((text) => text.startsWith('The server is'));
      expect(notes).toEqual([
        expect.stringMatching(
          /^The server is not watched until it answers again\. The connection to the server ended/,
        ),
        'The server is watched again',
      ]);
      const gaps = series.server
        .slice(1)
        .map(({ atMs, intervalMs }, i) => atMs - intervalMs - (series.server[i]?.atMs ?? 0));
      expect(Math.max(...gaps)).toBeGreaterThan(900);
      expect(new Set(series.server.flatMap(({ checkpoints }) => checkpoints.map(({ id }) => id))).size).toBe(
        series.server.flatMap(({ checkpoints }) => checkpoints.filter(({ state }) => state === 'done'))
          .length,
      );
    });

    it('a plan can leave the server alone', async () => {
      const { series } = await loadWith(() => bench.next('run.tick'), false);
      expect(series).toMatchObject({ server: [], serverWatch: null });
    });
  });
}

/** `checkpoint starting` and `checkpoint complete` of the log, with times as this log's prefix has them. */
function loggedCheckpoints(log: string) {
  const line =
    /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+) UTC.*LOG: {2}checkpoint (starting|complete: wrote (\d+) buffers)/;
  const found: { startedAt: number; endedAt: number; buffers: number }[] = [];
  let startedAt = Number.NaN;
  for (const text of log.split('\n')) {
    const [, time, what, buffers] = line.exec(text) ?? [];
    if (time === undefined) continue;
    const at = Date.parse(`${time.replace(' ', 'T')}Z`);
    if (what === 'starting') startedAt = at;
    else found.push({ startedAt, endedAt: at, buffers: Number(buffers) });
  }
  return found;
}

let folder: string;
telemetryOf(
  'the sandbox',
  async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'benchberry-telemetry-'));
    const endpoint = await sandboxDriver.resolve({}, null, { dataFolder: folder, signal: never });
    const log = path.join(folder, 'sandbox', 'server', 'log');
    return { driver: sandboxDriver, endpoint, log: () => readFileSync(log, 'utf8') };
  },
  async () => {
    await resetSandbox(folder);
    rmSync(folder, { recursive: true });
  },
);

if (noTestServer === null) {
  let server: TestServer;
  telemetryOf(
    'PostgreSQL from the system’s packages',
    async () => {
      server = await startTestServer({ settings: { log_checkpoints: 'on', log_timezone: 'UTC' } });
      const context = { dataFolder: '', signal: never };
      const endpoint = await postgresqlDriver.resolve(server.connection, server.password, context);
      const log = path.join(server.folder, 'log');
      return { driver: postgresqlDriver, endpoint, log: () => readFileSync(log, 'utf8') };
    },
    () => server.stop(),
  );

  it('a server with no connection left for it is measured all the same, and the run says so', async () => {
    // Ten, of which three are a superuser's: one controls the run, four load, and one more counts the rows.
    const small = await startTestServer({ settings: { max_connections: '10' } });
    small.psql(`CREATE ROLE loader LOGIN CREATEDB PASSWORD 'loads'`);
    const bench = testBench({});
    const connection = { ...small.connection, user: 'loader' };
    const endpoint = await postgresqlDriver.resolve(connection, 'loads', { dataFolder: '', signal: never });
    const load = { scale: 100, seed: 1, limit: 20_000, workers: 4, batchSize: 500, insertIntervals: '0.3' };
    const { id } = bench.runner.start(
      requestOf({ driver: postgresqlDriver, endpoint }, [{ 'tsbs.load': load }]),
    );
    expect(await bench.runner.ended(id)).toMatchObject({ status: 'finished', rows: 20_000 });
    const { events, server: samples } = bench.store.runs.series(id);
    expect(events.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(
        /^The server is not watched\. The server has no connection to spare for telemetry/,
      ),
    );
    expect(samples).toEqual([]);
    await bench.close();
    await small.stop();
  });
} else {
  describe.skip(`PostgreSQL from the system’s packages: ${noTestServer}`, () => undefined);
}

it('an engine that tells nothing is not asked', async () => {
  const bench = testBench();
  const { id } = bench.runner.start(request(fakeTarget(1000), [loadPhase(1000)]));
  expect(await bench.runner.ended(id)).toMatchObject({ status: 'finished' });
  expect(bench.store.runs.series(id)).toMatchObject({ server: [], serverWatch: null });
  await bench.close();
});
