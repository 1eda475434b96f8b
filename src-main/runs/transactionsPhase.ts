import { AppError } from '../../src-shared/errors.ts';
import type { Phase } from '../../src-shared/model/run.ts';
import { formatCounted, formatRate } from '../../src-shared/units.ts';
import { nsPerSecond } from '../load/clock.ts';
import type { Job } from '../load/job.ts';
import { threadsFor } from '../load/runJob.ts';
import { emptyTally } from '../load/tally.ts';
import { openTransactions } from '../workloads/sources.ts';
import type { PreparedTransactions } from '../workloads/transactions.ts';
import type { TransactionsPhase } from '../workloads/workload.ts';
import { operationOf, phaseFigures } from './figures.ts';
import { emptyPhase, measure, type PhaseContext } from './phase.ts';
import { transactionFigures } from './transactionFigures.ts';
import { makeLogPlace } from './transactionLogs.ts';

/** Transactions of many clients. @throws AppError what ended it early, figures kept */
export async function runTransactionsPhase(spec: TransactionsPhase, context: PhaseContext): Promise<void> {
  const { run, session } = context;
  const { signal, progress } = run;
  progress.doing('Getting the tables ready');
  const prepared = await prepare(spec, context);
  const { logPrefix } = spec;
  const log =
    logPrefix === undefined ? null : makeLogPlace(context.dataFolder, run.id, context.index, logPrefix);
  const notes = [...prepared.notes, ...(log === null ? [] : [log.note])];
  for (const note of notes) run.event('note', note);
  run.describe(await session.describe(signal, spec.database));
  const source = openTransactions(context.findWorkload, prepared.source);
  let phase: Phase = { ...emptyPhase(context, 'transactions', spec.clients), notes };
  const work: Job['work'] = {
    ...spec,
    transactions: prepared.source,
    scripts: [...source.scripts],
    statements: spec.statementLatencies ? source.statements.length : 0,
    workers: spec.clients,
    ...(log && { logFile: log.path }),
  };
  progress.doing(`Connecting ${formatCounted(spec.clients, 'client')}`);
  const planned = plannedTransactions(spec);
  let begunNs = 0;
  let done = 0;
  const result = await measure(work, context, {
    onWarmup: () => {
      run.event('note', `${phase.name}: ${spec.warmupSeconds} s of warm-up, not counted`);
      progress.doing('Warming up');
    },
    onStart: (startNs) => {
      begunNs = startNs;
      // With what is known already: where the end is missing, the ticks are added to it.
      const none = { tally: emptyTally(source.scripts.length, work.statements), threads: threadsFor(work) };
      const begun = { ...none, connectSeconds: 0, clients: [] };
      phase = {
        ...phase,
        startedMs: run.atMs(startNs),
        transactions: transactionFigures([], begun, 0, { spec, source, facts: prepared.facts }),
      };
      run.phaseStarted({ phase, ratePerSecond: spec.ratePerSecond, prewarm: false });
      progress.doing('Running transactions');
      progress.unitStarted();
    },
    onSnapshot: ({ endNs, operations: [all], transactions }) => {
      done += (all?.count ?? 0) + (all?.errors ?? 0) + (transactions?.skipped ?? 0);
      const time = spec.seconds === null ? 0 : (endNs - begunNs) / nsPerSecond / spec.seconds;
      progress.unitAt(Math.max(time, planned === null ? 0 : done / planned));
    },
  });
  if (begunNs === 0 || result.transactions === null)
    throw result.error ?? new Error('a job without a start or an error');
  const seconds = (result.endNs - result.startNs) / nsPerSecond;
  const figures = transactionFigures(result.operations, result.transactions, seconds, {
    spec,
    source,
    facts: prepared.facts,
  });
  phase = {
    ...phase,
    ...phaseFigures(result.operations.slice(0, 1), seconds),
    operations: result.operations.map(operationOf),
    transactions: figures,
  };
  run.phaseChanged(phase);
  const count = result.operations[0]?.count ?? 0;
  run.event(
    'phase-end',
    `${phase.name}: ${formatCounted(count, 'transaction')} in ${seconds.toFixed(1)} s, ${formatRate(figures.tps)} TPS`,
  );
  if (result.error) throw result.error;
  progress.unitDone();
}

/** What the workload finds out and does first, on a connection of its own. */
async function prepare(spec: TransactionsPhase, context: PhaseContext): Promise<PreparedTransactions> {
  const { driver, endpoint, run } = context;
  const { openClient } = driver;
  if (openClient === undefined) {
    throw new AppError({
      code: 'unsupported',
      message: `${driver.label} has no SQL transactions`,
      hint: 'Choose the sandbox or a PostgreSQL server.',
    });
  }
  const client = await openClient(endpoint, spec.database, run.signal);
  try {
    const workload = context.findWorkload(spec.transactions.workload);
    const none: PreparedTransactions = { source: spec.transactions, facts: {}, notes: [] };
    return (await workload.prepareTransactions?.(spec.transactions, client)) ?? none;
  } finally {
    await client.close();
  }
}

/** null where only time ends it. */
function plannedTransactions(spec: TransactionsPhase): number | null {
  const { transactionsPerClient, transactionsInAll, clients } = spec;
  const ends = [
    transactionsInAll,
    transactionsPerClient === null ? null : transactionsPerClient * clients,
  ].filter((end) => end !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}
