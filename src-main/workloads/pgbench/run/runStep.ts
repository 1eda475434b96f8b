import { z } from 'zod';
import { AppError } from '../../../../src-shared/errors.ts';
import { newSeed } from '../../seed.ts';
import { countOf } from '../../words.ts';
import type { ResolvedStep, Step, TransactionsPhase } from '../../workload.ts';
import { defaultDatabase } from '../init/options.ts';
import { Names } from '../script/variables.ts';
import { parseDefinitions } from './definitions.ts';
import { logProblems } from './logOptions.ts';
import { type RunOptions, runOptions, runSchema } from './options.ts';
import { compileScript } from './program.ts';
import { type Script, scriptText } from './scripts.ts';

/** Transactions of each client where nothing says when to end. */
const defaultTransactions = 10;

/** `pgbench.run`: pgbench's own scripts, and the user's. */
export const runStep: Step = {
  id: 'pgbench.run',
  label: 'Run pgbench’s scripts',
  description:
    'Runs transactions by many clients at a time, on tables that a step before, or pgbench itself, has made.',
  parameters: z.strictObject(runOptions),
  inherit(own, before) {
    const ends = own.seconds === undefined && own.transactions === undefined;
    return {
      dbName: databaseBefore(before) ?? defaultDatabase,
      ...(ends && { transactions: defaultTransactions }),
      ...own,
      ...((own.randomSeed ?? 0) === 0 && { randomSeed: newSeed() }),
    };
  },
  check: (parameters) => problems(runSchema.parse(parameters)),
  phase(parameters): TransactionsPhase {
    const own = runSchema.parse(parameters);
    return {
      kind: 'transactions',
      transactions: { workload: 'pgbench', parameters: own },
      database: own.dbName,
      clients: own.clients,
      threads: Math.min(own.jobs, own.clients),
      seconds: own.seconds ?? null,
      transactionsPerClient: own.transactions ?? null,
      transactionsInAll: null,
      ratePerSecond: own.rate,
      latencyLimitMs: own.latencyLimit > 0 ? own.latencyLimit : null,
      reconnect: own.connect,
      inTurn: true,
      warmupSeconds: own.warmup,
      reportingPeriodSeconds: own.progress,
      statementLatencies: own.reportPerCommand,
      ...(own.log && { logPrefix: own.logPrefix }),
      onError: own.exitOnAbort ? 'end-run' : 'end-client',
      seed: own.randomSeed,
    };
  },
  rows: () => 0,
  summary(parameters, before) {
    const own = runSchema.parse(parameters);
    const limit =
      own.seconds === undefined
        ? `${countOf(own.transactions ?? defaultTransactions, 'transaction')} each`
        : `${own.seconds} s`;
    const where = before.at(-1)?.parameters.dbName === own.dbName ? '' : ` on ${own.dbName}`;
    return `run ${nameOf(own.scripts)}${where} for ${limit} with ${countOf(own.clients, 'client')}`;
  },
};

function nameOf(scripts: readonly Script[]): string {
  const [only, ...more] = scripts;
  if (only === undefined || more.length > 0) return countOf(scripts.length, 'script');
  return 'text' in only ? only.name : only.builtin;
}

function databaseBefore(before: readonly ResolvedStep[]): unknown {
  return before.findLast(({ id }) => id.startsWith('pgbench.'))?.parameters.dbName;
}

function problems(own: RunOptions): ReturnType<Step['check']> {
  const found: ReturnType<Step['check']> = [];
  const add = (path: string, message: string, hint: string | null = null) =>
    found.push({ path, message, hint });
  if (own.seconds !== undefined && own.transactions !== undefined)
    add('transactions', 'Either a number of transactions or a time, not both', 'Leave one of them out.');
  if (own.maxTries === 0 && own.seconds === undefined && own.latencyLimit === 0)
    add('maxTries', 'Any number of tries needs a time or a latency limit', 'Set seconds, or latencyLimit.');
  if (own.progressTimestamp && own.progress === 0)
    add('progressTimestamp', 'There are no lines of progress to put the clock into', 'Set progress.');
  found.push(...logProblems(own));
  if (own.scripts.every(({ weight }) => weight === 0))
    add('scripts', 'The weights of all scripts together are 0');
  for (const [index, script] of own.scripts.entries())
    note(() => checkScript(script, own), `scripts[${index}]`, add);
  note(() => parseDefinitions(own.define), 'define', add);
  return found;
}

function checkScript(script: Script, { protocol }: RunOptions): void {
  if ('text' in script && script.text.trim() === '')
    throw new AppError({
      code: 'bad-input',
      message: `${script.name} has no text yet`,
      hint: 'Paste its text, or add the file.',
    });
  const { operations } = compileScript(scriptText(script), protocol, 0, new Names());
  const pipeline = operations.find(({ kind }) => kind === 'startpipeline');
  if (pipeline && protocol === 'simple')
    throw new AppError({
      code: 'bad-input',
      message: `${scriptText(script).name}, line ${pipeline.line}: pipelines are not possible with the simple protocol`,
      hint: 'Choose the extended or the prepared protocol.',
    });
}

function note(
  check: () => unknown,
  path: string,
  add: (path: string, message: string, hint: string | null) => void,
): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { column, statement } = error.place ?? {};
    const place = [column === undefined ? null : `column ${column}`, statement].filter(Boolean).join(', ');
    add(path, `${error.message}${place && ` (${place})`}`, error.hint ?? null);
  }
}
