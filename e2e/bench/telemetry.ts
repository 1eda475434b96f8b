import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { type Endpoint, loadApplicationName } from '../../src-main/databases/driver.ts';
import { resetSandbox, sandboxDriver } from '../../src-main/databases/sandbox/index.ts';
import type { Telemetry } from '../../src-main/databases/telemetry.ts';
import { mean, median } from '../../src-shared/stats/robust.ts';
import { setApart } from './apart.ts';
import type { BenchResult, Suite } from './bench.ts';

/**
 * What it costs the server to be watched: real pgbench runs without a pause, while the telemetry is on and off in turn for
 * some seconds each. Neighbours in time are compared, since a machine's rate wanders over minutes by more than it costs.
 * The goals fail where a loss of more than 1 % is shown: on a machine with other work TPS wanders by far more, and CPU, its
 * own and a transaction's, says more.
 */
export const telemetrySuite: Suite = {
  name: 'telemetry',
  about: 'TPS of pgbench with and without telemetry, in turn; CPU of its server process',
  run: benchTelemetry,
};

const clients = 10;
const blockSeconds = 4;
/** Of each block the first second is left out: what is on its way belongs to the block before. */
const leftOut = 1;
const pairs = 30;
const kinds = [
  { name: 'tpcb-like', flags: [] },
  { name: 'select-only, prepared', flags: ['-S', '-M', 'prepared'] },
] as const;
const { signal } = new AbortController();
const connectionSchema = z.object({
  host: z.string(),
  port: z.int(),
  user: z.string(),
  password: z.string(),
});

/** @throws Error where pgbench is missing */
async function benchTelemetry(log: (line: string) => void): Promise<BenchResult> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-bench-telemetry-'));
  try {
    const endpoint = await sandboxDriver.resolve({}, null, { dataFolder: folder, signal });
    await once(pgbench(endpoint, ['-i', '-q', '-s', String(clients)]), 'exit');
    const result: BenchResult = { goals: [], facts: [] };
    log(await setApart(Number(await postmasterOf(endpoint))));
    for (const kind of kinds) await measure(endpoint, kind, result, log);
    return result;
  } finally {
    await resetSandbox(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

function pgbench(endpoint: Endpoint, flags: readonly string[]): ChildProcess {
  const { host, port, user, password } = connectionSchema.parse(endpoint.connection);
  const args = ['-h', host, '-p', String(port), '-U', user, ...flags, 'postgres'];
  const env = { ...process.env, PGPASSWORD: password, PGAPPNAME: loadApplicationName };
  return spawn('pgbench', args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
}

async function measure(
  endpoint: Endpoint,
  { name, flags }: (typeof kinds)[number],
  result: BenchResult,
  log: (line: string) => void,
): Promise<void> {
  const open = sandboxDriver.openTelemetry;
  if (open === undefined) throw new Error('the sandbox has no telemetry');
  const telemetry = await open(endpoint, 'postgres', signal);
  const watcher = createWatcher(telemetry);
  const seconds = 2 * pairs * blockSeconds;
  const child = pgbench(endpoint, [
    '-n',
    '-c',
    String(clients),
    '-P',
    '1',
    '-T',
    String(seconds + 2),
    ...flags,
  ]);
  if (child.stderr === null) throw new Error('pgbench has no output');
  const blocks: Block[] = [];
  const postmaster = await postmasterOf(endpoint);
  let second = 0;
  let transactions = 0;
  let cpuBefore = 0;
  let processes: readonly string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    const tps = Number(/^progress: [\d.]+ s, ([\d.]+) tps/.exec(line)?.[1] ?? Number.NaN);
    if (Number.isNaN(tps)) continue;
    second += 1;
    if (second === 1) processes = processesOf(postmaster);
    const within = second % blockSeconds;
    // The second that the telemetry was turned on or off in belongs to neither.
    if (within === leftOut % blockSeconds) {
      transactions = 0;
      cpuBefore = cpuOfAll(processes);
    } else transactions += tps;
    if (within !== 0) continue;
    blocks.push({ watched: isWatched(second - 1), transactions, cpu: cpuOfAll(processes) - cpuBefore });
    if (blocks.length % 20 === 0) log(`${name}: ${blocks.length / 2} of ${pairs} pairs`);
    await watcher.turn(second < seconds && isWatched(second));
  }
  const cpu = await telemetryCpu(endpoint);
  await telemetry.close();
  if (blocks.length < 2 * pairs) throw new Error(`pgbench gave ${second} seconds`);
  const on = blocks.filter(({ watched }) => watched);
  const off = blocks.filter(({ watched }) => !watched);
  const compare = (read: (block: Block) => number) =>
    paired(on.slice(0, pairs).map((block, i) => read(block) / read(off[i] ?? block)));
  const rate = compare((block) => block.transactions);
  const work = compare((block) => block.cpu / block.transactions);
  const seen = on.length * blockSeconds;
  const fact = (what: string, value: number, unit = '') =>
    result.facts.push({ name: `${what}, ${name}`, value, unit });
  result.goals.push(
    {
      name: `TPS watched ÷ not, upper end of its 95 % interval, ${name}`,
      value: rate.high,
      unit: '',
      must: 'at-least',
      limit: 0.99,
    },
    {
      name: `CPU of the telemetry's own session, ${name}`,
      value: (100 * cpu) / seen,
      unit: '% of a core',
      must: 'at-most',
      limit: 1,
    },
  );
  fact('TPS watched ÷ not', rate.middle);
  fact('its 95 % interval begins at', rate.low);
  fact('server CPU a transaction, watched ÷ not', work.middle);
  fact('its 95 % interval begins at ', work.low);
  fact('its 95 % interval ends at ', work.high);
  fact('TPS not watched', mean(off.map((block) => block.transactions / (blockSeconds - leftOut))), 'TPS');
  fact('looks a second', watcher.looks / seen);
}

interface Block {
  watched: boolean;
  transactions: number;
  /** Seconds, of all processes of the server. */
  cpu: number;
}

/** A B B A: what falls or rises evenly favours nobody. */
function isWatched(second: number): boolean {
  return [true, false, false, true][Math.floor(second / blockSeconds) % 4] === true;
}

/** Middle ratio with its 95 % interval from the ranks, whatever the ratios' distribution is. */
function paired(ratios: readonly number[]): { middle: number; low: number; high: number } {
  const sorted = [...ratios].sort((a, b) => a - b);
  const reach = (1.96 * Math.sqrt(sorted.length)) / 2;
  const at = (rank: number) => sorted[Math.min(sorted.length, Math.max(1, rank)) - 1] ?? Number.NaN;
  return {
    middle: median(sorted),
    low: at(Math.floor(sorted.length / 2 - reach)),
    high: at(Math.ceil(sorted.length / 2 + reach) + 1),
  };
}

/** Telemetry that is turned on and off on one connection. */
function createWatcher(telemetry: Telemetry) {
  let current: { stop: AbortController; over: Promise<void> } | null = null;
  let looks = 0;
  return {
    get looks() {
      return looks;
    },
    async turn(on: boolean) {
      if (on === (current !== null)) return;
      if (current !== null) {
        current.stop.abort();
        await current.over;
        current = null;
        return;
      }
      const stop = new AbortController();
      const over = telemetry.watch(
        () => performance.now(),
        ({ waits }) => {
          looks += waits.samples;
        },
        stop.signal,
      );
      current = { stop, over };
    },
  };
}

/** Process that all sessions of the server are children of. */
async function postmasterOf(endpoint: Endpoint): Promise<string> {
  const [pid] = await ask(endpoint, 'SELECT pg_backend_pid()', parentOf);
  return pid ?? '';
}

/** CPU seconds of the telemetry's session so far. */
async function telemetryCpu(endpoint: Endpoint): Promise<number> {
  const text = `SELECT pid FROM pg_stat_activity WHERE application_name = 'benchberry-telemetry'`;
  const [seconds] = await ask(endpoint, text, cpuOf);
  return seconds ?? Number.NaN;
}

async function ask<T>(endpoint: Endpoint, text: string, read: (pid: string) => T): Promise<T[]> {
  const reader = await sandboxDriver.openReader(endpoint, 'postgres', signal);
  const { values = [] } = await reader.run({ text }, signal, true);
  const answers = values.flatMap(([pid]) => (typeof pid === 'string' ? [read(pid)] : []));
  await reader.close();
  return answers;
}

/** The server's processes that stay: pgbench's sessions, the telemetry's, the server's own; autovacuum's workers come and go. */
function processesOf(postmaster: string): string[] {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ');
  return children.filter(
    (pid) => !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('autovacuum worker'),
  );
}

/** CPU seconds of these processes so far. */
function cpuOfAll(processes: readonly string[]): number {
  return processes.reduce((sum, pid) => sum + cpuOf(pid), 0);
}

/** Fields of /proc/PID/stat after the name in brackets; the state is the first of them. */
function statOf(pid: string): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
}
const parentOf = (pid: string): string => statOf(pid)[1] ?? '';
/** User and system time; Linux counts them in hundredths of a second. */
const cpuOf = (pid: string): number => (Number(statOf(pid)[11]) + Number(statOf(pid)[12])) / 100;
