import { rm } from 'node:fs/promises';
import path from 'node:path';
import { readSuiteReports, resultsFolder, totalsLine, writeSuiteReport } from './report.ts';
import { tool } from './tool.ts';

/** Tests that take any PostgreSQL by its URL, in BENCHBERRY_TEST_PG_URL. */
export const serverSuites: readonly string[] = [
  'src-main/databases/servers.test.ts',
  'src-main/databases/postgresql/telemetry/telemetry.test.ts',
  'src-main/workloads/tsbs/queries/answers.test.ts',
  'src-main/workloads/tsbs/queries/iotAnswers.test.ts',
];

/**
 * Runs Vitest with `args` and `env`, and leaves what it counted as the report of `suite`.
 * @returns tests that failed; at least 1 where Vitest itself did
 */
export async function runVitestSuite(
  suite: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<number> {
  const file = path.join(resultsFolder, `${suite}.json`);
  await rm(file, { force: true });
  const reporters = [
    '--reporter=default',
    `--reporter=${path.join(import.meta.dirname, 'vitestReporter.ts')}`,
  ];
  const code = await tool('vitest', ['run', ...reporters, ...args], { ...env, BENCHBERRY_REPORT: file });
  const counted = (await readSuiteReports()).find((report) => report.suite === suite);
  const report = counted ?? { suite, passed: 0, failed: 0, skipped: 0, failures: [] };
  if (code !== 0 && report.failed === 0) {
    report.failed = 1;
    report.failures.push(`Vitest ended with code ${code}`);
  }
  await writeSuiteReport(report);
  process.stderr.write(`${suite}: ${totalsLine([report])}\n`);
  return report.failed;
}
