import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { z } from 'zod';

/**
 * Every suite of tests leaves one small file in test-results/: what its own runner counted. The totals that `npm test` and
 * CI print are sums over these files, of nothing else.
 */
export const suiteReportSchema = z.object({
  suite: z.string().min(1),
  passed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
});
export type SuiteReport = z.infer<typeof suiteReportSchema>;

export const resultsFolder = path.join(import.meta.dirname, '..', 'test-results');

/** Writes test-results/<suite>.json. */
export async function writeSuiteReport(report: SuiteReport, folder = resultsFolder): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, `${report.suite}.json`), `${JSON.stringify(report, null, 2)}\n`);
}

/** All reports in the folder, by suite; empty where there is no folder. */
export async function readSuiteReports(folder = resultsFolder): Promise<SuiteReport[]> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    names.map(async (name) =>
      suiteReportSchema.parse(JSON.parse(await readFile(path.join(folder, name), 'utf8'))),
    ),
  );
}

/** `412 passed, 0 failed, 3 skipped` */
export function totalsLine(reports: readonly SuiteReport[]): string {
  const sum = (of: (report: SuiteReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  return `${sum((r) => r.passed)} passed, ${sum((r) => r.failed)} failed, ${sum((r) => r.skipped)} skipped`;
}

const vitestSchema = z.object({
  testResults: z.array(
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
});

/** Counts of Vitest's JSON report. A file that could not even be loaded has no tests of its own: it counts as one failed. */
export function countVitest(json: unknown, suite: string): SuiteReport {
  const files = vitestSchema.parse(json).testResults;
  const statuses = files.flatMap((file) => file.assertionResults.map((test) => test.status));
  const broken = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const passed = statuses.filter((status) => status === 'passed').length;
  const failed = statuses.filter((status) => status === 'failed').length;
  return { suite, passed, failed: failed + broken, skipped: statuses.length - passed - failed };
}

const playwrightSchema = z.object({
  stats: z.object({
    expected: z.int(),
    unexpected: z.int(),
    flaky: z.int(),
    skipped: z.int(),
  }),
  errors: z.array(z.unknown()),
});

/** Counts of Playwright's JSON report. Passing only at a second try is not passing; an error outside of a test counts as one failed. */
export function countPlaywright(json: unknown, suite: string): SuiteReport {
  const { stats, errors } = playwrightSchema.parse(json);
  return {
    suite,
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  };
}

if (import.meta.main) process.stdout.write(`${totalsLine(await readSuiteReports())}\n`);
