import { AppError } from '../../src-shared/errors.ts';
import type { Phase } from '../../src-shared/model/run.ts';
import { formatCounted } from '../../src-shared/units.ts';
import type { ExistingTable, OwnTables } from '../databases/driver.ts';
import { nsPerSecond } from '../load/clock.ts';
import type { Job, OperationTotal } from '../load/job.ts';
import { openInitialization } from '../workloads/sources.ts';
import type { InitializePhase } from '../workloads/workload.ts';
import { operationOf, phaseFigures } from './figures.ts';
import { emptyPhase, measure, type PhaseContext } from './phase.ts';

/**
 * Makes a workload's tables, one step after the other. What exists and is not Benchberry's is only touched where the plan
 * says so; what is made gets its mark, also when a later step fails.
 * @throws AppError `database-not-ours`; what ended it early, figures kept
 */
export async function runInitializePhase(spec: InitializePhase, context: PhaseContext): Promise<void> {
  const { run, session } = context;
  const { signal, progress } = run;
  const { tables } = session;
  if (tables === undefined) {
    throw new AppError({
      code: 'unsupported',
      message: `${context.driver.label} has no SQL tables`,
      hint: 'Choose the sandbox or a PostgreSQL server.',
    });
  }
  progress.doing('Looking for tables');
  await tables.provideDatabase(spec.database, spec.createDatabase, signal);
  const before = await tables.existing(spec.database, spec.tables, signal);
  if (!spec.replaceTables) refuseForeign(before, spec.database);
  run.describe(await session.describe(signal, spec.database));
  const { steps } = openInitialization(context.findWorkload, spec.initialization);
  const plannedRows = steps.reduce((sum, step) => sum + step.rows, 0);
  let phase: Phase = { ...emptyPhase(context, 'initialize', spec.connections), plannedRows };
  const totals: OperationTotal[] = [];
  let seconds = 0;
  progress.unitStarted();
  for (const [step, { name, doing, rows, tasks }] of steps.entries()) {
    const work: Job['work'] = {
      kind: 'initialize',
      name,
      step,
      initialization: spec.initialization,
      database: spec.database,
      workers: Math.max(1, Math.min(spec.connections, tasks)),
    };
    let written = 0;
    progress.doing(doing);
    const result = await measure(work, context, {
      onStart: (startNs) => {
        if (step > 0) return;
        phase = { ...phase, startedMs: run.atMs(startNs) };
        run.phaseStarted({ phase, ratePerSecond: 0, prewarm: false });
      },
      onSnapshot: ({ operations }) => {
        written += operations[0]?.rows ?? 0;
        progress.unitAt((step + (rows === 0 ? 0 : written / rows)) / steps.length);
      },
    });
    if (run.phases.length <= context.index)
      throw result.error ?? new Error('a job without a start or an error');
    totals.push(...result.operations);
    seconds += (result.endNs - result.startNs) / nsPerSecond;
    phase = { ...phase, ...phaseFigures(totals, seconds), operations: totals.map(operationOf) };
    run.phaseChanged(phase);
    if (result.error) {
      run.event('phase-end', `${phase.name} ended early: ${doing.toLowerCase()} failed`);
      if (!signal.aborted) await markNew(tables, before, spec, signal).catch(() => undefined); // its own error is the one to tell
      throw result.error;
    }
    await markNew(tables, before, spec, signal);
    progress.unitAt((step + 1) / steps.length);
  }
  run.event('phase-end', `${phase.name}: ${formatCounted(phase.rows, 'row')} in ${seconds.toFixed(1)} s`);
  progress.unitDone();
}

/** @throws AppError `database-not-ours` naming tables that Benchberry has not made */
export function refuseForeign(existing: readonly ExistingTable[], database: string): void {
  const foreign = existing.filter(({ ours }) => !ours).map(({ name }) => name);
  if (foreign.length === 0) return;
  throw new AppError({
    code: 'database-not-ours',
    message:
      foreign.length === 1
        ? `The table ${foreign[0]} exists and was not made by Benchberry`
        : `Tables exist that were not made by Benchberry: ${foreign.join(', ')}`,
    place: { database },
    detail: 'They are left as they are: only tables that Benchberry made and marked are ever replaced.',
    hint: 'Choose another database, or let the step replace existing tables (replaceTables).',
  });
}

async function markNew(
  tables: OwnTables,
  before: readonly ExistingTable[],
  spec: InitializePhase,
  signal: AbortSignal,
): Promise<void> {
  const now = await tables.existing(spec.database, spec.tables, signal);
  const made = now.filter(({ id, ours }) => !ours && !before.some((table) => table.id === id));
  if (made.length > 0)
    await tables.mark(
      spec.database,
      made.map(({ name }) => name),
      signal,
    );
}
