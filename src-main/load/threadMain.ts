import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { type AppError, toAppError } from '../../src-shared/errors.ts';
import { nowNs, nsPerMs } from './clock.ts';
import { openInitializeWork } from './initializeWork.ts';
import type { Job } from './job.ts';
import { openLoad } from './loadWork.ts';
import { type FromThread, type ThreadSnapshot, threadDataSchema, toThreadSchema } from './messages.ts';
import { Pacer } from './pacer.ts';
import { openQueriesWork } from './queriesWork.ts';
import type { Registries, ThreadContext, ThreadWork } from './threadWork.ts';
import { openTransactionsWork } from './transactionsWork.ts';

/** The delay monitor's own timer, ms: what it measures includes this wait. */
const delayResolutionMs = 10;
const keptFailures = 5;

function open(work: Job['work'], context: ThreadContext): Promise<ThreadWork> {
  switch (work.kind) {
    case 'load':
      return openLoad(work, context);
    case 'queries':
      return openQueriesWork(work, context);
    case 'transactions':
      return openTransactionsWork(work, context);
    case 'initialize':
      return openInitializeWork(work, context);
  }
}

/** Body of a worker thread: opens its connections, waits for the start, works, reports, closes. */
export async function runThread(registries: Registries): Promise<void> {
  if (parentPort === null) throw new Error('this file is the entry of a worker thread');
  const port = parentPort;
  const send = (message: FromThread) => port.postMessage(message);
  const { job, workers, counter } = threadDataSchema.parse(workerData);

  const stopping = new AbortController();
  const abort = new AbortController();
  const pacer = new Pacer(stopping.signal);
  let failures: string[] = [];
  let failuresSeen = 0;
  let batches: string[] = [];
  const context: ThreadContext = {
    ...registries,
    endpoint: job.endpoint,
    workers,
    counter: new Int32Array(counter),
    pacer,
    stopping: stopping.signal,
    abort: abort.signal,
    stop: () => stopping.abort(),
    failure(message) {
      failuresSeen += 1;
      if (failuresSeen <= keptFailures) failures.push(message);
    },
    logBatch(line) {
      batches.push(line);
    },
  };

  const delay = monitorEventLoopDelay({ resolution: delayResolutionMs });
  let loop = performance.eventLoopUtilization();
  function snapshot(work: ThreadWork): ThreadSnapshot {
    const now = performance.eventLoopUtilization();
    const { active, idle } = performance.eventLoopUtilization(now, loop);
    loop = now;
    // The loader sets the pace, too, where it waits for its own file.
    const busyMs = active + Math.min(idle, work.readWaitMs?.() ?? 0);
    const loopDelayMs = delay.count === 0 ? 0 : Math.max(0, delay.max / nsPerMs - delayResolutionMs);
    delay.reset();
    const taken = { failures, batches };
    failures = [];
    batches = [];
    return {
      operations: work.recorders.map((recorder) => recorder.take()),
      ...(work.transactions && { transactions: work.transactions() }),
      busy: active + idle > 0 ? busyMs / (active + idle) : 0,
      loopDelayMs,
      endNs: nowNs(),
      firstNs: work.firstNs,
      ...taken,
    };
  }

  const start = Promise.withResolvers<number | null>();
  let work: ThreadWork | null = null;
  port.on('message', (data: unknown) => {
    const message = toThreadSchema.parse(data);
    if (message.type === 'go') start.resolve(message.startNs);
    else if (message.type === 'stop') {
      stopping.abort();
      if (message.now) abort.abort();
      start.resolve(null);
    } else if (work !== null) send({ type: 'snapshot', snapshot: snapshot(work) });
  });

  try {
    work = await open(job.work, context);
  } catch (error) {
    send({ type: 'failed', error: toAppError(error).toData() });
    port.close();
    return;
  }
  delay.enable();
  loop = performance.eventLoopUtilization(); // opening the connections is no part of what is measured
  const { connectingNs } = work;
  send({ type: 'ready', queries: work.queries, ...(connectingNs && { connectingNs }) });
  const startNs = await start.promise;
  const error: AppError | null = startNs === null ? null : await work.run(startNs);
  const { clientError } = work;
  const clients = work.clients?.();
  const reached = work.reached?.();
  const ended = work;
  work = null;
  const last = snapshot(ended);
  await ended.finish?.();
  send({
    type: 'done',
    snapshot: { ...last, batches: [...last.batches, ...batches] },
    error: error?.toData() ?? null,
    ...(reached && { reached }),
    ...(clients && { clients, clientError: clientError?.toData() ?? null }),
  });
  delay.disable();
  await ended.close();
  await pacer.close();
  port.close();
}
