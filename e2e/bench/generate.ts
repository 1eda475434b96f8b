import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { RowSink } from '../../src-main/databases/driver.ts';
import { openTsbsRows } from '../../src-main/workloads/tsbs/openRows.ts';
import { useCases } from '../../src-main/workloads/tsbs/simulation.ts';
import { type BenchResult, type Fact, type Goal, median, type Suite, type SuiteOptions } from './bench.ts';

/**
 * CPU time of making rows: of the whole process `benchberry generate data` that writes into a pipe, and of what a load pays
 * before the first byte is sent. What a process needs for a single point, which is its start, is told apart.
 */
export const generateSuite: Suite = {
  name: 'generate',
  about:
    'CPU time of a million points of 4,000 hosts, of every use case, into a pipe and for the null target',
  run: benchGenerate,
};

const points = 1_000_000;
const repeats = 3;
const start = '2016-01-01T00:00:00Z';
const formats = ['timescaledb', 'questdb'] as const;
/** Half of what TSBS itself takes, CPU s a million cpu-only rows. */
const halves = { timescaledb: 1.0, questdb: 1.15 } as const;
const simulation = (useCase: string, maxDataPoints = points) => ({
  ...{ useCase, seed: 123, scale: 4000, logInterval: '10s', maxDataPoints },
  ...{ timestampStart: start, timestampEnd: '2016-01-04T00:00:00Z' },
});

interface Measured {
  rows: number;
  bytes: number;
  cpuSeconds: number;
}

async function benchGenerate(log: (line: string) => void, { only }: SuiteOptions): Promise<BenchResult> {
  const goals: Goal[] = [skippingGoal()];
  log('starts of processes');
  const starts = {
    pipe: (await measure('cpu-only', 'timescaledb', 1)).cpuSeconds,
    null: (await measure('cpu-only', 'null target', 1)).cpuSeconds,
  };
  const facts: Fact[] = [{ name: 'start of benchberry generate', value: starts.pipe, unit: 'CPU s' }];
  for (const useCase of useCases) {
    for (const into of [...formats, 'null target'] as const) {
      const name = `${useCase}, ${into}`;
      if (only !== null && !name.includes(only)) continue;
      log(name);
      const { rows, bytes, ...whole } = await measure(useCase, into);
      const cpuSeconds = whole.cpuSeconds - (into === 'null target' ? starts.null : starts.pipe);
      const perMillion = (cpuSeconds / rows) * 1e6;
      facts.push(
        { name, value: perMillion, unit: 'CPU s a million rows' },
        { name, value: rows / cpuSeconds, unit: 'rows/s per core' },
        { name, value: bytes / cpuSeconds / 1e6, unit: 'MB/s per core' },
      );
      if (useCase === 'cpu-only' && into !== 'null target')
        goals.push({
          name,
          value: perMillion,
          unit: 'CPU s a million rows',
          must: 'at-most',
          limit: halves[into],
        });
    }
  }
  return { goals, facts };
}

/** Of several passes the one with the median of CPU times. */
async function measure(
  useCase: string,
  into: (typeof formats)[number] | 'null target',
  most = points,
): Promise<Measured> {
  const passes: Measured[] = [];
  for (let pass = 0; pass < repeats; pass++)
    passes.push(into === 'null target' ? await intoNull(useCase, most) : await intoPipe(useCase, into, most));
  const middle = median(passes.map(({ cpuSeconds }) => cpuSeconds));
  const found = passes.find(({ cpuSeconds }) => cpuSeconds === middle);
  if (found === undefined) throw new Error('nothing was measured');
  return found;
}

async function intoPipe(useCase: string, format: (typeof formats)[number], most: number): Promise<Measured> {
  const main = path.join(import.meta.dirname, '..', '..', 'src-main', 'cli', 'main.ts');
  const { scale, seed, maxDataPoints, timestampEnd } = simulation(useCase, most);
  const flags = { useCase, format, scale, seed, maxDataPoints, timestampEnd };
  const options = Object.entries(flags).flatMap(([key, value]) => [
    `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    String(value),
  ]);
  const { output, cpuSeconds } = run([main, 'generate', 'data', ...options]);
  let bytes = 0;
  let lines = 0;
  for await (const block of output) {
    const piece = z.instanceof(Buffer).parse(block);
    bytes += piece.length;
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1;
  }
  // A header of two lines and one for each table, then two lines a row.
  const tables = openTsbsRows({ workload: 'tsbs', parameters: { ...simulation(useCase), scale: 1 } }).dataset
    .tables.length;
  const rows = format === 'questdb' ? lines : (lines - tables - 2) / 2;
  return { rows, bytes, cpuSeconds: await cpuSeconds };
}

const madeSchema = z.object({ rows: z.number(), bytes: z.number() });

async function intoNull(useCase: string, most: number): Promise<Measured> {
  const child = path.join(import.meta.dirname, 'generateNull.ts');
  const { output, cpuSeconds } = run([child, JSON.stringify(simulation(useCase, most))]);
  return { ...madeSchema.parse(JSON.parse(await text(output))), cpuSeconds: await cpuSeconds };
}

const cpuSchema = z.object({ seconds: z.number() });

/** Runs a program in a process of its own, which says at its end how much CPU time it took. */
function run(args: readonly string[]): { output: Readable; cpuSeconds: Promise<number> } {
  const preload = new URL('cpuAtExit.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', preload, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const told = child.stdio[3];
  if (child.stdout === null || told === null || told === undefined || !('read' in told))
    throw new Error('the process has no output');
  return {
    output: child.stdout,
    cpuSeconds: text(told).then((json) => cpuSchema.parse(JSON.parse(json)).seconds),
  };
}

/** What a thread pays for the rows that others take. */
function skippingGoal(): Goal {
  let seen = 0;
  const sink: RowSink = {
    row(_table, _device, _timeMs, _nanos, values) {
      seen += values.length;
    },
  };
  const spec = { workload: 'tsbs', parameters: simulation('cpu-only') };
  const passes = (work: () => number) =>
    median(Array.from({ length: repeats + 1 }, () => ownCpuSeconds(work)).slice(1));
  const giving = passes(() => openTsbsRows(spec).fill(sink, points));
  const skipping = passes(() => openTsbsRows(spec).skip(points));
  if (seen === 0) throw new Error('nothing was generated');
  return {
    name: 'skipping rows ÷ giving them',
    value: skipping / giving,
    unit: '',
    must: 'at-most',
    limit: 1.05,
  };
}

/** @throws Error where the work did less than it should */
function ownCpuSeconds(work: () => number): number {
  const before = process.cpuUsage();
  const done = work();
  const { user, system } = process.cpuUsage(before);
  if (done !== points) throw new Error(`${done} rows in place of ${points}`);
  return (user + system) / 1e6;
}
