import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { type BenchResult, median, type Suite } from './bench.ts';

const rows = 10_000_000;
const limitBytes = 400e6;
const sampleMs = 500;

/**
 * Memory of the core with its worker threads while ten million rows go into the embedded server. The whole process is looked
 * at from outside, by the system's own count.
 */
export const memorySuite: Suite = {
  name: 'memory',
  about: 'resident memory while 10 million rows are loaded, simulated ones and those of a gzip file (--only)',
  async run(log, { only }) {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-bench-'));
    const results: BenchResult[] = [];
    try {
      for (const [name, make] of Object.entries(cases)) {
        if (only !== null && !name.includes(only)) continue;
        log(`making ready: ${name}`);
        results.push(await measure(name, await make(folder), folder, log));
      }
      return { goals: results.flatMap(({ goals }) => goals), facts: results.flatMap(({ facts }) => facts) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const runSchema = z.object({
  status: z.string(),
  phases: z.array(
    z.object({ rows: z.number(), verifiedRows: z.number().nullable(), rowsPerSecond: z.number() }),
  ),
});

const main = path.join(import.meta.dirname, '..', '..', 'src-main', 'cli', 'main.ts');
const end = '2016-01-02T03:46:40Z';

/** What is loaded: the arguments of the command that does it. */
const cases: Record<string, (folder: string) => Promise<string[]>> = {
  async simulated(folder) {
    const plan = path.join(folder, 'plan.yaml');
    await writeFile(plan, planText);
    return ['run', plan];
  },
  async 'gzip file'(folder) {
    const file = path.join(folder, 'rows.gz');
    const data = ['--scale', '1000', '--seed', '123', '--timestamp-end', end, '--format', 'timescaledb'];
    await promisify(execFile)(process.execPath, [main, 'generate', 'data', ...data, '--file', file]);
    return ['load', file, '--workers', '2'];
  },
};

async function measure(
  name: string,
  args: readonly string[],
  folder: string,
  log: (line: string) => void,
): Promise<BenchResult> {
  const child = spawn(process.execPath, [main, ...args, '--json', '--quiet'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, BENCHBERRY_DATA: path.join(folder, 'data') },
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  const output = text(child.stdout);
  const samples: number[] = [];
  log(`${name}: loading ${rows.toLocaleString('en-US')} rows`);
  for (;;) {
    const over = await Promise.race([ended.then(() => true), wait(sampleMs, false)]);
    if (over) break;
    const bytes = await residentBytes(child.pid);
    if (bytes !== null) samples.push(bytes);
  }
  const code = await ended;
  const json = await output;
  if (json === '') throw new Error(`the run ended with exit code ${code} and no result`);
  const run = runSchema.parse(JSON.parse(json));
  const load = run.phases[0];
  if (run.status !== 'finished' || load?.verifiedRows !== rows) {
    throw new Error(`the run ended as ${run.status} with ${load?.verifiedRows} of ${rows} rows`);
  }
  const quarter = (n: number) =>
    samples.slice(Math.floor((samples.length * n) / 4), Math.floor((samples.length * (n + 1)) / 4));
  return {
    goals: [
      {
        name: `${name}: peak resident memory, workers included`,
        value: Math.max(...samples) / 1e6,
        unit: 'MB',
        must: 'at-most',
        limit: limitBytes / 1e6,
      },
      {
        name: `${name}: memory of the last quarter ÷ of the second quarter`,
        value: median(quarter(3)) / median(quarter(1)),
        unit: '',
        must: 'at-most',
        limit: 1.1,
      },
    ],
    facts: [
      { name: `${name}: rows loaded`, value: load.rows, unit: 'rows' },
      { name: `${name}: rate`, value: load.rowsPerSecond, unit: 'rows/s' },
      { name: `${name}: samples`, value: samples.length, unit: '' },
    ],
  };
}

/** 1,000 hosts for 10,000 intervals. */
const planText = `version: 1
name: Memory while ten million rows are loaded
target: sandbox
steps:
  - tsbs.load:
      scale: 1000
      seed: 123
      timestampStart: 2016-01-01T00:00:00Z
      timestampEnd: ${end}
      logInterval: 10s
      workers: 2
`;

/** As the system counts it; null when the process has just gone. */
async function residentBytes(pid: number | undefined): Promise<number | null> {
  if (pid === undefined) return null;
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout.trim()) * 1024;
  } catch (error) {
    // ps ends with 1 and prints nothing where there is no such process.
    if (error instanceof Error && 'code' in error && error.code === 1) return null;
    throw error;
  }
}
