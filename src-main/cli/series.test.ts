import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { runSeriesSchema } from '../../src-shared/model/runSeries.ts';

// The program itself, as a process of its own on a data folder of its own.
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-series-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function start(...args: string[]) {
  return spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), ...args], {
    env: { ...process.env, BENCHBERRY_DATA: path.join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function benchberry(...args: string[]) {
  const child = start(...args);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: Number(code), stdout, stderr };
}

/** Kills the program at the first line of its standard error that begins so. @returns what it had printed there */
async function killAt(child: ChildProcess & { stderr: NonNullable<ChildProcess['stderr']> }, begin: string) {
  const lines: string[] = [];
  const exit = once(child, 'exit');
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    if (line.startsWith(begin)) child.kill('SIGKILL');
  }
  expect((await exit)[1]).toBe('SIGKILL');
  return lines;
}

const resultSchema = z.object({
  series: runSeriesSchema,
  runs: z.array(z.object({ id: z.string(), status: z.string() })),
});

it('a sweep of 3 × 3 that is killed in its fifth cell goes on there', { timeout: 240_000 }, async () => {
  // The cells of 30 hosts, of which the fifth is one, take their time: eleven batches and a pause after each.
  const load = {
    scale: [1, 30, 2],
    workers: [1, 2, 3],
    timestampStart: '2016-01-01T00:00:00Z',
    timestampEnd: '2016-01-01T01:00:00Z',
    batchSize: 1000,
    insertIntervals: '0.3',
  };
  const file = path.join(folder, 'sweep.yaml');
  const plan = { version: 1, name: 'Nine cells', target: 'null', steps: [{ 'tsbs.load': load }] };
  await writeFile(file, JSON.stringify(plan)); // JSON is YAML

  const lines = await killAt(start('run', file, '--json'), 'Run 5 of 9: ');
  expect(lines[0]).toMatch(/^9 runs · .+ 1, 30, 2 · .+ 1, 2, 3$/);
  expect(lines).toContainEqual(expect.stringMatching(/^Run 4 of 9: .+: finished, [\d,.]+ rows\/s/));

  const [cut] = z
    .array(runSeriesSchema)
    .parse(JSON.parse((await benchberry('series', 'list', '--json')).stdout));
  expect(cut?.outcome).toBe('interrupted');
  expect(cut?.members.map(({ runIds }) => runIds.length)).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 0]);
  expect(cut?.members.map(({ figures }) => figures?.status ?? null)).toEqual([
    ...Array.from({ length: 4 }, () => 'finished'),
    'interrupted',
    ...Array.from({ length: 4 }, () => null),
  ]);

  const { stdout, stderr } = await benchberry('series', 'resume', (cut?.id ?? '').slice(0, 8), '--json');
  expect(
    stderr
      .split('\n')
      .filter((line) => /^Run \d of 9: [^:]+$/.test(line))
      .map((line) => line.slice(0, 5)),
  ).toEqual(['Run 5', 'Run 6', 'Run 7', 'Run 8', 'Run 9']);
  const { series, runs } = resultSchema.parse(JSON.parse(stdout));
  expect(series).toMatchObject({ id: cut?.id, outcome: 'finished', startedAt: cut?.startedAt });
  expect(series.members.map(({ runIds }) => runIds.length)).toEqual([1, 1, 1, 1, 2, 1, 1, 1, 1]);
  expect(series.members.map(({ figures }) => figures?.status)).toEqual(
    Array.from({ length: 9 }, () => 'finished'),
  );
  // What was done before the kill stands as it was.
  expect(series.members.slice(0, 4)).toEqual(cut?.members.slice(0, 4));
  expect(runs.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: 9 }, () => 'finished'),
    'interrupted',
  ]);
});

it('is cancelled by another process while it waits, and ends as stopped', { timeout: 120_000 }, async () => {
  const file = path.join(folder, 'cancelled.yaml');
  const load = { scale: 1, timestampEnd: '2016-01-01T01:00:00Z' };
  const plan = { version: 1, name: 'Cancelled', target: 'null', steps: [{ 'tsbs.load': load }] };
  await writeFile(file, JSON.stringify(plan));
  const child = start('run', file, '--repeat', '3', '--settle', '1h', '--settle-most', '1h');
  const exit = once(child, 'exit');
  child.stdout.resume();
  let asked: ReturnType<typeof benchberry> | null = null;
  for await (const line of createInterface({ input: child.stderr })) {
    if (asked !== null || !/^Waiting .+ before the next run: idle for 1:00:00/.test(line)) continue;
    const { stdout } = await benchberry('series', 'list', '--json');
    const on = z
      .array(runSeriesSchema)
      .parse(JSON.parse(stdout))
      .find(({ endedAt }) => endedAt === null);
    asked = benchberry('series', 'cancel', on?.id ?? '');
  }
  expect((await exit)[0]).toBe(130);
  expect(await asked).toMatchObject({ code: 0 });
});

it('repeats a plan on several targets, and says what a series is asked for that it has not', async () => {
  const file = path.join(folder, 'repeat.yaml');
  const load = { scale: 1, timestampEnd: '2016-01-01T01:00:00Z' };
  await writeFile(
    file,
    JSON.stringify({ version: 1, name: 'Twice', target: 'sandbox', steps: [{ 'tsbs.load': load }] }),
  );
  const dead = 'postgresql://nobody:x@127.0.0.1:1/nothing';
  const args = ['--repeat', '2', '--target', 'null', '--target', dead, '--settle', '10ms'];
  const { code, stdout, stderr } = await benchberry('run', file, ...args);
  // The null target is no measurement: its runs are not valid.
  expect(code).toBe(1);
  expect(stdout).toContain('\n2 of 4 runs finished; 2 failed, and the series went on.\n');
  expect(stdout).toContain('Run 2 of 4: on postgresql://nobody@127.0.0.1:1/nothing, round 1 of 2: failed');
  expect(stderr).toContain('Round by round');
  const id = /\(([0-9a-f-]{36})\)/.exec(stdout)?.[1] ?? '';
  expect(await benchberry('series', 'resume', id)).toMatchObject({ code: 2 });
  expect(await benchberry('series', 'cancel', id)).toMatchObject({ code: 2 });
  expect((await benchberry('series', 'show', 'nosuch')).stderr).toContain('There is no series nosuch');
  expect((await benchberry('series', 'show', id)).stdout).toContain('2 of 4 runs finished;');
}, 120_000);
