import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresqlDriver } from '../databases/postgresql/index.ts';
import { accountFor, noTestServer, startTestServer, type TestServer } from '../databases/testServer.ts';
import { testBench } from './testBench.ts';
import { requestOf } from './testRequest.ts';

const serverTests = noTestServer === null ? describe : describe.skip;
const minutes = 60_000;
const init = { dbName: 'oltp', scale: 1 };

serverTests('transactions on a real server', () => {
  let bench: ReturnType<typeof testBench>;
  let server: TestServer;
  beforeAll(async () => {
    bench = testBench({});
    server = await startTestServer();
    await run([{ 'pgbench.init': init }]);
  }, 3 * minutes);
  afterAll(async () => {
    await bench.close();
    await server.stop();
  });

  const plan = (steps: Record<string, unknown>[]) =>
    requestOf(steps, {
      targetName: 'a server',
      driver: postgresqlDriver,
      resolve: () =>
        postgresqlDriver.resolve(server.connection, server.password, {
          dataFolder: '',
          signal: new AbortController().signal,
        }),
    });
  async function run(steps: Record<string, unknown>[]) {
    const { id } = bench.runner.start(plan(steps));
    return ended(id);
  }
  async function ended(id: string) {
    await bench.runner.ended(id);
    const stored = bench.store.runs.get(id);
    if (stored === null) throw new Error('the run is stored');
    return { run: stored, ticks: bench.store.runs.series(id).ticks };
  }
  /** Starts transactions without an end; resolves when a tick with some of them is stored. */
  async function underWay(parameters: Record<string, unknown> = {}) {
    const { id } = bench.runner.start(
      plan([{ 'pgbench.run': { dbName: 'oltp', clients: 6, seconds: 3600, ...parameters } }]),
    );
    const begun = () =>
      bench.all('run.tick').some((tick) => tick.runId === id && (tick.operations[0]?.count ?? 0) > 0);
    const over = () => bench.all('run.changed').some(({ head, final }) => final && head.id === id);
    while (!begun()) {
      if (over()) throw new Error(JSON.stringify(bench.store.runs.get(id)?.error));
      await Promise.race([bench.next('run.tick'), bench.next('run.changed')]);
    }
    return id;
  }
  const sum = (ticks: Awaited<ReturnType<typeof ended>>['ticks']) =>
    ticks.reduce((all, tick) => all + (tick.transactions ? (tick.operations[0]?.count ?? 0) : 0), 0);

  it(
    'make their tables, run, and come out as history has it',
    async () => {
      const { run: done, ticks } = await run([
        { 'pgbench.init': init },
        { 'pgbench.run': { clients: 3, transactions: 40, reportPerCommand: true } },
      ]);
      expect(done.error).toBeNull();
      const [made, phase] = done.phases;
      expect(made).toMatchObject({ kind: 'initialize', rows: 100_011, plannedRows: 100_011 });
      expect(made?.operations.map(({ name }) => name)).toEqual([
        'drop tables',
        'create tables',
        'client-side generate',
        'vacuum',
        'primary keys',
      ]);
      expect(phase).toMatchObject({ kind: 'transactions', workers: 3 });
      // Making the tables draws nothing: the run's seed is that of its transactions.
      expect(done.seed).toBeGreaterThan(0);
      expect(done.resolvedSteps[1]?.parameters.randomSeed).toBe(done.seed);
      expect(phase?.operations[0]).toMatchObject({ name: 'transactions', count: 120, errors: 0 });
      expect(phase?.transactions).toMatchObject({ clients: 3, failed: 0, reads: 120, facts: { scale: 1 } });
      expect(phase?.transactions?.statements).toHaveLength(11);
      expect(done.tps).toBe(phase?.transactions?.tps);
      expect(done.p99Us).toBe(phase?.operations[0]?.latencyUs?.p99);
      expect(sum(ticks)).toBe(120);
      expect(ticks.some((tick) => tick.making)).toBe(true);
      const [rows, deltas, accounts, branches] = server
        .psql(
          `SELECT count(*), sum(delta), (SELECT sum(abalance) FROM pgbench_accounts), (SELECT sum(bbalance) FROM pgbench_branches) FROM pgbench_history`,
          'oltp',
        )
        .split('|');
      expect(rows).toBe('120');
      expect(accounts).toBe(deltas);
      expect(branches).toBe(deltas);
    },
    5 * minutes,
  );

  it(
    'never replace tables that somebody else made, unless told to; then they are ours',
    async () => {
      server.psql('CREATE DATABASE theirs');
      server.psql('CREATE TABLE pgbench_accounts (mine text)', 'theirs');
      const refused = await run([{ 'pgbench.init': { ...init, dbName: 'theirs' } }]);
      expect(refused.run.status).toBe('failed');
      expect(refused.run.error).toMatchObject({
        code: 'database-not-ours',
        message: 'The table pgbench_accounts exists and was not made by Benchberry',
      });
      expect(server.psql('SELECT count(*) FROM pgbench_accounts', 'theirs')).toBe('0');
      const told = await run([{ 'pgbench.init': { ...init, dbName: 'theirs', replaceTables: true } }]);
      expect(told.run.status).toBe('finished');
      // now they carry the mark
      const again = await run([{ 'pgbench.init': { ...init, dbName: 'theirs' } }]);
      expect(again.run.status).toBe('finished');
    },
    5 * minutes,
  );

  it(
    'go on with the clients that are left when backends are killed, and say so',
    async () => {
      const id = await underWay();
      const killed = server.psql(
        `SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity WHERE application_name = 'benchberry-load' ORDER BY pid LIMIT 3) AS half`,
      );
      expect(killed).toBe('3');
      const fewer = () =>
        bench.all('run.tick').some((tick) => tick.runId === id && tick.transactions?.clients === 3);
      while (!fewer()) await bench.next('run.tick');
      await bench.runner.stop(id);
      const { run: done, ticks } = await ended(id);
      expect(done.status).toBe('cancelled');
      expect(done.phases[0]?.transactions).toMatchObject({ clients: 6, endedClients: 3 });
      expect(done.verdicts.map(({ code }) => code)).toContain('errors');
      expect(sum(ticks)).toBe(done.phases[0]?.operations[0]?.count);
      const events = bench.store.runs.series(id).events.filter(({ kind }) => kind === 'error');
      expect(events.filter(({ text }) => text.includes('administrator command'))).toHaveLength(3);
    },
    5 * minutes,
  );

  it(
    'fail when the server is restarted: all that was done and every tick is kept',
    async () => {
      const id = await underWay();
      await server.end('shutdown');
      await server.start();
      const { run: done, ticks } = await ended(id);
      expect(done.status).toBe('failed');
      expect(done.error).toMatchObject({ code: 'connection-lost' });
      const [phase] = done.phases;
      expect(phase?.transactions?.endedClients).toBe(6);
      expect(phase?.operations[0]?.count).toBeGreaterThan(0);
      expect(sum(ticks)).toBe(phase?.operations[0]?.count);
      // what was told as done is in the database
      const stored = Number(server.psql('SELECT count(*) FROM pgbench_history', 'oltp'));
      expect(stored).toBeGreaterThanOrEqual(phase?.operations[0]?.count ?? Number.POSITIVE_INFINITY);
    },
    5 * minutes,
  );

  it(
    'are stopped at the end of those under way',
    async () => {
      const id = await underWay();
      await bench.runner.stop(id);
      const { run: done } = await ended(id);
      expect(done.status).toBe('cancelled');
      expect(done.phases[0]?.operations[0]?.errors).toBe(0);
      const stored = Number(server.psql('SELECT count(*) FROM pgbench_history', 'oltp'));
      const told = done.phases[0]?.operations[0]?.count ?? Number.NaN;
      expect(stored).toBeGreaterThanOrEqual(told);
      // on a machine that stands still for seconds those under way are given up
      expect(stored).toBeLessThanOrEqual(told + 6);
      const left = `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'benchberry-load'`;
      expect(server.psql(left)).toBe('0');
    },
    5 * minutes,
  );

  it(
    'fail when the disk is full, with that as the reason',
    async (test) => {
      const small = path.join(server.folder, 'small');
      mkdirSync(small);
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', small], { stdio: 'pipe' });
      } catch {
        return test.skip('needs root on Linux that may mount file systems');
      }
      try {
        const account = accountFor();
        if (account) chownSync(small, account.uid, account.gid);
        server.psql(`CREATE TABLESPACE small LOCATION '${small}'`);
        server.psql(`CREATE DATABASE full_disk`);
        const made = await run([{ 'pgbench.init': { ...init, dbName: 'full_disk' } }]);
        expect(made.run.status).toBe('finished');
        server.psql(
          'ALTER TABLE pgbench_history SET TABLESPACE small; ALTER TABLE pgbench_history ADD filling text DEFAULT repeat(md5(random()::text), 40)',
          'full_disk',
        );
        const { run: done, ticks } = await run([
          { 'pgbench.run': { dbName: 'full_disk', clients: 4, seconds: 3600, noVacuum: true } },
        ]);
        expect(done.status).toBe('failed');
        expect(done.error).toMatchObject({ code: 'disk-full' });
        expect(done.phases[0]?.operations[0]?.count).toBeGreaterThan(0);
        expect(sum(ticks)).toBe(done.phases[0]?.operations[0]?.count);
      } finally {
        server.psql('DROP DATABASE IF EXISTS full_disk');
        server.psql('DROP TABLESPACE IF EXISTS small');
        execFileSync('umount', ['-l', small], { stdio: 'pipe' });
      }
    },
    10 * minutes,
  );
});
