import { spawn } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { countVitest, resultsFolder, totalsLine, writeSuiteReport } from './report.ts';

const root = path.join(import.meta.dirname, '..');

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
  const raw = path.join(resultsFolder, 'raw');
  await mkdir(raw, { recursive: true });
  const report = path.join(raw, `${suite}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const child = spawn(path.join(root, 'node_modules/.bin/vitest'), ['run', ...reporters, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  const counted = countVitest(JSON.parse(await readFile(report, 'utf8')), suite);
  const failed = code !== 0 && counted.failed === 0 ? 1 : counted.failed;
  await writeSuiteReport({ ...counted, failed });
  process.stderr.write(`${suite}: ${totalsLine([{ ...counted, failed }])}\n`);
  return failed;
}
