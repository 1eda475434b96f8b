import process from 'node:process';
import { writeSuiteReport } from '../../scripts/report.ts';
import { runVitestSuite, serverSuites } from '../../scripts/vitestSuite.ts';
import { whyNot } from './requirements.ts';
import { ensureRootFs } from './rootFs.ts';
import { bootPi } from './virtualPi.ts';

// npm run test:lab [FILTER …]: the scenarios on virtual Pis, then the core's own suites against a server on one of them.
const say = (line: string) => process.stderr.write(`${line}\n`);

const reason = whyNot();
if (reason !== null) {
  say(`The lab was skipped: ${reason}`);
  await writeSuiteReport({ suite: 'lab', passed: 0, failed: 0, skipped: 1 });
} else {
  const rootFs = await ensureRootFs(say);
  let failed = await runVitestSuite('lab', [
    '--config',
    'e2e/pi-lab/vitest.config.ts',
    ...process.argv.slice(2),
  ]);
  if (process.argv.length === 2) {
    const pi = await bootPi(2, rootFs);
    try {
      failed += await runVitestSuite('lab-servers', serverSuites, { BENCHBERRY_TEST_PG_URL: pi.postgresUrl });
    } finally {
      await pi.close();
    }
  }
  process.exitCode = failed === 0 ? 0 : 1;
}
