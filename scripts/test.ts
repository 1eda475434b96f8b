import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { ensureBrowser } from './browser.ts';
import { buildIfStale, root } from './build.ts';
import {
  countPlaywright,
  countVitest,
  readSuiteReports,
  resultsFolder,
  type SuiteReport,
  totalsLine,
  writeSuiteReport,
} from './report.ts';

// npm test [FILTER …]: unit tests, then the flows in a browser. A filter is a part of a test file's path.
const raw = path.join(resultsFolder, 'raw');
const filters = process.argv.slice(2);

/** Runs one of the project's own tools; resolves with its exit code, 1 where a signal ended it. */
function tool(name: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const executable = path.join(
    root,
    'node_modules',
    '.bin',
    process.platform === 'win32' ? `${name}.cmd` : name,
  );
  const child = spawn(executable, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Counts one suite from its runner's report; a runner that failed without a failed test counts as one. */
async function record(
  suite: string,
  count: (json: unknown, suite: string) => SuiteReport,
  reportFile: string,
  exitCode: number,
): Promise<void> {
  const report = count(JSON.parse(await readFile(reportFile, 'utf8')), suite);
  const failed = exitCode !== 0 && report.failed === 0 ? 1 : report.failed;
  await writeSuiteReport({ ...report, failed });
}

await rm(resultsFolder, { recursive: true, force: true });
await mkdir(raw, { recursive: true });

const browser = await ensureBrowser();
await buildIfStale('desktop');

const vitestReport = path.join(raw, 'vitest.json');
const unit = await tool('vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${vitestReport}`,
  '--passWithNoTests',
  ...filters,
]);
await record('unit', countVitest, vitestReport, unit);

const playwrightReport = path.join(raw, 'playwright.json');
const flows = await tool(
  'playwright',
  [
    'test',
    '--reporter=list,json',
    `--output=${path.join(resultsFolder, 'flows')}`,
    '--pass-with-no-tests',
    ...filters,
  ],
  { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport, BENCHBERRY_BROWSER: browser },
);
await record('flows', countPlaywright, playwrightReport, flows);

const reports = await readSuiteReports();
for (const report of reports) process.stdout.write(`${report.suite}: ${totalsLine([report])}\n`);
process.stdout.write(`${totalsLine(reports)}\n`);
const ran = reports.reduce((sum, report) => sum + report.passed, 0);
process.exitCode = ran > 0 && reports.every((report) => report.failed === 0) ? 0 : 1;
