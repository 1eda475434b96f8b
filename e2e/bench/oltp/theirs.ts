import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import type { Case } from './cases.ts';
import { database, type Place } from './place.ts';

/** What one run came to. */
export interface Measured {
  tps: number;
  meanMs: number;
  p95Ms: number;
  /** CPU of the client, user and system, for each transaction, µs. */
  cpuUs: number;
}

/** pgbench logs this share of its transactions: it has no percentiles of its own. */
const logged = 0.1;

/** One run of the real tool. @throws Error with what it printed where it did not end well */
export function runTheirs(
  place: Place,
  of: Case,
  tables: readonly string[],
  seconds: number,
  rate: number,
): Promise<Measured> {
  return of.tool === 'pgbench'
    ? pgbench(place, of, seconds, rate)
    : sysbench(place, of, tables, seconds, rate);
}

async function pgbench(
  place: Place,
  { clients, flags }: Case,
  seconds: number,
  rate: number,
): Promise<Measured> {
  const { host, port, user, password } = place.server;
  const folder = await mkdtemp(path.join(place.folder, 'log-'));
  try {
    const { out, cpuSeconds } = await timed(
      'pgbench',
      [
        ...['-h', host, '-p', String(port), '-U', user, '-n', '-c', String(clients), '-T', String(seconds)],
        // -P has it measure latencies; no line is due before the end.
        ...['-P', String(seconds * 10), '-l', '--log-prefix', path.join(folder, 'log')],
        ...[
          '--sampling-rate',
          String(logged),
          ...(rate > 0 ? ['-R', rate.toFixed(3)] : []),
          ...flags,
          database,
        ],
      ],
      { PGPASSWORD: password ?? '' },
    );
    const count = numberIn(out, /actually processed: (\d+)/);
    return {
      tps: numberIn(out, /^tps = ([\d.]+)/m),
      meanMs: numberIn(out, /^latency average = ([\d.]+)/m),
      p95Ms: (await loggedPercentile(folder, 0.95)) / 1000,
      cpuUs: (cpuSeconds * 1e6) / count,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Of the times in pgbench's transaction logs, µs: the third field of each line. */
async function loggedPercentile(folder: string, p: number): Promise<number> {
  const times: number[] = [];
  for (const file of await readdir(folder)) {
    for (const line of (await readFile(path.join(folder, file), 'utf8')).split('\n')) {
      const time = line.split(' ')[2];
      if (time !== undefined) times.push(Number(time));
    }
  }
  times.sort((a, b) => a - b);
  return times[Math.ceil(times.length * p) - 1] ?? Number.NaN;
}

async function sysbench(
  place: Place,
  { clients, flags }: Case,
  tables: readonly string[],
  seconds: number,
  rate: number,
): Promise<Measured> {
  const { host, port, user, password } = place.server;
  const { out, cpuSeconds } = await timed('sysbench', [
    ...['--db-driver=pgsql', `--pgsql-host=${host}`, `--pgsql-port=${port}`, `--pgsql-user=${user}`],
    ...[`--pgsql-password=${password ?? ''}`, `--pgsql-db=${database}`, ...tables],
    ...[`--threads=${clients}`, `--time=${seconds}`, ...(rate > 0 ? [`--rate=${Math.round(rate)}`] : [])],
    ...flags,
    'run',
  ]);
  const count = numberIn(out, /transactions: +(\d+)/);
  return {
    tps: numberIn(out, /transactions: +\d+ +\(([\d.]+) per sec/),
    meanMs: numberIn(out, /avg: +([\d.]+)/),
    p95Ms: numberIn(out, /95th percentile: +([\d.]+)/),
    cpuUs: (cpuSeconds * 1e6) / count,
  };
}

/** bash's `time` tells the CPU of a program that has ended; node does not. */
async function timed(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ out: string; cpuSeconds: number }> {
  const child = spawn('bash', ['-c', 'TIMEFORMAT="cpu %U %S"; time "$0" "$@"', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C', ...env },
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const cpu = /cpu ([\d.]+) ([\d.]+)/.exec(err);
  if (code !== 0 || cpu === null) throw new Error(`${program} ended with ${code}: ${out}${err}`);
  return { out, cpuSeconds: Number(cpu[1]) + Number(cpu[2]) };
}

function numberIn(printed: string, pattern: RegExp): number {
  const found = pattern.exec(printed)?.[1];
  if (found === undefined) throw new Error(`no ${pattern.source} in: ${printed}`);
  return Number(found);
}
