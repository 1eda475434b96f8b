import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { countPlaywright, readSuiteReports, totalsLine, writeSuiteReport } from './report.ts';

describe('countPlaywright', () => {
  it('takes flaky tests and errors outside of tests for failures', () => {
    const test = (status: string, message?: string) => ({
      projectName: 'serve',
      status,
      results: message === undefined ? [{}] : [{ error: { message } }, {}],
    });
    const spec = (title: string, ...tests: ReturnType<typeof test>[]) => ({
      title,
      file: 'app/a.spec.ts',
      tests,
    });
    const json = {
      stats: { expected: 10, unexpected: 1, flaky: 1, skipped: 3 },
      errors: [{ message: 'no browser' }],
      suites: [
        {
          specs: [spec('opens', test('expected'))],
          suites: [{ specs: [spec('runs', test('unexpected', 'timed out\nat'))] }],
        },
        { specs: [spec('stops', test('flaky', 'once'))] },
      ],
    };
    expect(countPlaywright(json, 'flows')).toEqual({
      suite: 'flows',
      passed: 10,
      failed: 3,
      skipped: 3,
      failures: [
        '[serve] app/a.spec.ts, runs: timed out',
        '[serve] app/a.spec.ts, stops: once',
        'outside of a test: no browser',
      ],
    });
  });
});

describe('suite reports', () => {
  it('are summed as they were written', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'benchberry-report-'));
    try {
      expect(totalsLine(await readSuiteReports(folder))).toBe('0 passed, 0 failed, 0 skipped');
      await writeSuiteReport({ suite: 'unit', passed: 400, failed: 0, skipped: 1 }, folder);
      await writeSuiteReport({ suite: 'lab', passed: 12, failed: 1, skipped: 2 }, folder);
      expect(totalsLine(await readSuiteReports(folder))).toBe('412 passed, 1 failed, 3 skipped');
      await writeFile(path.join(folder, 'other.json'), '{"suite":"x"}');
      await expect(readSuiteReports(folder)).rejects.toThrow();
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
