import { AppError, type ErrorCode, toAppError } from '../../src-shared/errors.ts';
import { formatCount, formatCounted } from '../../src-shared/units.ts';
import type { Query, Reader } from '../databases/driver.ts';
import { openQueries } from '../workloads/sources.ts';
import { lateNs, nowNs, nsPerMs, nsPerSecond } from './clock.ts';
import { operationNames, type QueriesWork } from './job.ts';
import { OperationRecorder } from './recorder.ts';
import { closeAll, openAll, runLoops, type ThreadContext, type ThreadWork } from './threadWork.ts';

/** The server's own refusals of one statement: counted, and the next query goes on. Anything else ends the job. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'server-error',
  'no-permission',
  'disk-full',
  'unsupported',
]);

/** The readers of a thread. */
export async function openQueriesWork(work: QueriesWork, context: ThreadContext): Promise<ThreadWork> {
  const openLoop = work.ratePerSecond > 0;
  const recorders = operationNames(work).map(() => new OperationRecorder(openLoop, work.firstRow));
  const [all, cold, warm] = recorders;
  const source = openQueries(context.findWorkload, work.queries, work.dialect);
  const driver = context.findDriver(context.endpoint.engine);
  const readers = await openAll(context.workers, () =>
    driver.openReader(context.endpoint, work.database, context.abort),
  );
  let firstNs: number | null = null;

  async function loop(reader: Reader, jobStartNs: number): Promise<void> {
    while (!context.stopping.aborted) {
      const index = Atomics.add(context.counter, 0, 1);
      if (index >= source.total) return;
      const query = source.at(index);
      const dueNs = openLoop ? jobStartNs + (index / work.ratePerSecond) * nsPerSecond : null;
      if (dueNs !== null && !(await context.pacer.until(dueNs))) return;
      const execution = work.prewarm ? index * 2 : index;
      await execute(reader, query, dueNs, execution, [all, cold]);
      if (work.prewarm && !context.stopping.aborted)
        await execute(reader, query, null, execution + 1, [undefined, warm], all);
    }
  }

  /** `begun` get started and finished operations, `also` the finished ones only: a warm run follows no schedule. */
  async function execute(
    reader: Reader,
    query: Query,
    dueNs: number | null,
    execution: number,
    begun: readonly (OperationRecorder | undefined)[],
    also?: OperationRecorder,
  ): Promise<void> {
    const startNs = nowNs();
    const counted = execution >= work.burnIn;
    if (counted) firstNs ??= startNs;
    for (const recorder of begun) recorder?.started(counted && dueNs !== null && startNs - dueNs > lateNs);
    const recorders = [...begun, also];
    try {
      const { rows, bytes, firstRowMs } = await reader.run(query, context.abort);
      const endNs = nowNs();
      refuseOthers(query, rows);
      if (counted)
        for (const r of recorders) {
          r?.completed(dueNs ?? startNs, startNs, endNs, rows, 0, bytes);
          if (firstRowMs !== undefined) r?.sawFirstRow(firstRowMs * nsPerMs);
        }
    } catch (error) {
      const failure = toAppError(error);
      if (failure.code === 'cancelled') throw failure;
      if (counted) for (const r of recorders) r?.failed();
      if (!refusals.has(failure.code)) throw failure;
      context.failure(failure.detail ?? failure.message);
    }
  }

  return {
    queries: source.total,
    recorders,
    get firstNs() {
      return firstNs;
    },
    run: (startNs) =>
      runLoops(
        context,
        readers.map((reader) => () => loop(reader, startNs)),
      ),
    close: () => closeAll(readers),
  };
}

/** An answer of another number of rows than were inserted is a failure, however quick it was. */
function refuseOthers({ expected }: Query, rows: number): void {
  if (expected === undefined || expected.rows === rows) return;
  throw new AppError({
    code: 'server-error',
    message: `${formatCounted(rows, 'row was', 'rows were')} fetched where ${formatCount(expected.rows)} had been inserted`,
  });
}
