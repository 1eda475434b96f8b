import { z } from 'zod';
import { errorDataSchema } from '../../src-shared/model/run.ts';
import { jobSchema } from './job.ts';
import { tallySchema } from './tally.ts';

/** What passes between the main thread and the threads of a job; each side parses what it gets. */

/** `workerData` of a thread. */
export const threadDataSchema = z.object({
  job: jobSchema,
  /** Numbers of the workers (connections) that are this thread's. */
  workers: z.array(z.int().nonnegative()).min(1),
  /** Shared by all threads: number of the next batch or query. */
  counter: z.instanceof(SharedArrayBuffer),
});
export type ThreadData = z.infer<typeof threadDataSchema>;

export const toThreadSchema = z.discriminatedUnion('type', [
  /** Begin; the schedule of an open loop counts from `startNs`. */
  z.object({ type: z.literal('go'), startNs: z.number() }),
  /** Send a snapshot. */
  z.object({ type: z.literal('snapshot') }),
  /** Begin nothing more; with `now` give up what is under way as well. */
  z.object({ type: z.literal('stop'), now: z.boolean() }),
]);
export type ToThread = z.infer<typeof toThreadSchema>;

const distribution = z.object({ histogram: z.string(), sumUs: z.number() }).nullable();
const count = z.int().nonnegative();
const operationDelta = z.object({
  count,
  errors: count,
  late: count,
  started: count,
  rows: count,
  metrics: count,
  bytes: count,
  latency: distribution,
  service: distribution,
  firstRow: distribution,
});
export type OperationDelta = z.infer<typeof operationDelta>;

const threadTransactions = z.object({
  tally: tallySchema,
  /** Now: clients that have not ended, those in a transaction, turns that nobody is free for. */
  clients: count,
  busy: count,
  waiting: count,
});
export type ThreadTransactions = z.infer<typeof threadTransactions>;

const threadSnapshot = z.object({
  /** In the order of `operationNames`. */
  operations: z.array(operationDelta),
  /** Only of transactions. */
  transactions: threadTransactions.optional(),
  /** Event-loop utilisation since the last snapshot, 0 to 1; waits for a data file count as utilised. */
  busy: z.number(),
  /** Longest event-loop delay since the last snapshot, ms. */
  loopDelayMs: z.number().nonnegative(),
  endNs: z.number(),
  /** Start of the first counted query of the thread; null before, and for other work. */
  firstNs: z.number().nullable(),
  /** Messages of operations that failed since the last snapshot; the first few of the thread only. */
  failures: z.array(z.string()),
  /** Lines of the batches since the last snapshot, where they are asked for. */
  batches: z.array(z.string()),
});
export type ThreadSnapshot = z.infer<typeof threadSnapshot>;

export const fromThreadSchema = z.discriminatedUnion('type', [
  /** Connections are open. `queries`: of the whole job; null for a load. */
  z.object({
    type: z.literal('ready'),
    queries: z.int().nonnegative().nullable(),
    /** Only of transactions: when connecting began and ended. */
    connectingNs: z.object({ from: z.number(), to: z.number() }).optional(),
  }),
  z.object({ type: z.literal('snapshot'), snapshot: threadSnapshot }),
  /** All workers have ended; the connections are closed next, then the thread exits. */
  z.object({
    type: z.literal('done'),
    snapshot: threadSnapshot,
    error: errorDataSchema.nullable(),
    /** Only of rows that are read: how far the load has come. */
    reached: z.array(z.string()).optional(),
    /** Only of transactions: each client's share, and the error of the first that one ended. */
    clients: z.array(z.object({ count, seconds: z.number() })).optional(),
    clientError: errorDataSchema.nullable().optional(),
  }),
  /** The thread could not begin. */
  z.object({ type: z.literal('failed'), error: errorDataSchema }),
]);
export type FromThread = z.infer<typeof fromThreadSchema>;
