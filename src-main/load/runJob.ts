import { availableParallelism } from 'node:os';
import { cancelled, toAppError } from '../../src-shared/errors.ts';
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
  /** All connections are open and the measured time begins. */
  onStart?: (startNs: number) => void;
  /** Done first within the measured time, before the workers begin. */
  prelude?: (signal: AbortSignal) => Promise<void>;
  /** Threads at most; where it is not given, what `usualThreads` says. */
  threads?: number;
  /** Entry of the worker threads, for tests. */
  entry?: URL;
}

/**
 * Runs a load or one queries job on worker threads. Connections are opened first; the measured time starts when all are
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
  function take(snapshot: ThreadSnapshot): void {
    for (const failure of snapshot.failures) {
      if (failures.length === keptFailures) break;
      failures.push(failure);
      const text = work.kind === 'load' ? `Batch failed: ${failure}` : `Query failed: ${failure}`;
      guarded(() => options.onEvent?.(text));
    }
    for (const line of snapshot.batches) guarded(() => options.onEvent?.(line));
    merger?.add(snapshot); // before the measured time nothing is done, so nothing can be in it
  }

  const threads = Math.min(work.workers, options.threads ?? usualThreads(work));
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
  const startNs = nowNs();
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
  if (group.error === null) {
    scheduleNs = nowNs();
    group.go(scheduleNs);
  }
  await ticking;
  publish();
  await group.exited();
  options.signal.removeEventListener('abort', onAbort);

  const endNs = measured.endNs;
  const countedNs = work.kind === 'queries' && work.burnIn > 0 ? (group.firstNs ?? endNs) : startNs;
  return { error: group.error, startNs, endNs, operations: measured.totals(countedNs, due(endNs)), failures };
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
 * A loading thread makes rows several times as fast as one connection's server takes them, and each further thread goes
 * through the whole simulation once more: one for two connections leaves more of the cores to a server that shares them
 * (psql's rate with two connections on two cores: see the suite `load` of the bench).
 */
function usualThreads(work: Job['work']): number {
  const wanted = work.kind === 'load' ? Math.ceil(work.workers / 2) : work.workers;
  return Math.min(wanted, availableParallelism());
}
