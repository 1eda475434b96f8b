import type { Phase } from '../../src-shared/model/run.ts';
import { formatCount } from '../../src-shared/units.ts';
import type { Driver, Endpoint, Prepared, Session } from '../databases/driver.ts';
import { nowNs, nsPerSecond } from '../load/clock.ts';
import { coldQueries, type Job, type JobResult, type OperationTotal, warmQueries } from '../load/job.ts';
import { runJob } from '../load/runJob.ts';
import type { LoadPhase, QueriesPhase, Workload } from '../workloads/workload.ts';
import type { ActiveRun } from './activeRun.ts';
import { allQueries, mergeTotals, operationOf, phaseFigures } from './figures.ts';

/** What a phase works with. */
export interface PhaseContext {
  run: ActiveRun;
  driver: Driver;
  endpoint: Endpoint;
  session: Session;
  findWorkload(id: string): Workload;
  /** Entry of the worker threads, for tests. */
  entry: URL | undefined;
  index: number;
  name: string;
}

/** A load: make the tables, write the rows (measured), count them. @throws AppError what ended it early, figures kept */
export async function runLoadPhase(spec: LoadPhase, context: PhaseContext): Promise<void> {
  const { run, session, index } = context;
  const { signal, progress } = run;
  const source = context.findWorkload(spec.rows.workload).openRows(spec.rows);
  const { dataset, totalRows } = source;
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
    plannedRows: totalRows,
    notes: prepared?.notes ?? [],
  };
  const work: Job['work'] = {
    kind: 'load',
    rows: spec.rows,
    prepared,
    workers: spec.workers,
    batchSize: spec.batchSize,
    hashWorkers: spec.hashWorkers,
    insertIntervals: [...spec.insertIntervals],
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
      progress.unitAt(totalRows === 0 ? 1 : rows / totalRows);
    },
    ...(prepared && { prelude: (abort: AbortSignal) => session.writeDevices(prepared, dataset, abort) }),
  });
  if (run.phases.length <= index) throw result.error ?? new Error('a job without a start or an error');
  const seconds = (result.endNs - result.startNs) / nsPerSecond;
  phase = {
    ...phase,
    ...phaseFigures(result.operations, seconds),
    operations: result.operations.map(operationOf),
  };
  run.phaseChanged(phase);
  run.event('phase-end', `${phase.name}: ${formatCount(phase.rows)} rows in ${seconds.toFixed(1)} s`);
  if (result.error) throw result.error;
  if (prepared) {
    progress.doing('Counting rows');
    const verifiedRows = sum(await session.count(prepared, signal));
    if (verifiedRows !== null) {
      run.phaseChanged({ ...phase, verifiedRows });
      const same = verifiedRows === phase.rows;
      run.event(
        'verify',
        same
          ? `${formatCount(verifiedRows)} rows counted in the database, as many as were acknowledged`
          : `${formatCount(verifiedRows)} rows counted in the database, but ${formatCount(phase.rows)} were acknowledged`,
      );
    }
  }
  progress.unitDone();
}

/** Query types, one after the other. @throws AppError what ended it early, figures kept */
export async function runQueriesPhase(spec: QueriesPhase, context: PhaseContext): Promise<void> {
  const { run, session } = context;
  const { signal, progress } = run;
  const server = await session.describe(signal, spec.database);
  run.describe(server);
  const { dialect } = server;
  let phase: Phase = emptyPhase(context, 'queries', spec.workers);
  let started = false;
  let seconds = 0;
  /** Totals of each finished job, in the order of `operationNames`. */
  const totals: OperationTotal[][] = [];
  for (const { name, queries } of spec.jobs) {
    const { workers, database, ratePerSecond, burnIn, prewarm } = spec;
    const work: Job['work'] = {
      kind: 'queries',
      name,
      queries,
      database,
      dialect,
      workers,
      ratePerSecond,
      burnIn,
      prewarm,
    };
    const executions =
      context.findWorkload(queries.workload).openQueries(queries, dialect).total * (prewarm ? 2 : 1);
    let done = 0;
    const result = await measure(work, context, {
      onStart: (startNs) => {
        if (!started) {
          started = true;
          phase = { ...phase, startedMs: run.atMs(startNs) };
          run.phaseStarted({ phase, ratePerSecond, prewarm });
        }
        progress.doing(`Asking ${name}`);
        progress.unitStarted();
      },
      onOperations: (more) => {
        done += more;
        progress.unitAt(done / Math.max(1, executions - burnIn));
      },
    });
    if (!started) throw result.error ?? new Error('a job without a start or an error');
    totals.push(result.operations);
    seconds += (result.endNs - result.startNs) / nsPerSecond;
    const first = totals.flatMap((job) => job.slice(0, 1));
    phase = {
      ...phase,
      ...phaseFigures(first, seconds),
      operations: queryOperations(totals).map(operationOf),
    };
    run.phaseChanged(phase);
    if (result.error) {
      run.event('phase-end', `${phase.name} ended early`);
      throw result.error;
    }
    progress.unitDone();
  }
  const asked = totals.reduce((n, [all]) => n + (all?.count ?? 0), 0);
  run.event('phase-end', `${phase.name}: ${formatCount(asked)} queries in ${seconds.toFixed(1)} s`);
}

/** One operation per type; merged ones after them: cold and warm with prewarm, all where there are several types. */
function queryOperations(totals: readonly (readonly OperationTotal[])[]): OperationTotal[] {
  const types = totals.flatMap((job) => job.slice(0, 1));
  const merged = [coldQueries, warmQueries].flatMap((name) => {
    const parts = totals.flatMap((job) => job.slice(1).filter((operation) => operation.name === name));
    return parts.length > 0 ? [mergeTotals(name, parts)] : [];
  });
  return [...types, ...merged, ...(types.length > 1 ? [mergeTotals(allQueries, types)] : [])];
}

interface Measured {
  onStart(startNs: number): void;
  onRows?(rows: number): void;
  onOperations?(operations: number): void;
  prelude?(signal: AbortSignal): Promise<void>;
}

/** Runs a job; its ticks are stored and published. */
function measure(work: Job['work'], context: PhaseContext, hooks: Measured): Promise<JobResult> {
  const { run, endpoint, index, entry } = context;
  return runJob(
    { endpoint, work },
    {
      signal: run.signal,
      onStart: hooks.onStart,
      onEvent: (text) => run.event('error', text),
      onSnapshot(snapshot) {
        run.tick(index, snapshot);
        for (const operation of snapshot.operations) {
          hooks.onRows?.(operation.rows);
          hooks.onOperations?.(operation.count + operation.errors);
        }
      },
      ...(hooks.prelude && { prelude: hooks.prelude }),
      ...(entry && { entry }),
    },
  );
}

function emptyPhase({ index, name, run }: PhaseContext, kind: Phase['kind'], workers: number): Phase {
  return {
    index,
    name,
    kind,
    workers,
    startedMs: run.atMs(nowNs()),
    rows: 0,
    metrics: 0,
    bytes: 0,
    seconds: 0,
    rowsPerSecond: 0,
    metricsPerSecond: 0,
    verifiedRows: null,
    plannedRows: null,
    operations: [],
    notes: [],
  };
}

/** Rows of all tables; null where the engine keeps nothing that could be counted. */
function sum(counts: Record<string, number>): number | null {
  const tables = Object.values(counts);
  return tables.length === 0 ? null : tables.reduce((all, rows) => all + rows, 0);
}

function pick(record: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => key in record).map((key) => [key, record[key]]));
}
