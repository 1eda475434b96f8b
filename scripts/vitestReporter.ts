import path from 'node:path';
import process from 'node:process';
import type { Reporter, TestModule } from 'vitest/node';
import { type SuiteReport, told, writeSuiteReport } from './report.ts';

interface Told {
  message: string;
  cause?: unknown;
}

/**
 * Counts what Vitest ran. What fails outside of a test counts as one failed each: a file that cannot be loaded, a hook
 * around tests, a worker that ends in mid-file; so does a test that was cut off by it.
 */
function countModules(
  suite: string,
  modules: readonly TestModule[],
  unhandled: readonly Told[],
): SuiteReport {
  let passed = 0;
  let skipped = 0;
  const failures: string[] = [];
  for (const module of modules) {
    const file = module.moduleId;
    for (const { message } of module.errors()) failures.push(told(file, '', message));
    for (const around of module.children.allSuites())
      for (const { message } of around.errors()) failures.push(told(file, around.fullName, message));
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      if (state === 'passed') passed += 1;
      if (state === 'skipped') skipped += 1;
      if (state === 'failed') failures.push(told(file, test.fullName, errors?.[0]?.message));
      if (state === 'pending') failures.push(told(file, test.fullName, 'did not come to its end'));
    }
  }
  for (const { message, cause } of unhandled) {
    const why = isTold(cause) ? `${message} ${cause.message}` : message;
    failures.push(told('outside of a test', '', why));
  }
  return { suite, passed, failed: failures.length, skipped, failures };
}

function isTold(cause: unknown): cause is Told {
  return (
    typeof cause === 'object' && cause !== null && 'message' in cause && typeof cause.message === 'string'
  );
}

/** Leaves the report in the file that BENCHBERRY_REPORT names, which is that of a suite; see `runVitestSuite`. */
export default class SuiteReporter implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Told[]): Promise<void> {
    const file = process.env.BENCHBERRY_REPORT;
    if (file === undefined) throw new Error('BENCHBERRY_REPORT names no file');
    await writeSuiteReport(countModules(path.parse(file).name, modules, unhandled), path.dirname(file));
  }
}
