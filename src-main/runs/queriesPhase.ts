import type { Phase } from '../../src-shared/model/run.ts';
import {
  allQueries,
  coldQueries,
  countedSeconds,
  warmQueries,
} from '../../src-shared/model/wholeOperation.ts';
import { formatCount, formatCounted } from '../../src-shared/units.ts';
import { nsPerSecond } from '../load/clock.ts';
import type { Job, OperationTotal } from '../load/job.ts';
import { openQueries } from '../workloads/sources.ts';
import type { QueriesPhase } from '../workloads/workload.ts';
import { mergeTotals, operationOf, phaseFigures } from './figures.ts';
import { emptyPhase, measure, type PhaseContext } from './phase.ts';
import { verifyFetches } from './verifyFetches.ts';

/** Query types, one after the other. @throws AppError what ended it early, figures kept */
export async function runQueriesPhase(spec: QueriesPhase, context: PhaseContext): Promise<void> {
  const { run, session } = context;
  const { signal, progress } = run;
  const server = await session.describe(signal, spec.database);
  run.describe(server);
  const { dialect } = server;
  const most = Math.max(...spec.jobs.map(({ fetch }) => fetch?.readers ?? spec.workers));
  let phase: Phase = emptyPhase(context, 'queries', most);
  let started = false;
  let seconds = 0;
  /** Of fetches: what their operations are told apart by. */
  const labels = new Map(
    spec.jobs.flatMap(({ name, fetch }) =>
      fetch ? [[name, { cache: fetch.cache, readers: fetch.readers }] as const] : [],
    ),
  );
  /** Totals of each finished job, in the order of `operationNames`. */
  const totals: OperationTotal[][] = [];
  for (const { name, queries, fetch } of spec.jobs) {
    const { database, ratePerSecond, burnIn, prewarm } = spec;
    const workers = fetch?.readers ?? spec.workers;
    if (fetch?.restart) {
      progress.doing('Restarting the server');
      await context.restartServer();
    }
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
      firstRow: fetch !== undefined,
    };
    const executions = openQueries(context.findWorkload, queries, dialect).total * (prewarm ? 2 : 1);
    let done = 0;
    const result = await measure(work, context, {
      onStart: (startNs) => {
        if (!started) {
          started = true;
          phase = { ...phase, startedMs: run.atMs(startNs) };
          run.phaseStarted({ phase, ratePerSecond, prewarm });
          if (burnIn > 0)
            run.event('note', `${phase.name}: of each type ${burnInText(burnIn)} burn-in, not counted`);
        }
        progress.doing(fetch ? `Fetching, ${name}` : `Asking ${name}`);
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
      ...countedFigures(first),
      seconds,
      operations: queryOperations(totals).map((total) => ({
        ...operationOf(total),
        ...labels.get(total.name),
      })),
    };
    run.phaseChanged(phase);
    if (result.error) {
      run.event('phase-end', `${phase.name} ended early`);
      throw result.error;
    }
    progress.unitDone();
  }
  await verifyFetches(spec, dialect, context);
  const asked = totals.reduce((n, [all]) => n + (all?.count ?? 0), 0);
  const counted = countedSeconds(phase) ?? seconds;
  const before = spec.burnIn > 0 ? `, after ${(seconds - counted).toFixed(1)} s of burn-in` : '';
  run.event(
    'phase-end',
    `${phase.name}: ${formatCounted(asked, 'query', 'queries')} in ${counted.toFixed(1)} s${before}`,
  );
}

function burnInText(queries: number): string {
  return queries === 1 ? 'the first query is a' : `the first ${formatCount(queries)} queries are a`;
}

/** Rates over the time in which something was counted: rows of a burn-in are not, so its seconds are not either. */
function countedFigures(totals: readonly OperationTotal[]): ReturnType<typeof phaseFigures> {
  return phaseFigures(
    totals,
    totals.reduce((all, { seconds }) => all + seconds, 0),
  );
}

/** One operation per type; merged ones after them: cold and warm with prewarm, all where there are several types. */
function queryOperations(totals: readonly (readonly OperationTotal[])[]): OperationTotal[] {
  const types = totals.flatMap((job) => job.slice(0, 1));
  const merged = [coldQueries, warmQueries].flatMap((name) => {
    const parts = totals.flatMap((job) => job.slice(1).filter((operation) => operation.name === name));
    return parts.length > 0 ? [mergeTotals(name, parts)] : [];
  });
  // Cold and warm fetches, or those of one reader and of eight, are never one figure.
  const alike = types.length > 1 && types.every(({ firstRow }) => firstRow === null);
  return [...types, ...merged, ...(alike ? [mergeTotals(allQueries, types)] : [])];
}
