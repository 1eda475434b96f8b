import { type AppError, toAppError } from '../../src-shared/errors.ts';
import { formatCount, formatLatency, formatRate } from '../../src-shared/units.ts';
import type { RowSink, Writer } from '../databases/driver.ts';
import { openRows } from '../workloads/sources.ts';
import type { RowSource } from '../workloads/workload.ts';
import { type Batch, Batches } from './batches.ts';
import { nowNs, nsPerSecond } from './clock.ts';
import type { LoadWork } from './job.ts';
import { intervalDraws } from './pacer.ts';
import { Reached } from './reached.ts';
import { ReadWaits } from './readWaits.ts';
import { OperationRecorder } from './recorder.ts';
import { closeAll, openAll, runLoops, type ThreadContext, type ThreadWork } from './threadWork.ts';

/** The writers of a thread. While the server works on a batch, its worker makes the next one. */
export async function openLoad(work: LoadWork, context: ThreadContext): Promise<ThreadWork> {
  const recorder = new OperationRecorder(false);
  const claimShared = () => Atomics.add(context.counter, 0, 1);
  const shared = work.hashWorkers ? null : openRows(context.findWorkload, work.rows);
  const reached: Reached[] = [];
  const waits = new ReadWaits();
  const sources: RowSource[] = [];
  const sharedBatches = shared && batchesOf(shared, claimShared, '');

  /** @param whose see `Reached` */
  function batchesOf(source: RowSource, claim: () => number, whose: string): Batches {
    sources.push(source);
    const told = source.place === undefined ? null : new Reached(whose);
    if (told !== null) reached.push(told);
    return new Batches(source, work.batchSize, claim, waits, told);
  }

  function share(worker: number): { source: RowSource; batches: Batches } {
    if (shared && sharedBatches) return { source: shared, batches: sharedBatches };
    const source = openRows(context.findWorkload, work.rows, { worker, workers: work.workers });
    let next = 0;
    return { source, batches: batchesOf(source, () => next++, `Worker ${worker}: `) };
  }

  const { prepared } = work;
  const writers = await openAll(context.workers, async (worker) => {
    const { source, batches } = share(worker);
    const writer =
      prepared === null
        ? discard()
        : await context
            .findDriver(context.endpoint.engine)
            .openWriter(context.endpoint, prepared, context.abort, source.dataset);
    const meter = prepared === null ? noMetrics(writer) : meterFor(source, writer);
    return { worker, batches, writer, meter, close: () => writer.close() };
  });

  async function loop({ worker, batches, writer, meter }: (typeof writers)[number]): Promise<void> {
    const draw = intervalDraws(work.insertIntervals, worker, work.seed);
    let earliestNs = 0;
    let flushing: Promise<AppError | null> = Promise.resolve(null);
    for (;;) {
      const batch = context.stopping.aborted ? null : await batches.next(meter.sink);
      const failure = await flushing;
      if (failure) throw failure;
      if (batch === null || batch.rows === 0 || !(await context.pacer.until(earliestNs))) return;
      const startNs = nowNs();
      earliestNs = startNs + draw() * nsPerSecond;
      flushing = flush(writer, startNs, batch, meter.take(batch.rows), worker);
    }
  }

  async function flush(
    writer: Writer,
    startNs: number,
    { rows, acknowledged }: Batch,
    metrics: number,
    worker: number,
  ): Promise<AppError | null> {
    recorder.started(false);
    try {
      const bytes = await writer.flush(context.abort);
      const endNs = nowNs();
      recorder.completed(startNs, startNs, endNs, rows, metrics, bytes);
      acknowledged();
      if (work.logBatches) context.logBatch(batchLine(worker, rows, endNs - startNs));
      return null;
    } catch (error) {
      const failure = toAppError(error);
      if (failure.code !== 'cancelled') {
        recorder.failed();
        context.failure(failure.detail ?? failure.message);
      }
      return failure;
    } finally {
      for (const remark of writer.takeRemarks?.() ?? []) context.logBatch(`Worker ${worker}: ${remark}`);
    }
  }

  return {
    queries: null,
    recorders: [recorder],
    firstNs: null,
    run: () =>
      runLoops(
        context,
        writers.map((writer) => () => loop(writer)),
      ),
    readWaitMs: () => waits.take(),
    reached: () => reached.map((each) => each.text()),
    async close() {
      for (const source of sources) source.close?.();
      await closeAll(writers);
    },
  };
}

function batchLine(worker: number, rows: number, ns: number): string {
  const rate = formatRate((rows / ns) * nsPerSecond);
  return `Worker ${worker}: ${formatCount(rows)} rows in ${formatLatency(ns / 1000)}, ${rate} rows/s`;
}

/** Counts the field values of a batch: in one table all rows have as many, in several each row is looked at. */
interface Meter {
  sink: RowSink;
  /** Field values of the batch of so many rows that was just filled. */
  take(rows: number): number;
}

function meterFor(source: RowSource, writer: Writer): Meter {
  const fields = source.dataset.tables.map((table) => table.fields.length);
  if (fields.length === 1) return { sink: writer, take: (rows) => rows * (fields[0] ?? 0) };
  let metrics = 0;
  return {
    sink: {
      row(table, device, timeMs, nanos, values, missingTag) {
        metrics += fields[table] ?? 0;
        writer.row(table, device, timeMs, nanos, values, missingTag);
      },
    },
    take() {
      const taken = metrics;
      metrics = 0;
      return taken;
    },
  };
}

/** As TSBS without loading: rows are counted, metrics stay 0. */
function noMetrics(sink: RowSink): Meter {
  return { sink, take: () => 0 };
}

function discard(): Writer {
  let pending = 0;
  return {
    get pending() {
      return pending;
    },
    row() {
      pending += 1;
    },
    async flush() {
      pending = 0;
      return 0;
    },
    close: async () => undefined,
  };
}
