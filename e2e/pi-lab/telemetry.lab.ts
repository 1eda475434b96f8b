import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { askPostgres } from './askPostgres.ts';
import { startBenchberry } from './command.ts';
import { ensureRootFs } from './rootFs.ts';
import { until } from './shell.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

const headsSchema = z.array(z.object({ id: z.string(), startedAt: z.iso.datetime() }));
const shownSchema = z.object({
  phases: z.array(z.object({ rows: z.number(), verifiedRows: z.number().nullable() })),
  server: z.object({
    limits: z.array(z.unknown()),
    phases: z.array(
      z.object({
        waits: z.object({ samples: z.number(), waits: z.array(z.object({ event: z.string() })) }),
        totals: z.object({ walBytes: z.number() }),
        checkpoints: z.array(
          z.object({
            state: z.string(),
            reason: z.string().nullable(),
            startMs: z.number(),
            endMs: z.number(),
            buffers: z.number().nullable(),
          }),
        ),
      }),
    ),
  }),
});

let pi: VirtualPi;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'benchberry-lab-'));
  pi = await bootPi(151, await ensureRootFs((line) => process.stderr.write(`${line}\n`)));
});
afterAll(async () => {
  await pi?.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a look into TimescaleDB on a virtual Pi', () => {
  it('has a checkpoint that is forced in mid-run within a second of the log, and goes on over a lost connection', async () => {
    const load = {
      scale: 40,
      seed: 1,
      timestampStart: '2021-01-01T00:00:00Z',
      timestampEnd: '2021-01-01T12:00:00Z',
      batchSize: 1000,
      workers: 2,
      insertIntervals: '0.1',
    };
    const plan = join(folder, 'plan.yaml');
    await writeFile(
      plan,
      stringify({ version: 1, name: 'Watched', target: 'sandbox', steps: [{ 'tsbs.load': load }] }),
    );
    const running = benchberry('run', plan, '--target', pi.postgresUrl, '--quiet');
    await until('a telemetry connection', async () => {
      const [row] = await ask(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'benchberry-telemetry'",
      );
      return row ?? null;
    });
    await until('rows', async () => {
      const [row] = await ask('SELECT sum(n_tup_ins)::int AS n FROM pg_stat_user_tables', 'benchmark').catch(
        () => [],
      );
      return Number(row?.n) > 3000 ? row : null;
    });
    await ask('CHECKPOINT');
    // A second after it, so that what the server counted of it is read before.
    await ask('SELECT pg_sleep(1.5)');
    await ask(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'benchberry-telemetry'",
    );
    await running;

    const [head] = headsSchema.parse(JSON.parse(await benchberry('list', '--json')));
    const shown = shownSchema.parse(JSON.parse(await benchberry('show', head?.id ?? '', '--json')));
    const [phase] = shown.server.phases;
    expect(shown.phases[0]).toMatchObject({ rows: 40 * 4320, verifiedRows: 40 * 4320 });
    expect(phase?.waits.samples).toBeGreaterThan(20);
    expect(phase?.totals.walBytes).toBeGreaterThan(1e6);
    expect(shown.server.limits).toEqual([]);
    const forced = phase?.checkpoints.find(({ reason }) => reason === 'requested');
    const started = Date.parse(head?.startedAt ?? '');
    // One of our own for making the database may come before it.
    const logged = (await loggedCheckpoints()).map(({ startMs, endMs }) => [
      startMs - started,
      endMs - started,
    ]);
    const distances = logged.map(([start = Number.NaN, end = Number.NaN]) =>
      Math.max(
        Math.abs(start - (forced?.startMs ?? Number.NaN)),
        Math.abs(end - (forced?.endMs ?? Number.NaN)),
      ),
    );
    expect(Math.min(...distances)).toBeLessThanOrEqual(1000);
  });
});

/** `checkpoint starting` and `checkpoint complete` of the Pi's log, ms since 1970. */
async function loggedCheckpoints(): Promise<{ startMs: number; endMs: number }[]> {
  const log = await pi.exec('sh', '-c', 'cat /var/log/postgresql/postgresql-17-main.log');
  const found: { startMs: number; endMs: number }[] = [];
  let startMs = Number.NaN;
  for (const line of log.split('\n')) {
    const [, day, time, what] =
      /^(\S+) (\S+) (?:UTC|GMT) .*LOG: {2}checkpoint (starting|complete)/.exec(line) ?? [];
    if (what === undefined) continue;
    const at = Date.parse(`${day}T${time}Z`);
    if (what === 'starting') startMs = at;
    else found.push({ startMs, endMs: at });
  }
  return found;
}

const ask = (sql: string, database = 'postgres') => askPostgres(pi.postgresUrl, database, sql);

async function benchberry(...args: string[]): Promise<string> {
  return (await startBenchberry(args, { BENCHBERRY_DATA: join(folder, 'data') }).ended).output;
}
