import type { Phase } from '../../src-shared/model/run.ts';
import type { Driver, Endpoint, Session } from '../databases/driver.ts';
import { nowNs } from '../load/clock.ts';
import type { Job, JobResult, Snapshot } from '../load/job.ts';
import { runJob } from '../load/runJob.ts';
import type { Workload } from '../workloads/workload.ts';
import type { ActiveRun } from './activeRun.ts';

/** What a phase works with. */
export interface PhaseContext {
  run: ActiveRun;
  driver: Driver;
  endpoint: Endpoint;
  session: Session;
  findWorkload(id: string): Workload;
  /** See `RunnerDependencies`. */
  dataFolder: string;
  /** Entry of the worker threads, for tests. */
  entry: URL | undefined;
  index: number;
  name: string;
  /**
   * Restarts the server, so that what it kept in memory is gone; `session` is closed by that.
   * @throws AppError `unsupported` where Benchberry does not run the server
   */
  restartServer(): Promise<void>;
  /** The phase's connections are open: its database is looked at from now on until the phase is over. */
  watchServer(): void;
}

/** What a phase wants to know while a job of it is on. */
export interface Measured {
  onStart(startNs: number): void;
  onWarmup?(): void;
  onSnapshot?(snapshot: Snapshot): void;
  onRows?(rows: number): void;
  onOperations?(operations: number): void;
  prelude?(signal: AbortSignal): Promise<void>;
}

/** Runs a job; its ticks are stored and published, and the server is watched. */
export function measure(work: Job['work'], context: PhaseContext, hooks: Measured): Promise<JobResult> {
  const { run, endpoint, index, entry } = context;
  // Not before: the last free connection of a server is the benchmark's.
  const watch = () => {
    if (work.kind !== 'load' || work.prepared !== null) context.watchServer();
  };
  return runJob(
    { endpoint, work },
    {
      signal: run.signal,
      onStart(startNs) {
        hooks.onStart(startNs);
        watch();
      },
      onWarmup() {
        hooks.onWarmup?.();
        watch();
      },
      onEvent: (text) => run.event('error', text),
      onSnapshot(snapshot) {
        run.tick(index, snapshot);
        hooks.onSnapshot?.(snapshot);
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

/** A phase before its measured time begins. */
export function emptyPhase({ index, name, run }: PhaseContext, kind: Phase['kind'], workers: number): Phase {
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
