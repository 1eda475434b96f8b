import { type AppError, toAppError } from '../../src-shared/errors.ts';
import type { Driver, Endpoint } from '../databases/driver.ts';
import type { Workload } from '../workloads/workload.ts';
import type { ThreadTransactions } from './messages.ts';
import type { Pacer } from './pacer.ts';
import type { OperationRecorder } from './recorder.ts';

/** Where a thread finds what a job names. */
export interface Registries {
  findDriver(id: string): Driver;
  findWorkload(id: string): Workload;
}

/** What the two kinds of work get from their thread. */
export interface ThreadContext extends Registries {
  endpoint: Endpoint;
  /** Numbers of this thread's workers. */
  workers: readonly number[];
  /** One number shared by all threads: the next batch or query. */
  counter: Int32Array;
  pacer: Pacer;
  /** Begin nothing more. */
  stopping: AbortSignal;
  /** Give up what is under way. */
  abort: AbortSignal;
  /** Aborts `stopping`. */
  stop(): void;
  /** Keeps the message of a failed operation. */
  failure(message: string): void;
  /** A line for the run's event list, about batches or a log. */
  logBatch(line: string): void;
}

/** The work of one thread: connections are open. */
export interface ThreadWork {
  /** Queries of the whole job; null for a load. */
  readonly queries: number | null;
  /** Only of transactions. */
  readonly connectingNs?: { from: number; to: number };
  transactions?(): ThreadTransactions;
  /** Only of a load: idle time since the last call in which it could only wait for rows to be read, ms. */
  readWaitMs?(): number;
  /** Only of rows that are read: how far each source has come. */
  reached?(): string[];
  /** Each client's share. */
  clients?(): { count: number; seconds: number }[];
  /** The error of the first client that one ended without ending the work. */
  readonly clientError?: AppError | null;
  /** In the order of `operationNames`. */
  readonly recorders: readonly OperationRecorder[];
  /** Start of the first counted execution; null before. */
  readonly firstNs: number | null;
  /** One loop per worker. Resolves when all have ended, with what ended the first of them before its work was done. */
  run(startNs: number): Promise<AppError | null>;
  /** Once `run` has ended and its last figures are taken: writes down what is left. */
  finish?(): Promise<void>;
  close(): Promise<void>;
}

/** Opens one connection per worker; if one fails, the others are closed and its error is thrown. */
export async function openAll<C extends { close(): Promise<void> }>(
  workers: readonly number[],
  open: (worker: number) => Promise<C>,
): Promise<C[]> {
  const opened = await Promise.allSettled(workers.map(open));
  const connections = opened.flatMap((o) => (o.status === 'fulfilled' ? [o.value] : []));
  const failed = opened.find((o) => o.status === 'rejected');
  if (failed === undefined) return connections;
  await closeAll(connections);
  throw failed.reason;
}

/** Closes them all, whatever becomes of each: nothing is under way on them any more. */
export async function closeAll(connections: readonly { close(): Promise<void> }[]): Promise<void> {
  await Promise.allSettled(connections.map((connection) => connection.close()));
}

/** Runs the loops; the first that throws stops the others, which end what they have under way. */
export async function runLoops(
  context: ThreadContext,
  loops: readonly (() => Promise<void>)[],
): Promise<AppError | null> {
  let first: AppError | null = null;
  await Promise.all(
    loops.map(async (loop) => {
      try {
        await loop();
      } catch (error) {
        first ??= toAppError(error);
        context.stop();
      }
    }),
  );
  return first;
}
