import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Stream } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { articleConfig } from '../workloads/tsbs/testing/articleConfig.ts';

// The program itself, as a process of its own on a data folder of its own.
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-main-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function start(args: readonly string[], stdin: 'ignore' | Stream = 'ignore') {
  return spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), ...args], {
    env: { ...process.env, BENCHBERRY_DATA: path.join(folder, 'data') },
    stdio: [stdin, 'pipe', 'pipe'],
  });
}

async function benchberry(...args: string[]) {
  const child = start(args);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: Number(code), stdout, stderr };
}

async function planFile(name: string, load: Record<string, unknown>): Promise<string> {
  const file = path.join(folder, `${name}.yaml`);
  const step = { timestampStart: '2016-01-01T00:00:00Z', logInterval: '10s', reportingPeriod: '1s', ...load };
  const plan = { version: 1, name, target: 'null', steps: [{ 'tsbs.load': step }] };
  await writeFile(file, JSON.stringify(plan)); // JSON is YAML
  return file;
}

const runSchema = z.object({
  id: z.string(),
  status: z.string(),
  verdicts: z.array(z.string()),
  phases: z.array(z.object({ name: z.string(), rows: z.number(), verifiedRows: z.number().nullable() })),
});

it('runs the quick plan on its own PostgreSQL and prints the object alone', {
  timeout: 180_000,
}, async () => {
  const quick = path.join(import.meta.dirname, '..', '..', 'assets', 'plans', 'quick.yaml');
  const { code, stdout, stderr } = await benchberry('run', quick, '--json');
  const run = runSchema.parse(JSON.parse(stdout));
  expect(run.status).toBe('finished');
  // 100 hosts, two days, a row every 10 s
  expect(run.phases[0]).toEqual({ name: 'tsbs.load', rows: 1_728_000, verifiedRows: 1_728_000 });
  expect(run.phases[1]?.name).toBe('tsbs.queries');
  expect(code).toBe(run.verdicts.length === 1 && run.verdicts[0] === 'valid' ? 0 : 1);
  expect(stderr).toContain('time,per. metric/s,metric total');
});

it('runs the configuration of tsbs_load that an article printed, two broken lines and all, and exports it as TSBS writes it', {
  timeout: 180_000,
}, async () => {
  const config = path.join(folder, 'config.yaml');
  // Reduced: the last of the limits ends it.
  await writeFile(config, articleConfig.replace('    limit: 1000000', '    limit: 30000'));
  const imported = await benchberry('import', 'tsbs', config);
  expect(imported.code).toBe(0);
  expect(imported.stderr).toContain(`A space is missing after the colon of "log-batches" (${config}:24:5)`);
  expect(imported.stderr).toContain(`There are 3 keys in one line (${config}:30:5)`);
  expect(imported.stderr).toContain('left out: line 27: loader.db-specific.pass: a password has no place');
  const plan = path.join(folder, 'article.yaml');
  await writeFile(plan, imported.stdout);
  const { stdout } = await benchberry('run', plan, '--target', 'sandbox', '--json', '--quiet');
  const run = runSchema.parse(JSON.parse(stdout));
  expect(run.status).toBe('finished');
  expect(run.phases).toEqual([{ name: 'tsbs.load', rows: 30_000, verifiedRows: 30_000 }]);
  const exported = await benchberry('export', run.id, '--format', 'tsbs-json');
  expect(JSON.parse(exported.stdout)).toMatchObject({
    ResultFormatVersion: '0.1',
    RunnerConfig: { 'db-name': 'benchmark', 'batch-size': 10_000, workers: 4, limit: 30_000 },
    Totals: { metricRate: expect.any(Number), rowRate: expect.any(Number) },
  });
  // The way back: the same load.
  const again = path.join(folder, 'again.yaml');
  await writeFile(again, (await benchberry('generate', 'config', plan)).stdout);
  const back = await benchberry('import', again);
  expect(back.stdout).toContain('limit: 30000');
});

it('keeps a run, lists it, shows it, and calls the null target what it is', async () => {
  const plan = await planFile('Loader only', { scale: 10, timestampEnd: '2016-01-01T01:00:00Z' });
  const { code, stdout } = await benchberry('run', plan, '--json', '--quiet');
  const run = runSchema.parse(JSON.parse(stdout));
  expect(code).toBe(1);
  expect(run.verdicts).toContain('client-bound');
  expect(run.phases).toEqual([{ name: 'tsbs.load', rows: 3600, verifiedRows: null }]);
  expect((await benchberry('list')).stdout).toContain(run.id.slice(0, 8));
  const shown = await benchberry('show', run.id.slice(0, 6), '--text');
  expect(shown.stdout).toMatch(/^loaded 36000 metrics in \d+\.\d{3}sec with 1 workers \(mean rate /m);
});

it('writes a data file and loads it, by its name and from standard input', async () => {
  const file = path.join(folder, 'cpu.zst');
  const options = ['--use-case=cpu-only', '--scale=10', '--seed=1', '--format=influx'];
  const written = await benchberry(
    'generate',
    'data',
    ...options,
    '--timestamp-end=2016-01-01T01:00:00Z',
    '--file',
    file,
  );
  expect(written).toMatchObject({ code: 0, stdout: '', stderr: '' });
  const loaded = await benchberry('load', file, '--target=null', '--workers=2', '--json', '--quiet');
  const phases = [{ name: 'tsbs.file', rows: 3600, verifiedRows: null }];
  expect(runSchema.parse(JSON.parse(loaded.stdout))).toMatchObject({ status: 'finished', phases });
  const input = await open(file);
  const child = start(
    ['load', '-', '--target=null', '--limit=1234', '--json', '--quiet'],
    input.createReadStream(),
  );
  const stdout = text(child.stdout);
  child.stderr.resume();
  const run = runSchema.parse(JSON.parse(await stdout));
  expect(run.phases).toEqual([{ name: 'tsbs.file', rows: 1234, verifiedRows: null }]);
  await input.close();
  expect(await readdir(path.join(folder, 'data', 'incoming'))).toEqual([]);
});

it('stops at a signal, keeps what was measured and says 130', async () => {
  const plan = await planFile('Endless', { scale: 1000, timestampEnd: '2036-01-01T00:00:00Z' });
  const child = start(['run', plan, '--json']);
  const stdout = text(child.stdout);
  const exit = once(child, 'exit');
  let stderr = '';
  for await (const chunk of child.stderr) {
    const before = stderr.includes('row total');
    stderr += chunk;
    if (!before && stderr.includes('row total')) child.kill('SIGINT');
  }
  expect(await exit).toEqual([130, null]);
  const run = runSchema.parse(JSON.parse(await stdout));
  expect(run.status).toBe('cancelled');
  expect(run.phases[0]?.rows).toBeGreaterThan(0);
});

it('lists a run whose process was killed as interrupted, with its rows', async () => {
  const plan = await planFile('Killed', { scale: 1000, timestampEnd: '2036-01-01T00:00:00Z' });
  const child = start(['run', plan]);
  child.stderr.resume();
  const exit = once(child, 'exit');
  let stdout = '';
  for await (const chunk of child.stdout) {
    stdout += chunk;
    if (stdout.split('\n').length > 2) child.kill('SIGKILL');
  }
  await exit;
  const heads = z
    .array(z.object({ name: z.string(), status: z.string(), rows: z.number().nullable() }))
    .parse(JSON.parse((await benchberry('list', '--json')).stdout));
  const killed = heads.find((head) => head.name === 'Killed');
  expect(killed?.status).toBe('interrupted');
  expect(killed?.rows).toBeGreaterThan(0);
});

it('ends quietly when nobody reads what it generates', async () => {
  const child = start([
    'generate',
    'data',
    '--use-case=cpu-only',
    '--scale=1000',
    '--seed=1',
    '--format=questdb',
  ]);
  const stderr = text(child.stderr);
  const exit = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  expect(await exit).toEqual([0, null]);
  expect(await stderr).toBe('');
});

it('names what is wrong with a plan and where', async () => {
  const plan = await planFile('Wrong', { sale: 10 });
  const { code, stdout, stderr } = await benchberry('run', plan);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('sale');
  expect(stderr).toContain(`${plan}:1:`);
  expect(stderr).toContain('Did you mean scale?');
});
