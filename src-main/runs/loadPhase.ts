import type { Phase } from '../../src-shared/model/run.ts';
import { formatBytes, formatCount, formatCounted, formatRate } from '../../src-shared/units.ts';
import type { Prepared } from '../databases/driver.ts';
import { nowNs, nsPerSecond } from '../load/clock.ts';
import type { Job } from '../load/job.ts';
import { surveyRows } from '../workloads/sources.ts';
import type { LoadPhase } from '../workloads/workload.ts';
import { operationOf, phaseFigures } from './figures.ts';
import { emptyPhase, measure, type PhaseContext } from './phase.ts';

/** A load: make the tables, write the rows (measured), count them. @throws AppError what ended it early, figures kept */
export async function runLoadPhase(spec: LoadPhase, context: PhaseContext): Promise<void> {
  const { run, session, index } = context;
  const { signal, progress } = run;
  const survey = await surveyRows(context.findWorkload, spec.rows, {
    signal,
    tell: (doing, detail) => progress.doing(doing, detail),
  });
  const { dataset, totalRows, reading } = survey;
  let prepared: Prepared | null = null;
  if (spec.doLoad) {
    progress.doing('Making the tables');
    const { database, doCreateDb, doAbortOnExist, engineOptions } = spec;
    const engine = context.driver.loadOptions.parse(
      pick(engineOptions, Object.keys(context.driver.loadOptions.shape)),
    );
    prepared = await session.prepare(dataset, { database, doCreateDb, doAbortOnExist, engine }, signal);
    for (const note of prepared.notes) run.event('note', note);
    // As it is now: whether the new database has an extension shows only there.
    run.describe(await session.describe(signal, database));
  }
  let phase: Phase = {
    ...emptyPhase(context, 'load', spec.workers),
    plannedRows: survey.estimated ? null : totalRows,
    notes: prepared?.notes ?? [],
    ...(prepared?.unanswered && { unanswered: true }),
  };
  const work: Job['work'] = {
    kind: 'load',
    rows: survey.source,
    prepared,
    workers: spec.workers,
    batchSize: spec.batchSize,
    hashWorkers: spec.hashWorkers,
    insertIntervals: [...spec.insertIntervals],
    logBatches: spec.logBatches,
    ...(reading && { reading: true }),
    seed: spec.seed,
  };
  let rows = 0;
  const result = await measure(work, context, {
    onStart: (startNs) => {
      phase = { ...phase, startedMs: run.atMs(startNs) };
      run.phaseStarted({ phase, ratePerSecond: 0, prewarm: false });
      progress.doing(spec.doLoad ? 'Loading' : 'Generating');
      progress.unitStarted();
    },
    onRows: (more) => {
      rows += more;
      const share = totalRows === 0 ? 1 : Math.min(1, rows / totalRows);
      // Rows are about equally long, so their share is that of the file.
      if (reading)
        progress.doing(
          `Loading ${reading.name}`,
          `about ${formatBytes(reading.bytes * share)} of ${formatBytes(reading.bytes)}`,
        );
      progress.unitAt(share);
    },
    ...(prepared && { prelude: (abort: AbortSignal) => session.writeDevices(prepared, dataset, abort) }),
  });
  if (run.phases.length <= index) throw result.error ?? new Error('a job without a start or an error');
  const seconds = (result.endNs - result.startNs) / nsPerSecond;
  phase = {
    ...phase,
    ...phaseFigures(result.operations, seconds),
    operations: result.operations.map(operationOf),
    ...(result.error && { notes: [...phase.notes, ...result.reached] }),
  };
  run.phaseChanged(phase);
  run.event('phase-end', `${phase.name}: ${formatCounted(phase.rows, 'row')} in ${seconds.toFixed(1)} s`);
  if (result.error) {
    for (const text of result.reached) run.event('note', text);
    throw result.error;
  }
  if (prepared) {
    phase = await untilVisible(phase, prepared, result.startNs, context);
    progress.doing('Counting rows');
    const verifiedRows = sum(await session.count(prepared, signal));
    if (verifiedRows !== null) {
      run.phaseChanged({ ...phase, verifiedRows });
      const same = verifiedRows === phase.rows;
      const done = phase.unanswered ? 'sent' : 'acknowledged';
      run.event(
        'verify',
        same
          ? `${formatCounted(verifiedRows, 'row')} counted in the database, as many as were ${done}`
          : `${formatCounted(verifiedRows, 'row')} counted in the database, but ${formatCount(phase.rows)} were ${done}`,
      );
    }
  }
  if (survey.flaw !== null) throw survey.flaw;
  progress.unitDone();
}

/** Waits until the rows can be queried, where the engine has them later than acknowledged. */
async function untilVisible(
  phase: Phase,
  prepared: Prepared,
  startNs: number,
  { run, session }: PhaseContext,
): Promise<Phase> {
  if (session.awaitVisible === undefined) return phase;
  const { progress, signal } = run;
  progress.doing('Waiting until all rows can be queried');
  const told = await session.awaitVisible(prepared, phase.rows, (share) => progress.unitAt(share), signal);
  const seconds = (nowNs() - startNs) / nsPerSecond;
  const visible = told.missing === null ? { seconds, rowsPerSecond: phase.rows / seconds } : null;
  const now = { ...phase, visible };
  run.phaseChanged(now);
  run.event(
    'note',
    told.missing ??
      `${phase.name}: all rows could be queried ${seconds.toFixed(1)} s after the start, ${formatRate(phase.rows / seconds)} rows/s`,
  );
  return now;
}

/** Rows of all tables; null where the engine keeps nothing that could be counted. */
function sum(counts: Record<string, number>): number | null {
  const tables = Object.values(counts);
  return tables.length === 0 ? null : tables.reduce((all, rows) => all + rows, 0);
}

function pick(record: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => key in record).map((key) => [key, record[key]]));
}
