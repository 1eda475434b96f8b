import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../src-shared/model/plan.ts';
import { noTestServer, type TestServer } from '../databases/testServer.ts';
import type { TestApp } from './testApp.ts';
import { openServerApp, type ServerApp } from './testServerApp.ts';

const minute = 60_000;

/** As people parse sysbench's lines. */
const intervalLine =
  /^\[ (\d+)s \] thds: (\d+) tps: ([\d.]+) qps: ([\d.]+) \(r\/w\/o: ([\d.]+)\/([\d.]+)\/([\d.]+)\) lat \(ms,(\d+)%\): ([\d.]+) err\/s:? ([\d.]+) reconn\/s: ([\d.]+)$/;

describe.skipIf(noTestServer !== null)(
  `sysbench, plan to report ${noTestServer ?? ''}`,
  { timeout: 3 * minute },
  () => {
    let bench: ServerApp;
    let server: TestServer;
    let app: TestApp;
    let targetId: string;

    beforeAll(async () => {
      bench = await openServerApp({ fsync: 'off', deadlock_timeout: '20ms' });
      ({ server, app, targetId } = bench);
    }, minute);
    afterAll(() => bench.close());

    const run = (steps: Plan['steps'], meanwhile?: (id: string) => Promise<void>) =>
      bench.run('sysbench', steps, meanwhile);
    const figure = (text: string, label: string): number => {
      const found = new RegExp(`^ *${label}: +(\\d+(?:\\.\\d+)?)`, 'm').exec(text);
      return Number(found?.[1]);
    };

    it('a run keeps sysbench’s invariants, and its report adds up', async () => {
      const {
        run: done,
        text,
        lines,
      } = await run([
        { 'sysbench.prepare': { tables: 2, tableSize: 500 } },
        { 'sysbench.run': { threads: 4, time: 4, reportInterval: 1, percentile: 99, histogram: true } },
      ]);
      expect(done.error).toBeNull();
      const [prepare, transactions] = done.phases;
      expect(prepare).toMatchObject({ kind: 'initialize', rows: 1000 });
      const figures = transactions?.transactions;
      const events = transactions?.operations[0]?.count ?? 0;
      expect(events).toBeGreaterThan(0);
      const conflicts = Object.values(figures?.conflicts ?? {}).reduce((sum, n) => sum + n, 0);
      // Each was begun again, but for those of the last moment.
      expect(conflicts - (figures?.retries ?? 0)).toBeGreaterThanOrEqual(0);
      expect(conflicts - (figures?.retries ?? 0)).toBeLessThanOrEqual(4);
      // Every delete has its insert, whatever was begun again.
      expect(server.psql('SELECT count(*) FROM sbtest1', 'sbtest')).toBe('500');
      expect(server.psql('SELECT count(*) FROM sbtest2', 'sbtest')).toBe('500');
      // 14 reads an event, more where tries failed, whose reads stay counted.
      const reads = figures?.reads ?? 0;
      expect(reads).toBeGreaterThanOrEqual(14 * events);
      expect(reads).toBeLessThanOrEqual(14 * (events + conflicts));

      expect(text).toContain(`Inserting 500 records into 'sbtest2'`);
      expect(text).toContain('Report intermediate results every 1 second(s)');
      const intervals = lines.flatMap((line) => intervalLine.exec(line)?.slice(1).map(Number) ?? []);
      expect(intervals.length / 11).toBeGreaterThanOrEqual(3);
      const [seconds, threads, tps, qps = 0, r = 0, w = 0, o = 0, percent] = intervals;
      expect([seconds, threads, percent]).toEqual([1, 4, 99]);
      expect(tps).toBeGreaterThan(0);
      expect(Math.abs(r + w + o - qps)).toBeLessThan(0.05);
      expect(figure(text, 'read')).toBe(reads);
      expect(figure(text, 'total')).toBe(
        figure(text, 'read') + figure(text, 'write') + figure(text, 'other'),
      );
      expect(figure(text, 'transactions')).toBe(events);
      expect(figure(text, 'ignored errors')).toBe(conflicts);
      expect(figure(text, 'total number of events')).toBe(events);
      expect(figure(text, 'avg') * events).toBeCloseTo(figure(text, 'sum'), -2);
      // The histogram holds every event, and the percentile is a value of it.
      const buckets = [...text.matchAll(/^ *(\d+\.\d{3}) \|\** +(\d+)$/gm)].map(([, ms, n]) => [
        Number(ms),
        Number(n),
      ]);
      expect(buckets.reduce((sum, [, n = 0]) => sum + n, 0)).toBe(events);
      // Printed to 0.01 ms, the buckets to 0.001: half of the one, and what binary fractions add to it.
      const nth = figure(text, '99th percentile');
      expect(buckets.some(([ms = 0]) => Math.abs(ms - nth) < 0.0051)).toBe(true);
    });

    it('a number of events and a rate are kept; what a rate makes wait counts', async () => {
      const { run: done, text } = await run([
        {
          'sysbench.run': {
            script: 'oltp_point_select',
            tables: 2,
            tableSize: 500,
            threads: 2,
            events: 200,
            rate: 400,
            time: 0,
          },
        },
      ]);
      expect(done.error).toBeNull();
      expect(text).toContain('Target transaction rate: 400/sec');
      expect(figure(text, 'total number of events')).toBe(200);
      const [operation] = done.phases[0]?.operations ?? [];
      expect(operation?.latencyUs?.mean ?? 0).toBeGreaterThanOrEqual(operation?.serviceUs?.mean ?? 1);
      // 200 arrivals at 400 a second take half a second; a Poisson process of 200 strays from it by 7 %.
      expect(done.phases[0]?.seconds).toBeGreaterThan(0.3);
    });

    it('a check looks at the tables and touches none', async () => {
      const check = async (steps: Plan['steps']) => {
        const plan: Plan = { version: 1, name: 'sysbench', target: 'server', steps, repeat: 1 };
        const { ok, items } = await app.api.call('plans.check', { plan, targetId });
        return { ok, last: items.at(-1) };
      };
      server.psql('CREATE DATABASE checked');
      server.psql('CREATE TABLE sbtest1 (kept int)', 'checked');
      const refused = await check([{ 'sysbench.prepare': { dbName: 'checked' } }]);
      expect(refused).toMatchObject({ ok: false, last: { title: 'Look for tables in checked' } });
      expect(refused.last?.detail).toContain('was not made by Benchberry');
      const replaced = await check([{ 'sysbench.prepare': { dbName: 'checked', replaceTables: true } }]);
      expect(replaced.last?.detail).toBe('1 table will be dropped: sbtest1');
      const fresh = await check([{ 'sysbench.prepare': { dbName: 'nowhere' } }, { 'sysbench.run': {} }]);
      expect(fresh).toMatchObject({
        ok: true,
        last: { detail: 'there is no such database yet: it will be made' },
      });
      expect(await check([{ 'sysbench.run': { dbName: 'nowhere' } }])).toMatchObject({ ok: false });
      expect(await check([{ 'sysbench.run': { dbName: 'checked', threads: 3 } }])).toMatchObject({
        ok: true,
        last: {
          title: 'Open checked for transactions',
          detail: 'one connection, as each of 3 clients will have',
        },
      });
      expect(server.psql("SELECT to_regclass('sbtest1') IS NOT NULL", 'checked')).toBe('t');
    });

    it('tables that are missing are named before anything runs', async () => {
      const { run: done } = await run([{ 'sysbench.run': { tables: 3, time: 1 } }]);
      expect(done).toMatchObject({
        status: 'failed',
        error: { code: 'bad-input', message: 'There is no table sbtest3 in the database sbtest' },
      });
    });

    it('tables of others are left alone unless the plan says so; one’s own are made anew', async () => {
      server.psql('CREATE DATABASE theirs');
      server.psql('CREATE TABLE sbtest1 (kept int); INSERT INTO sbtest1 VALUES (7)', 'theirs');
      const prepare = { dbName: 'theirs', tables: 1, tableSize: 10 };
      const { run: refused } = await run([{ 'sysbench.prepare': prepare }]);
      expect(refused.error).toMatchObject({ code: 'database-not-ours' });
      expect(server.psql('SELECT kept FROM sbtest1', 'theirs')).toBe('7');
      const { run: cleanup } = await run([{ 'sysbench.cleanup': { dbName: 'theirs' } }]);
      expect(cleanup.error).toMatchObject({ code: 'database-not-ours' });

      await run([{ 'sysbench.prepare': { ...prepare, replaceTables: true } }]);
      await run([{ 'sysbench.prepare': { ...prepare, tableSize: 20 } }]);
      expect(server.psql('SELECT count(*) FROM sbtest1', 'theirs')).toBe('20');
      const { run: cleaned, text } = await run([{ 'sysbench.cleanup': { dbName: 'theirs' } }]);
      expect(cleaned.error).toBeNull();
      expect(text).toContain("Dropping table 'sbtest1'...");
      expect(server.psql("SELECT to_regclass('sbtest1') IS NULL", 'theirs')).toBe('t');
    });

    it('connections that the server ends in mid-run end it, with all that was measured', async () => {
      const half = `SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity
      WHERE application_name = 'benchberry-load' ORDER BY pid LIMIT 2) AS chosen`;
      const { run: done, text } = await run(
        [
          { 'sysbench.prepare': { tableSize: 500 } },
          { 'sysbench.run': { script: 'oltp_read_only', threads: 4, time: 600, reportInterval: 1 } },
        ],
        async (id) => {
          const { phase } = await app.until(
            'run.tick',
            (tick) => tick.runId === id && (tick.transactions?.reads ?? 0) > 0,
          );
          expect(phase).toBe(1);
          expect(server.psql(half)).toBe('2');
        },
      );
      expect(done).toMatchObject({ status: 'failed', error: { code: 'connection-lost' } });
      const events = done.phases[1]?.operations[0]?.count ?? 0;
      expect(events).toBeGreaterThan(0);
      const { ticks } = await app.api.call('runs.series', { id: done.id });
      const own = ticks.filter(({ phase }) => phase === 1);
      expect(own.reduce((sum, { operations }) => sum + (operations[0]?.count ?? 0), 0)).toBe(events);
      expect(figure(text, 'total number of events')).toBe(events);
      expect(text).toMatch(/^\[ \d+s \] thds: /m);
    });

    it('any other refusal of the server ends the run and is told', async () => {
      const { run: done } = await run([
        { 'sysbench.prepare': { dbName: 'odd', tableSize: 100 } },
        // The tables are not those of 0.4: its own name is missing.
        { 'sysbench.run': { dbName: 'odd', sysbenchVersion: '0.4', tables: 1, time: 2 } },
      ]);
      expect(done.error?.message).toBe('There is no table sbtest in the database odd');
      server.psql('ALTER TABLE sbtest1 DROP COLUMN k', 'odd');
      const { run: broken } = await run([{ 'sysbench.run': { dbName: 'odd', time: 5 } }]);
      expect(broken).toMatchObject({ status: 'failed', error: { code: 'server-error' } });
      expect(broken.error?.detail).toContain('42703');
    });
  },
);
