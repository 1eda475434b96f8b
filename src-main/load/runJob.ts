import { availableParallelism } from 'node:os';
import { type AppError, cancelled, toAppError } from '../../src-shared/errors.ts';
import { lateNs, nowNs, nsPerMs, nsPerSecond } from './clock.ts';
import type { Job, JobResult, Snapshot } from './job.ts';
import { threadEntry } from './loadThread.ts';
import { Merger } from './merger.ts';
import type { ThreadSnapshot } from './messages.ts';
import { ThreadGroup } from './threadGroup.ts';

const keptFailures = 5;

export interface JobOptions {
  /** Ends the job as `cancelled`; batches under way are still waited for a moment. */
  signal: AbortSignal;
  /** Once a second and once more for the rest; all of them add up to the result. */
  onSnapshot?: (snapshot: Snapshot) => void;
  /** Something worth a line in the run's event list. */
  onEvent?: (text: string) => void;
  /** All connections are open; transactions are done that are not counted yet. */
  onWarmup?: () => void;
  /** All connections are open and the measured time begins. */
  onStart?: (startNs: number) => void;
  /** Done first within the measured time, before the workers begin. */
  prelude?: (signal: AbortSignal) => Promise<void>;
  /** Threads at most; where it is not given, what `threadsFor` says. */
  threads?: number;
  /** Entry of the worker threads, for tests. */
  entry?: URL;
}

/**
 * Runs a load, one queries job, transactions or a step of making tables on worker threads. Connections are opened first; the measured time starts when all are
 * open and ends with the last thing that any of them did.
 *
 * Never throws for what happens to the job: a lost connection, a dead thread, a cancel are the result's `error`, with
 * the figures up to then; what the listeners throw is as well. It resolves when all connections are closed and all threads have exited.
 */
export async function runJob(job: Job, options: JobOptions): Promise<JobResult> {
  const { work } = job;
  const failures: string[] = [];
  let merger: Merger | undefined;
  /** What listeners throw, e.g. because the disk is full, ends the job like any other failure. */
  function guarded(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      group.stop(toAppError(error));
    }
  }
  function take(snapshot: ThreadSnapshot, thread: number): void {
    for (const failure of snapshot.failures) {
      if (failures.length === keptFailures) break;
      failures.push(failure);
      guarded(() => options.onEvent?.(`${failedWords[work.kind]}: ${failure}`));
    }
    for (const line of snapshot.batches) guarded(() => options.onEvent?.(line));
    merger?.add(snapshot, thread); // what is done before the measured time is not counted, so nothing can be in it
  }

  const threads = Math.min(work.workers, options.threads ?? threadsFor(work));
  const counter = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const data = Array.from({ length: threads }, (_, thread) => ({
    job,
    counter,
    workers: Array.from({ length: work.workers }, (_, worker) => worker).filter(
      (w) => w % threads === thread,
    ),
  }));
  const group = new ThreadGroup(options.entry ?? threadEntry, data, work.kind, take);
  const onAbort = () => group.stop(cancelled());
  options.signal.addEventListener('abort', onAbort, { once: true });
  if (options.signal.aborted) onAbort();

  await group.ready;
  const warmupNs = work.kind === 'transactions' ? work.warmupSeconds * nsPerSecond : 0;
  const startNs = nowNs() + warmupNs;
  if (warmupNs > 0 && group.error === null) {
    guarded(() => options.onWarmup?.());
    group.go(startNs);
    await untilOrThrough(startNs, group);
  }
  const measured = new Merger(work, startNs);
  merger = measured;
  if (group.error === null) guarded(() => options.onStart?.(startNs));
  let scheduleNs = startNs;
  /** Queries that should have started by then, by the open loop's schedule. */
  const due = (atNs: number) =>
    work.kind === 'queries' && work.ratePerSecond > 0 && group.queries !== null
      ? Math.min(
          group.queries,
          Math.floor(((atNs - lateNs - scheduleNs) / nsPerSecond) * work.ratePerSecond) + 1,
        )
      : 0;
  const publish = () => {
    const snapshot = measured.close(nowNs(), due);
    if (snapshot) guarded(() => options.onSnapshot?.(snapshot));
  };

  const ticking = everySecond(startNs, group, publish);
  try {
    if (group.error === null) await options.prelude?.(options.signal);
  } catch (error) {
    group.stop(toAppError(error));
  }
  if (group.error === null && warmupNs === 0) {
    scheduleNs = nowNs();
    group.go(scheduleNs);
  }
  await ticking;
  publish();
  await group.exited();
  options.signal.removeEventListener('abort', onAbort);

  const endNs = measured.endNs;
  const operations = measured.totals(due(endNs));
  const error = group.error ?? allClientsEnded(work, group, measured);
  const transactions = transactionTotals(group, measured, threads);
  return { error, startNs, endNs, operations, failures, reached: group.reached, transactions };
}

const failedWords: Record<Job['work']['kind'], string> = {
  load: 'Batch failed',
  queries: 'Query failed',
  transactions: 'A client ended',
  initialize: 'A step failed',
};

/** Where each client's error ends only that client, the job has failed once none is left. */
function allClientsEnded(work: Job['work'], group: ThreadGroup, { transactions }: Merger): AppError | null {
  const all = transactions !== null && transactions.total.endedClients === work.workers;
  return all ? group.clientError : null;
}

function transactionTotals(
  { connectingNs, clients }: ThreadGroup,
  { transactions }: Merger,
  threads: number,
): JobResult['transactions'] {
  if (transactions === null) return null;
  const connectSeconds = Math.max(0, connectingNs.to - connectingNs.from) / nsPerSecond;
  return { tally: transactions.total, threads, connectSeconds, clients };
}

async function untilOrThrough(atNs: number, group: ThreadGroup): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(0, (atNs - nowNs()) / nsPerMs));
  void group.through.then(resolve);
  await promise;
  clearTimeout(timer);
}

/** Snapshots at whole seconds after the start, without drift, until the group is through. */
async function everySecond(startNs: number, group: ThreadGroup, publish: () => void): Promise<void> {
  let through = false;
  let wake: () => void = () => undefined;
  void group.through.then(() => {
    through = true;
    wake();
  });
  let second = 1;
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const timer = setTimeout(resolve, Math.max(0, (startNs + second * nsPerSecond - nowNs()) / nsPerMs));
    if (!through) await promise;
    clearTimeout(timer);
    if (through) return;
    await group.snapshot();
    publish();
    // Where the threads took long to answer, the seconds passed meanwhile are one longer interval.
    second = Math.max(second, Math.floor((nowNs() - startNs) / nsPerSecond)) + 1;
  }
}

/**
 * Worker threads for a job on this machine.
 *
 * A loading thread makes rows several times as fast as one connection's server takes them, and each further thread goes
 * through the whole simulation once more: one for two connections leaves more of the cores to a server that shares them
 * (psql's rate with two connections on two cores: see the suite `load` of the bench). Two threads serve the
 * transactions of many clients, or half of the cores: on a busy machine one alone would get too small a share of it.
 */
export function threadsFor(work: Job['work']): number {
  const cores = availableParallelism();
  switch (work.kind) {
    case 'load':
      return work.reading ? 1 : Math.min(Math.ceil(work.workers / 2), cores);
    case 'transactions':
      return Math.min(work.threads ?? Math.min(cores, Math.max(2, Math.ceil(cores / 2))), work.workers);
    default:
      return Math.min(work.workers, cores);
  }
}
