import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { ensureBrowser } from './browser.ts';
import { buildIfStale } from './build.ts';
import { countPlaywright, readSuiteReports, resultsFolder, totalsLine, writeSuiteReport } from './report.ts';
import { tool } from './tool.ts';
import { runVitestSuite } from './vitestSuite.ts';

// npm test [FILTER …]: unit tests, then the flows in a browser. A filter is a part of a test file's path.
const raw = path.join(resultsFolder, 'raw');
const filters = process.argv.slice(2);

await rm(resultsFolder, { recursive: true, force: true });
await mkdir(raw, { recursive: true });

const browser = await ensureBrowser();
await buildIfStale('desktop');

await runVitestSuite('unit', ['--passWithNoTests', ...filters]);

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
const counted = countPlaywright(JSON.parse(await readFile(playwrightReport, 'utf8')), 'flows');
// A runner that failed without a failed test counts as one.
await writeSuiteReport({ ...counted, failed: flows !== 0 && counted.failed === 0 ? 1 : counted.failed });

const reports = await readSuiteReports();
for (const report of reports) process.stdout.write(`${report.suite}: ${totalsLine([report])}\n`);
process.stdout.write(`${totalsLine(reports)}\n`);
const ran = reports.reduce((sum, report) => sum + report.passed, 0);
process.exitCode = ran > 0 && reports.every((report) => report.failed === 0) ? 0 : 1;
