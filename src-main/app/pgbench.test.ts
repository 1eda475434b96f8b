import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../src-shared/model/plan.ts';
import { noTestServer, type TestServer } from '../databases/testServer.ts';
import type { TestApp } from './testApp.ts';
import { openServerApp, type ServerApp } from './testServerApp.ts';

const minute = 60_000;

/** As people parse pgbench's lines, of any version since 9.6. */
const progressLine =
  /^progress: ([\d.]+) s, ([\d.]+) tps, lat ([\d.]+|NaN) ms stddev ([\d.]+|NaN)(?:, (\d+) failed)?(?:, lag ([\d.]+) ms)?(?:, (\d+) skipped)?(?:, (\d+) retried, (\d+) retries)?$/;
const figure = (text: string, label: string): number =>
  Number(new RegExp(`^${label}(?: =|:) (?:avg )?([\\d.]+)`, 'm').exec(text)?.[1]);

describe.skipIf(noTestServer !== null)(
  `pgbench, plan to report ${noTestServer ?? ''}`,
  { timeout: 3 * minute },
  () => {
    let bench: ServerApp;
    let server: TestServer;
    let app: TestApp;

    beforeAll(async () => {
      bench = await openServerApp({ fsync: 'off', deadlock_timeout: '20ms' });
      ({ server, app } = bench);
    }, minute);
    afterAll(() => bench.close());

    const run = (steps: Plan['steps']) => bench.run('pgbench', steps);

    it('a pasted line runs, keeps pgbench’s invariants, and its report adds up', async () => {
      const { plan } = await app.api.call('plans.fromCommandLine', {
        text: 'pgbench -i -s 3 b1; pgbench -c 4 -j 2 -T 4 -P 1 -r -M prepared b1',
      });
      const { run: done, text, lines } = await run(plan.steps);
      expect(done.error).toBeNull();
      const [init, transactions] = done.phases;
      expect(init).toMatchObject({ kind: 'initialize', rows: 300_033 });
      const count = transactions?.operations[0]?.count ?? 0;
      expect(count).toBeGreaterThan(0);
      expect(done.tps).toBe(transactions?.transactions?.tps);
      const [rows, delta, ...balances] = server
        .psql(
          `SELECT count(*), sum(delta), (SELECT sum(abalance) FROM pgbench_accounts),
          (SELECT sum(tbalance) FROM pgbench_tellers), (SELECT sum(bbalance) FROM pgbench_branches)
          FROM pgbench_history`,
          'b1',
        )
        .split('|')
        .map(Number);
      expect(rows).toBe(count);
      expect(balances).toEqual([delta, delta, delta]);

      expect(lines.slice(0, 3)).toEqual([
        'dropping old tables...',
        'creating tables...',
        'generating data (client-side)...',
      ]);
      expect(text).toMatch(/^300000 of 300000 tuples \(100%\) done \(elapsed [\d.]+ s, remaining 0.00 s\)$/m);
      expect(text).toMatch(
        /^done in [\d.]+ s \(drop tables [\d.]+ s, create tables [\d.]+ s, client-side generate [\d.]+ s, vacuum [\d.]+ s, primary keys [\d.]+ s\)\.$/m,
      );
      const progress = lines.flatMap((line) => progressLine.exec(line)?.slice(1, 5).map(Number) ?? []);
      expect(progress.length).toBeGreaterThanOrEqual(2 * 4);
      expect(progress[0]).toBeGreaterThanOrEqual(1);
      expect(text).toContain(
        'transaction type: <builtin: TPC-B (sort of)>\nscaling factor: 3\nquery mode: prepared\n',
      );
      expect(figure(text, 'number of clients')).toBe(4);
      expect(figure(text, 'number of threads')).toBe(2);
      expect(figure(text, 'number of transactions actually processed')).toBe(count);
      expect(text).toContain('number of failed transactions: 0 (0.000%)');
      const seconds = transactions?.seconds ?? 0;
      expect(figure(text, 'tps')).toBeCloseTo(count / seconds, 3);
      // Little's law: four clients are busy all the time.
      expect(figure(text, 'latency average')).toBeCloseTo((4000 * seconds) / count, -1);
      const commands = lines.flatMap(
        (line) => /^ {3} *(\d+\.\d{3}) {2} *(\d+) {2}(.*)$/.exec(line)?.[3] ?? [],
      );
      expect(commands).toHaveLength(11);
      expect(commands[4]).toBe('BEGIN;');
    });

    it('a rate is held; skipped, late and done slots are told, and no latency is below its lag', async () => {
      const { run: done, text } = await run([
        {
          'pgbench.run': {
            dbName: 'b1',
            scripts: [{ builtin: 'select-only' }],
            clients: 4,
            rate: 200,
            seconds: 5,
            latencyLimit: 50,
            progress: 2,
          },
        },
      ]);
      const figures = done.phases[0]?.transactions;
      const all = done.phases[0]?.operations[0];
      const slots = (all?.count ?? 0) + (figures?.skipped ?? 0);
      // A Poisson process: six standard deviations of 1,000 arrivals.
      expect(Math.abs(slots - 1000)).toBeLessThan(190);
      expect(figures?.lag?.meanUs).toBeLessThanOrEqual(all?.latencyUs?.mean ?? 0);
      expect(text).toContain('transaction type: <builtin: select only>');
      expect(figure(text, 'number of transactions skipped')).toBe(figures?.skipped);
      expect(figure(text, 'number of transactions above the 50.0 ms latency limit')).toBe(figures?.late);
      expect(figure(text, 'rate limit schedule lag')).toBeCloseTo((figures?.lag?.meanUs ?? 0) / 1000, 2);
      expect(figure(text, 'latency average')).toBeCloseTo((all?.latencyUs?.mean ?? 0) / 1000, 2);
    });

    it('a turn that is skipped counts to the script that was drawn for it', async () => {
      const { run: done, text } = await run([
        { 'pgbench.init': { dbName: 'skips' } },
        {
          'pgbench.run': {
            ...{ clients: 1, rate: 20_000, seconds: 2, latencyLimit: 1, noVacuum: true },
            scripts: [
              { builtin: 'select-only', weight: 3 },
              { builtin: 'simple', weight: 1 },
            ],
          },
        },
      ]);
      const { skipped = 0, scripts = [] } = done.phases[1]?.transactions ?? {};
      expect(skipped).toBeGreaterThan(1000);
      const [first, second] = scripts.map((script) => script.skipped);
      expect((first ?? 0) + (second ?? 0)).toBe(skipped);
      // Six standard deviations of a binomial, p = 1/4.
      expect(Math.abs((second ?? 0) - skipped / 4)).toBeLessThan(6 * Math.sqrt((skipped * 3) / 16));
      expect(text.match(/^ - number of transactions skipped: [1-9]/gm)).toHaveLength(2);
    });

    it('scripts of one’s own with weights are told one by one', async () => {
      const { run: done, text } = await run([
        {
          'pgbench.run': {
            ...{ dbName: 'b1', clients: 2, transactions: 200, noVacuum: true },
            scripts: [
              { name: 'read.sql', text: '\\set aid random(1, 100000)\nSELECT 1 WHERE :aid > 0;', weight: 3 },
              { builtin: 'simple', weight: 1 },
            ],
          },
        },
      ]);
      expect(text).toContain('transaction type: multiple scripts\n');
      expect(text).toContain('number of transactions actually processed: 400/400\n');
      const counts = [...text.matchAll(/^ - (\d+) transactions \(([\d.]+)% of total, tps = ([\d.]+)\)$/gm)];
      expect(counts.reduce((sum, [, n]) => sum + Number(n), 0)).toBe(400);
      expect(text).toContain('SQL script 1: read.sql\n - weight: 3 (targets 75.0% of total)\n');
      expect(text).toContain(
        'SQL script 2: <builtin: simple update>\n - weight: 1 (targets 25.0% of total)\n',
      );
      expect(done.phases[0]?.operations.map(({ name }) => name).slice(1)).toEqual([
        'read.sql',
        '<builtin: simple update>',
      ]);
    });

    it('failures are told by kind, retries per command', async () => {
      const text = [
        'BEGIN ISOLATION LEVEL SERIALIZABLE;',
        'SELECT sum(bbalance) AS sum FROM pgbench_branches \\gset',
        'UPDATE pgbench_branches SET bbalance = bbalance + 1 WHERE bid = 1;',
        'END;',
      ].join('\n');
      const { run: done, text: told } = await run([
        {
          'pgbench.run': {
            ...{ dbName: 'b1', clients: 4, transactions: 50, noVacuum: true, maxTries: 2 },
            ...{ failuresDetailed: true, reportPerCommand: true },
            scripts: [{ name: 'serializable.sql', text }],
          },
        },
      ]);
      const figures = done.phases[0]?.transactions;
      expect(figures?.failed).toBeGreaterThan(0);
      expect(figures?.failures).toEqual({ '40001': figures?.failed });
      expect(figures?.conflicts['40001']).toBe((figures?.failed ?? 0) + (figures?.retries ?? 0));
      expect(figure(told, 'number of transactions actually processed') + (figures?.failed ?? 0)).toBe(200);
      expect(figure(told, 'number of serialization failures')).toBe(figures?.failed);
      expect(figure(told, 'number of deadlock failures')).toBe(0);
      expect(figure(told, 'total number of retries')).toBe(figures?.retries);
      const commands = [...told.matchAll(/^ {3} *[\d.]+ {2} *(\d+) {2} *(\d+) {2}.*$/gm)];
      expect(commands).toHaveLength(4);
      const sum = (column: number) => commands.reduce((total, row) => total + Number(row[column]), 0);
      expect([sum(1), sum(2)]).toEqual([figures?.failed, figures?.retries]);
    });

    it('tables that are not Benchberry’s are not replaced unless the plan says so', async () => {
      server.psql('CREATE DATABASE others');
      server.psql('CREATE TABLE pgbench_tellers (precious text)', 'others');
      const refused = await run([{ 'pgbench.init': { dbName: 'others' } }]);
      expect(refused.run.error).toMatchObject({ code: 'database-not-ours' });
      expect(server.psql('SELECT count(*) FROM pgbench_tellers', 'others')).toBe('0');
      const replaced = await run([{ 'pgbench.init': { dbName: 'others', replaceTables: true } }]);
      expect(replaced.run.error).toBeNull();
      expect(server.psql('SELECT count(*) FROM pgbench_tellers', 'others')).toBe('10');
      // They are ours now, and may be made anew.
      expect((await run([{ 'pgbench.init': { dbName: 'others' } }])).run.error).toBeNull();
    });
  },
);
