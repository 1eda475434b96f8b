import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
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
  /** The failed ones by name, each with the first line of why; a log is read from its end. */
  failures: z.array(z.string()).default([]),
});
export type SuiteReport = z.infer<typeof suiteReportSchema>;

export const resultsFolder = path.join(import.meta.dirname, '..', 'test-results');

/** Writes test-results/<suite>.json. */
export async function writeSuiteReport(
  report: z.input<typeof suiteReportSchema>,
  folder = resultsFolder,
): Promise<void> {
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

const specSchema = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(
    z.object({
      projectName: z.string(),
      status: z.string(),
      results: z.array(z.object({ error: z.object({ message: z.string().optional() }).optional() })),
    }),
  ),
});
interface PlaywrightSuite {
  specs: z.infer<typeof specSchema>[];
  suites?: PlaywrightSuite[] | undefined;
}
const suiteSchema: z.ZodType<PlaywrightSuite> = z.object({
  specs: z.array(specSchema),
  get suites() {
    return z.array(suiteSchema).optional();
  },
});
const playwrightSchema = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  errors: z.array(z.object({ message: z.string().optional() })),
  suites: z.array(suiteSchema),
});

/** Counts of Playwright's JSON report. Passing only at a second try is not passing; an error outside of a test counts as one failed. */
export function countPlaywright(json: unknown, suite: string): SuiteReport {
  const { stats, errors, suites } = playwrightSchema.parse(json);
  const failures = suites.flatMap(specsOf).flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map((test) => {
        const error = test.results.find((result) => result.error)?.error;
        return told(`[${test.projectName}] ${spec.file}`, spec.title, error?.message);
      }),
  );
  return {
    suite,
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    failures: [...failures, ...errors.map((error) => told('outside of a test', '', error.message))],
  };
}

function specsOf(suite: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];
}

/** A failure in one line: `src-main/x.test.ts, counts rows: expected 3 to be 4`. */
export function told(file: string, name: string, message = 'no message'): string {
  const place = path.isAbsolute(file) ? path.relative(path.join(import.meta.dirname, '..'), file) : file;
  const [line = ''] = stripVTControlCharacters(message).split('\n');
  return `${[place, name].filter(Boolean).join(', ')}: ${line.slice(0, 300)}`;
}

if (import.meta.main) {
  const reports = await readSuiteReports();
  for (const { suite, failures } of reports)
    for (const failure of failures) process.stdout.write(`${suite}: failed: ${failure}\n`);
  process.stdout.write(`${totalsLine(reports)}\n`);
}
