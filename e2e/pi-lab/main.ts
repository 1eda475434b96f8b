import { spawn } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { countVitest, resultsFolder, totalsLine, writeSuiteReport } from '../../scripts/report.ts';
import { whyNot } from './requirements.ts';
import { ensureRootFs } from './rootFs.ts';
import { bootPi } from './virtualPi.ts';

// npm run test:lab [FILTER …]: the scenarios on virtual Pis, then the core's own suites against a server on one of them.
const root = path.join(import.meta.dirname, '../..');
const raw = path.join(resultsFolder, 'raw');
const say = (line: string) => process.stderr.write(`${line}\n`);

function vitest(suite: string, args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const report = path.join(raw, `${suite}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const child = spawn(path.join(root, 'node_modules/.bin/vitest'), ['run', ...reporters, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => {
      const failedCode = code ?? 1;
      readFile(report, 'utf8')
        .then(async (text) => {
          const counted = countVitest(JSON.parse(text), suite);
          const failed = failedCode !== 0 && counted.failed === 0 ? 1 : counted.failed;
          await writeSuiteReport({ ...counted, failed });
          say(`${suite}: ${totalsLine([{ ...counted, failed }])}`);
          resolve(failed);
        })
        .catch(reject);
    });
  });
}

const reason = whyNot();
if (reason !== null) {
  say(`The lab was skipped: ${reason}`);
  await writeSuiteReport({ suite: 'lab', passed: 0, failed: 0, skipped: 1 });
} else {
  await mkdir(raw, { recursive: true });
  const rootFs = await ensureRootFs(say);
  let failed = await vitest('lab', ['--config', 'e2e/pi-lab/vitest.config.ts', ...process.argv.slice(2)]);
  if (process.argv.length === 2) {
    const pi = await bootPi(2, rootFs);
    try {
      const suites = [
        'src-main/databases/servers.test.ts',
        'src-main/workloads/tsbs/queries/answers.test.ts',
      ];
      failed += await vitest('lab-servers', suites, { BENCHBERRY_TEST_PG_URL: pi.postgresUrl });
    } finally {
      await pi.close();
    }
  }
  process.exitCode = failed === 0 ? 0 : 1;
}
