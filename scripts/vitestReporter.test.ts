import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SuiteReport, suiteReportSchema } from './report.ts';

const modules = path.join(import.meta.dirname, '..', 'node_modules');
let folder: string;
let report: SuiteReport;

const files = {
  'plain.test.js': `it('passes', () => {}); it.skip('is left out', () => {}); it.todo('is to come');
    describe('group', () => { it('fails', () => { expect(3).toBe(4); }); });`,
  'hook.test.js': `describe('after', () => { it('passes', () => {}); afterAll(() => { throw new Error('not empty'); }); });
    describe('before', () => { beforeAll(() => { throw new Error('no server'); }); it('never runs', () => {}); });`,
  'crash.test.js': `it('is cut off', () => new Promise(() => process.kill(process.pid, 'SIGKILL')));`,
  'missing.test.js': `await import('./nowhere.js');`,
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-reporter-'));
  await symlink(modules, path.join(folder, 'node_modules'), 'junction');
  const head = `import { afterAll, beforeAll, describe, expect, it } from 'vitest';\n`;
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), head + text);
  const file = path.join(folder, 'some.json');
  const reporter = path.join(import.meta.dirname, 'vitestReporter.ts');
  const command = [
    path.join(modules, 'vitest', 'vitest.mjs'),
    'run',
    '--root',
    folder,
    '--reporter',
    reporter,
  ];
  const { VITEST: _, ...env } = process.env;
  await new Promise((resolve) => {
    execFile(process.execPath, command, { env: { ...env, BENCHBERRY_REPORT: file } }, resolve);
  });
  report = suiteReportSchema.parse(JSON.parse(await readFile(file, 'utf8')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const told = (part: string) => report.failures.filter((line) => line.includes(part));

it('counts what passed and what did not run', () => {
  expect(report).toMatchObject({ suite: 'some', passed: 2, failed: report.failures.length });
  expect(told('plain.test.js')).toEqual([expect.stringMatching(/group > fails: .*expected 3 to be 4/)]);
});

it('tells why hooks failed, whose tests have passed or never ran', () => {
  expect(told('hook.test.js')).toEqual([
    expect.stringContaining('after: not empty'),
    expect.stringContaining('before: no server'),
  ]);
  expect(report.skipped).toBe(3);
});

it('tells of a file that cannot be loaded, and of a worker that died in mid-test', () => {
  expect(told('missing.test.js')).toHaveLength(1);
  expect(told('is cut off')).toEqual([expect.stringContaining('did not come to its end')]);
  expect(told('outside of a test')).toEqual([expect.stringMatching(/Worker .*exited/)]);
});
