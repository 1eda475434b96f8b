import { z } from 'zod';
import type { AppError } from '../../src-shared/errors.ts';
import type { Tick, TickOperation } from '../../src-shared/model/tick.ts';
import { coldQueries, warmQueries } from '../../src-shared/model/wholeOperation.ts';
import type { Distribution } from './distribution.ts';
import type { Tally } from './tally.ts';

const record = z.record(z.string(), z.unknown());
const sourceSpec = z.object({ workload: z.string(), parameters: record });

const loadWork = z.object({
  kind: z.literal('load'),
  rows: sourceSpec,
  /** What the driver's `prepare` gave; null: rows are generated and counted, nothing is written. */
  prepared: z.object({ database: z.string(), notes: z.array(z.string()), driver: record }).nullable(),
  /** Connections. */
  workers: z.int().positive(),
  /** Rows a batch. */
  batchSize: z.int().positive(),
  /** A device's rows always go through the same worker. */
  hashWorkers: z.boolean(),
  /** See `LoadPhase.insertIntervals`. */
  insertIntervals: z.array(z.object({ min: z.number().nonnegative(), max: z.number().nonnegative() })),
  /** Draws the insert intervals. */
  seed: z.number(),
  /** A line for each batch, through `onEvent`. */
  logBatches: z.boolean().optional(),
  /** The rows are read, which one thread does for all connections. */
  reading: z.boolean().optional(),
});
export type LoadWork = z.infer<typeof loadWork>;

const queriesWork = z.object({
  kind: z.literal('queries'),
  /** The operation's name. */
  name: z.string(),
  queries: sourceSpec,
  database: z.string(),
  dialect: z.string(),
  workers: z.int().positive(),
  /** Queries a second over all workers (open loop); 0: each worker asks as soon as it has its answer. */
  ratePerSecond: z.number().nonnegative(),
  /** The first so many executions are not counted. */
  burnIn: z.int().nonnegative(),
  /** Each query twice in a row. */
  prewarm: z.boolean(),
  /** The time to the first row is kept as well. */
  firstRow: z.boolean().optional(),
});
export type QueriesWork = z.infer<typeof queriesWork>;

/** See `TransactionsPhase`. */
const transactionsWork = z.object({
  kind: z.literal('transactions'),
  transactions: sourceSpec,
  /** Names of the scripts, and how many statements there are to keep figures of (0 where none are kept). */
  scripts: z.array(z.string()).min(1),
  statements: z.int().nonnegative(),
  database: z.string(),
  /** Clients: connections. */
  workers: z.int().positive(),
  /** null: as many as this machine has use for. */
  threads: z.int().positive().nullable(),
  seconds: z.number().positive().nullable(),
  transactionsPerClient: z.int().positive().nullable(),
  transactionsInAll: z.int().positive().nullable(),
  ratePerSecond: z.number().nonnegative(),
  latencyLimitMs: z.number().positive().nullable(),
  reconnect: z.boolean(),
  inTurn: z.boolean(),
  warmupSeconds: z.number().nonnegative(),
  statementLatencies: z.boolean(),
  /** File of the first thread's log of single transactions; further threads add `.1`, `.2` … */
  logFile: z.string().optional(),
  onError: z.enum(['end-client', 'end-run']),
  seed: z.number(),
});
export type TransactionsWork = z.infer<typeof transactionsWork>;

const initializeWork = z.object({
  kind: z.literal('initialize'),
  /** The step's name. */
  name: z.string(),
  initialization: sourceSpec,
  /** Its number. */
  step: z.int().nonnegative(),
  database: z.string(),
  /** Connections. */
  workers: z.int().positive(),
});
export type InitializeWork = z.infer<typeof initializeWork>;

/** What a job does and where: plain data, sent to worker threads. `endpoint` may hold a secret. */
export const jobSchema = z.object({
  endpoint: z.object({ engine: z.string(), label: z.string(), connection: record }),
  work: z.discriminatedUnion('kind', [loadWork, queriesWork, transactionsWork, initializeWork]),
});
export type Job = z.infer<typeof jobSchema>;

/** Name of the operation that has the transactions of all scripts. */
const allTransactions = 'transactions';

/** The operations of a job. The first holds everything; the others are parts of it and must not be added to it. */
export function operationNames(work: Job['work']): readonly [string, ...string[]] {
  if (work.kind === 'load') return ['batch'];
  if (work.kind === 'initialize') return [work.name];
  if (work.kind === 'transactions')
    return [allTransactions, ...(work.scripts.length > 1 ? work.scripts : [])];
  return work.prewarm ? [work.name, coldQueries, warmQueries] : [work.name];
}

/** Figures of one operation over some time. */
export interface Figures {
  /** Completed. */
  count: number;
  errors: number;
  /** Open loop: started later than 1 ms after their schedule. */
  late: number;
  /** Completed or not. Queries of the burn-in are among them. */
  started: number;
  rows: number;
  metrics: number;
  bytes: number;
}

export interface OperationTotal extends Figures {
  name: string;
  /** Open loop: due and not started when the job ended. */
  dropped: number;
  /** Seconds from the job's start (with burn-in: from the first counted execution) to its end. */
  seconds: number;
  /** From the scheduled start, where there is a schedule. */
  latency: Distribution;
  /** From the actual start; null without a schedule. */
  service: Distribution | null;
  /** From the actual start to the first row; null where it is not kept. */
  firstRow: Distribution | null;
}

/** One second of a job, all threads together. `Tick` without what only a run knows. */
export interface Snapshot {
  /** End of the interval on the clock of `nowNs`. */
  endNs: number;
  intervalMs: number;
  /** Of the first operation only: parts of it would be counted twice by whoever adds up. */
  operations: TickOperation[];
  /** Only of transactions. */
  transactions?: NonNullable<Tick['transactions']>;
  /** Only of making tables. */
  making?: true;
  client: Tick['client'];
  histograms: { operation: string; latency: string | null; service: string | null }[];
}

export interface JobResult {
  /** null: all work is done. `cancelled`, `worker-died`, or what ended it. Figures are kept either way. */
  error: AppError | null;
  /** On the clock of `nowNs`: the start of the measured time, and the last thing done. */
  startNs: number;
  endNs: number;
  /** As named by `operationNames`. */
  operations: OperationTotal[];
  /** Messages of the first few failed operations. */
  failures: string[];
  /** Only of rows that are read, in words: how far the load has come. */
  reached: readonly string[];
  /** Only of transactions that have begun. */
  transactions: TransactionTotals | null;
}

export interface TransactionTotals {
  tally: Tally;
  threads: number;
  /** From the first connection's beginning to the moment when all were open. */
  connectSeconds: number;
  /** Of each client: transactions done, and seconds spent in them. */
  clients: readonly { count: number; seconds: number }[];
}
