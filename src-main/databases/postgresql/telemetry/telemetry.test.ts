import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Checkpoint, ServerSample } from '../../../../src-shared/model/telemetry.ts';
import type { Endpoint } from '../../driver.ts';
import { noTestServer, startTestServer, type TestServer } from '../../testServer.ts';
import { dialledFrom } from '../connection.ts';
import { Control } from '../control.ts';
import { postgresqlDriver as driver } from '../index.ts';
import { openTelemetry } from './index.ts';

const { signal } = new AbortController();
const context = { dataFolder: '', signal };

/** Told whole; it may have been seen while it was on. */
const isForced = ({ state, reason }: Checkpoint) => state === 'done' && reason === 'requested';

/** What holds of every version, by whoever is let in. */
function telemetryOf(name: string, open: () => Promise<Endpoint>, close: () => Promise<void>): void {
  describe(name, () => {
    let endpoint: Endpoint;
    let plain: Endpoint;
    let side: Control;
    beforeAll(async () => {
      endpoint = await open();
      side = await Control.open(dialledFrom(endpoint), 'postgres', signal);
      await side.execute(`DROP ROLE IF EXISTS benchberry_plain`, signal);
      await side.execute(`CREATE ROLE benchberry_plain LOGIN PASSWORD 'plain'`, signal);
      plain = await driver.resolve(
        { ...endpoint.connection, password: undefined, user: 'benchberry_plain' },
        'plain',
        context,
      );
    });
    afterAll(async () => {
      await side.execute('DROP ROLE benchberry_plain', signal);
      await side.close();
      await close();
    });

    /** Samples from `from` on, until this holds of them. */
    async function watched(
      from: Endpoint,
      beside: () => Promise<void>,
      until: (samples: readonly ServerSample[]) => boolean,
    ) {
      const telemetry = await openTelemetry(from, 'postgres', signal);
      const stop = new AbortController();
      const samples: ServerSample[] = [];
      const start = Date.now();
      const over = telemetry.watch(
        () => Date.now() - start,
        (sample) => {
          samples.push(sample);
          if (until(samples)) stop.abort();
        },
        stop.signal,
      );
      await beside();
      await over;
      await telemetry.close();
      return { samples, start, limits: telemetry.limits };
    }

    for (const who of ['a superuser', 'a plain user'])
      it(`finds a checkpoint, and what sessions of the run wait for, as ${who}`, async () => {
        const from = who === 'a superuser' ? endpoint : plain;
        const load = await driver.openReader(from, 'postgres', signal);
        let asked = 0;
        const { samples, start, limits } = await watched(
          from,
          async () => {
            // The advisory lock is one that any user may wait for.
            await side.execute('SELECT pg_advisory_lock(4711)', signal);
            const waiting = load.run({ text: 'SELECT pg_advisory_lock(4711)' }, signal);
            asked = Date.now();
            await side.execute('CHECKPOINT', signal);
            await side.execute('SELECT pg_sleep(1.5)', signal);
            await side.execute('SELECT pg_advisory_unlock(4711)', signal);
            await waiting;
          },
          (all) =>
            all.some(({ checkpoints }) => checkpoints.some(isForced)) &&
            all.some(({ blocked }) => blocked.length > 0) &&
            all.length >= 3,
        );
        await load.close();
        const done = samples.flatMap(({ checkpoints }) => checkpoints).find(isForced);
        // It began when it was asked for; whole seconds of the control file and a busy machine are all that lies between.
        expect((done?.startMs ?? Number.NaN) + start).toBeGreaterThan(asked - 1000);
        expect((done?.startMs ?? Number.NaN) + start).toBeLessThan(asked + 2000);
        const found = samples.find(({ blocked }) => blocked.length > 0);
        expect(found?.blocked[0]).toMatchObject({ lock: 'advisory', relation: null, by: [{}] });
        expect(found?.waits.events['Lock:advisory']).toBeGreaterThan(0);
        expect(limits.length > 0).toBe(who === 'a plain user');
        for (const { wal, database } of samples) expect([wal, database]).not.toContain(null);
      });
  });
}

if (noTestServer === null) {
  let server: TestServer;
  telemetryOf(
    'PostgreSQL from the system’s packages',
    async () => {
      server = await startTestServer({ settings: { shared_preload_libraries: 'pg_stat_statements' } });
      return driver.resolve(server.connection, server.password, context);
    },
    () => server.stop(),
  );

  describe('statements', () => {
    let endpoint: Endpoint;
    beforeAll(async () => {
      server = await startTestServer({ settings: { shared_preload_libraries: 'pg_stat_statements' } });
      endpoint = await driver.resolve(server.connection, server.password, context);
    });
    afterAll(() => server.stop());

    it('are none where the database lacks the extension, with what is missing', async () => {
      const telemetry = await openTelemetry(endpoint, 'postgres', signal);
      expect(telemetry.noStatements).toMatch(/pg_stat_statements is not in the database postgres/);
      expect(await telemetry.statements(signal)).toEqual(new Map());
      await telemetry.close();
    });

    it('are counted and named, its own left out', async () => {
      server.psql('CREATE SCHEMA "odd ""name"; CREATE EXTENSION pg_stat_statements SCHEMA "odd ""name"');
      const telemetry = await openTelemetry(endpoint, 'postgres', signal);
      expect(telemetry.noStatements).toBeNull();
      for (let i = 0; i < 3; i += 1) server.psql(`SELECT ${i} AS marked_by_the_test`);
      const counts = await telemetry.statements(signal);
      const texts = await telemetry.statementTexts([...counts.keys()], signal);
      const [id] = [...texts].find(([, text]) => text.includes('marked_by_the_test')) ?? [];
      expect(texts.get(id ?? '')).toBe('SELECT $1 AS marked_by_the_test');
      expect(counts.get(id ?? '')).toMatchObject({ calls: 3, rows: 3 });
      expect([...texts.values()].filter((text) => text.includes('pg_stat_statements('))).toEqual([]);
      await telemetry.close();
    });
  });
} else {
  describe.skip(`PostgreSQL from the system’s packages: ${noTestServer}`, () => undefined);
}

const url = process.env.BENCHBERRY_TEST_PG_URL;
if (url !== undefined) {
  telemetryOf(
    'the server of BENCHBERRY_TEST_PG_URL',
    async () => {
      const parsed = driver.parseUrl(url);
      if (parsed === null) throw new Error('BENCHBERRY_TEST_PG_URL is not a postgresql:// URL');
      return driver.resolve(parsed.connection, parsed.secret, context);
    },
    async () => undefined,
  );
}
