import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '../../src-shared/model/run.ts';
import { noTestServer, type TestServer } from '../databases/testServer.ts';
import { realPgbench } from '../workloads/pgbench/testing/realPgbench.ts';
import type { TestApp } from './testApp.ts';
import { openServerApp, type ServerApp } from './testServerApp.ts';

const minute = 60_000;

/** client_id transaction_no time script_no time_epoch time_us schedule_lag retries */
const logLine =
  /^(\d+) (\d+) (\d+|skipped|failed|serialization|deadlock) (\d+) (\d{10}) (\d{1,6}) (\d+) (\d+)$/;

describe.skipIf(noTestServer !== null)(
  `pgbench’s log of transactions ${noTestServer ?? ''}`,
  { timeout: 3 * minute },
  () => {
    let bench: ServerApp;
    let server: TestServer;
    let app: TestApp;
    let targetId: string;

    beforeAll(async () => {
      bench = await openServerApp({ fsync: 'off' });
      ({ server, app, targetId } = bench);
      await run('pgbench -i b');
    }, 2 * minute);
    afterAll(() => bench.close());

    async function start(text: string): Promise<string> {
      const { plan, leftOut } = await app.api.call('plans.fromCommandLine', { text });
      expect(leftOut).toEqual([]);
      return (await app.api.call('runs.start', { plan, targetId })).id;
    }
    async function run(text: string): Promise<Run> {
      const done = await bench.ended(await start(text));
      expect(done.error).toBeNull();
      return done;
    }
    /** The lines of each file, in the order of the threads, found by what the run's notes say. */
    function logs({ phases: [phase] }: Run): { names: string[]; files: string[][] } {
      const note = phase?.notes.find((text) => text.startsWith('Log of single transactions'));
      const place = /in (\S+) of the data folder$/.exec(note ?? '')?.[1] ?? 'no place';
      const folder = path.join(app.folder, place);
      const names = readdirSync(folder).sort();
      if (process.platform !== 'win32')
        for (const name of names) expect(statSync(path.join(folder, name)).mode & 0o077).toBe(0);
      const files = names.map((name) =>
        readFileSync(path.join(folder, name), 'utf8').split('\n').slice(0, -1),
      );
      return { names, files };
    }
    const countOf = ({ phases: [phase] }: Run) => phase?.operations[0]?.count ?? 0;

    it('has a line for each transaction, in a file for each thread', async () => {
      const before = Date.now() / 1000;
      const done = await run('pgbench -n -c 4 -j 2 -t 100 -R 400 --max-tries=5 -l --log-prefix=mine b');
      const { names, files } = logs(done);
      expect(names).toEqual([`mine.${process.pid}`, `mine.${process.pid}.1`]);
      const lines = files.flat().map((line) => logLine.exec(line)?.slice(1).map(Number) ?? []);
      expect(lines).toHaveLength(400);
      expect(countOf(done)).toBe(400);
      for (const client of [0, 1, 2, 3]) {
        const numbers = lines.flatMap(([id, number]) => (id === client ? [number] : []));
        expect(numbers).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
      }
      const times = lines.map(([, , time = 0]) => time);
      const mean = times.reduce((a, b) => a + b) / times.length;
      const { mean: measured = 0 } = done.phases[0]?.operations[0]?.latencyUs ?? {};
      expect(Math.abs(mean / measured - 1)).toBeLessThan(0.005);
      for (const [, , time = 0, script, seconds = 0, , lag = 0] of lines) {
        expect(script).toBe(0);
        expect(time).toBeGreaterThanOrEqual(lag);
        expect(seconds).toBeGreaterThanOrEqual(Math.floor(before) - 1);
        expect(seconds).toBeLessThanOrEqual(Date.now() / 1000 + 1);
      }
    });

    it('samples the very transactions that pgbench itself does', async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'benchberry-pgbench-'));
      const line = '-n -S -t 1000 --random-seed=7 -l --sampling-rate=0.1';
      const prefix = path.join(folder, 'log');
      const theirs = await realPgbench(server, 'b', [...line.split(' '), `--log-prefix=${prefix}`]);
      expect(theirs).toMatchObject({ code: 0 });
      const [name = ''] = readdirSync(folder);
      const expected = readFileSync(path.join(folder, name), 'utf8').split('\n').slice(0, -1);
      rmSync(folder, { recursive: true });
      const { files } = logs(await run(`pgbench ${line} b`));
      const numbers = (lines: readonly string[]) => lines.map((text) => Number(text.split(' ')[1]));
      expect(numbers(files.flat())).toEqual(numbers(expected));
      // Six standard deviations of a binomial.
      expect(Math.abs(expected.length - 100)).toBeLessThan(57);
      const shape = (text = '') => text.split(' ').length;
      expect(shape(files[0]?.[0])).toBe(shape(expected[0]));
    });

    it('has sums of intervals where they are asked for', async () => {
      const done = await run('pgbench -n -S -c 2 -j 2 -T 4 -l --aggregate-interval=2 b');
      const { names, files } = logs(done);
      expect(names).toEqual([`pgbench_log.${process.pid}`, `pgbench_log.${process.pid}.1`]);
      let sum = 0;
      for (const lines of files) {
        const rows = lines.map((line) => line.split(' ').map(Number));
        // Intervals begin with the whole second before the start: four seconds hold one or two whole ones after it.
        expect(rows.length).toBeGreaterThanOrEqual(1);
        for (const [i, row] of rows.entries()) {
          expect(row).toHaveLength(15);
          const [from, count = 0, total = 0, squares = 0, least = 0, most = 0, ...others] = row;
          expect(from).toBe((rows[0]?.[0] ?? 0) + 2 * i);
          expect(others).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0]);
          expect(total).toBeGreaterThanOrEqual(least * count);
          expect(total).toBeLessThanOrEqual(most * count + 1);
          expect(squares).toBeGreaterThanOrEqual(((total * total) / Math.max(1, count)) * 0.999);
          sum += count;
        }
      }
      expect(sum).toBeGreaterThan(0);
      expect(sum).toBeLessThanOrEqual(countOf(done));
    });

    it('is whole when the run is stopped', async () => {
      const id = await start('pgbench -n -S -c 2 -T 600 -l b');
      await app.until('run.tick', ({ runId }) => runId === id);
      await app.api.call('runs.stop', { id });
      const done = await bench.ended(id);
      expect(done.status).toBe('cancelled');
      expect(countOf(done)).toBeGreaterThan(0);
      expect(logs(done).files.flat()).toHaveLength(countOf(done));
    });
  },
);
