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
import { bootstrapRatio, mean } from '../../src-shared/stats/robust.ts';
import type { BenchResult, Suite } from './bench.ts';

/**
 * What it costs the server to be watched: real pgbench runs without a pause, while the telemetry is on and off in turn for
 * some seconds each. Neighbours in time are compared, since a machine's rate wanders over minutes by more than it costs.
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
const pairs = 40;
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
  const on: number[] = [];
  const off: number[] = [];
  let second = 0;
  let block: number[] = [];
  const cpuBefore = await telemetryCpu(endpoint);
  for await (const line of createInterface({ input: child.stderr })) {
    const tps = Number(/^progress: [\d.]+ s, ([\d.]+) tps/.exec(line)?.[1] ?? Number.NaN);
    if (Number.isNaN(tps)) continue;
    // A B B A: what falls or rises evenly favours nobody.
    const watched = [true, false, false, true][Math.floor(second / blockSeconds) % 4] === true;
    if (second % blockSeconds >= leftOut) block.push(tps);
    second += 1;
    if (second % blockSeconds === 0) {
      (watched ? on : off).push(mean(block));
      block = [];
      if (off.length % 10 === 0 && !watched) log(`${name}: ${off.length} of ${pairs} pairs`);
    }
    const next = [true, false, false, true][Math.floor(second / blockSeconds) % 4] === true;
    if (second < seconds) await watcher.turn(next);
  }
  await watcher.turn(false);
  const cpu = (await telemetryCpu(endpoint)) - cpuBefore;
  await telemetry.close();
  if (on.length < pairs || off.length < pairs) throw new Error(`pgbench gave ${second} seconds`);
  const { value, low, high } = bootstrapRatio(on.slice(0, pairs), off.slice(0, pairs), 4);
  result.goals.push({
    name: `TPS watched ÷ not, ${name}`,
    value: 1 + value,
    unit: '',
    must: 'at-least',
    limit: 0.99,
  });
  result.facts.push(
    { name: `its 95 % interval from, ${name}`, value: 1 + low, unit: '' },
    { name: `its 95 % interval to, ${name}`, value: 1 + high, unit: '' },
    { name: `TPS not watched, ${name}`, value: mean(off), unit: 'TPS' },
    { name: `samples a second, ${name}`, value: watcher.samples / (pairs * blockSeconds), unit: '' },
    {
      name: `CPU of the telemetry's server process while on, ${name}`,
      value: (100 * cpu) / (pairs * blockSeconds),
      unit: '% of a core',
    },
  );
}

/** Telemetry that is turned on and off on one connection. */
function createWatcher(telemetry: Telemetry) {
  let current: { stop: AbortController; over: Promise<void> } | null = null;
  let looks = 0;
  return {
    get samples() {
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

/** CPU seconds of the telemetry's backend so far, user and system, as Linux counts them. */
async function telemetryCpu(endpoint: Endpoint): Promise<number> {
  const reader = await sandboxDriver.openReader(endpoint, 'postgres', signal);
  const text = `SELECT pid FROM pg_stat_activity WHERE application_name = 'benchberry-telemetry'`;
  const { values } = await reader.run({ text }, signal, true);
  await reader.close();
  const pid = values?.[0]?.[0];
  if (pid === undefined || pid === null) throw new Error('the telemetry has no backend');
  // After the name in brackets: state is the first, utime and stime are the 12th and 13th field; ticks of 10 ms.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
