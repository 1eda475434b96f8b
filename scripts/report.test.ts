import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { countPlaywright, countVitest, readSuiteReports, totalsLine, writeSuiteReport } from './report.ts';

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
});

describe('countVitest', () => {
  it('counts what ran, what failed and what did not run', () => {
    const json = {
      testResults: [
        file('passed', 'passed', 'skipped', 'todo'),
        file('failed', 'failed', 'passed', 'pending'),
      ],
    };
    expect(countVitest(json, 'unit')).toEqual({ suite: 'unit', passed: 2, failed: 1, skipped: 3 });
  });
  it('counts a file that could not be loaded as failed', () => {
    expect(countVitest({ testResults: [file('failed'), file('passed', 'passed')] }, 'unit')).toMatchObject({
      passed: 1,
      failed: 1,
    });
  });
});

describe('countPlaywright', () => {
  it('takes flaky tests and errors outside of tests for failures', () => {
    const stats = { expected: 10, unexpected: 1, flaky: 2, skipped: 3 };
    expect(countPlaywright({ stats, errors: [{}] }, 'flows')).toEqual({
      suite: 'flows',
      passed: 10,
      failed: 4,
      skipped: 3,
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
