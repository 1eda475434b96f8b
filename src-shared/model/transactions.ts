import { z } from 'zod';
import { entryOf } from '../entryOf.ts';

/** What only phases of transactions, and of making tables for them, have. */

const count = z.int().nonnegative();

/** Ended in an error that is part of the game, by SQLSTATE; retried or not. */
const conflictsSchema = z.record(z.string(), count);

/** Counts of transactions; all but `late` are disjoint from what an operation's `count` has. */
const countsSchema = z.object({
  /** Not done after the last try. Also the operation's `errors`. */
  failed: count,
  /** Had at least one retry, whatever became of them. */
  retried: count,
  retries: count,
  /** Never begun: their turn was past by more than the latency limit. */
  skipped: count,
  /** Done, but above the latency limit. */
  late: count,
  /** Statements of done and failed tries: gave rows, changed rows, did neither. */
  reads: count,
  writes: count,
  others: count,
  conflicts: conflictsSchema,
});

/** Actual start − scheduled start, of transactions that were done, µs; null without a rate and while there are none. */
const lagSchema = z.object({ meanUs: z.number(), maxUs: z.number() }).nullable();

/** Of one interval of a transactions phase; the operation that holds all of them is the tick's first. */
export const tickTransactionsSchema = countsSchema.extend({
  /** Clients that had not ended at the interval's end. */
  clients: count,
  /** Of them: in the middle of a transaction. */
  busy: count,
  /** Seconds spent connecting again, with a new connection for each transaction. */
  connectSeconds: z.number().nonnegative(),
  lag: lagSchema,
  /** Latencies in sysbench's buckets (`stats/logBuckets.ts`), for the percentiles of reports in its words. */
  buckets: z.object({ first: count, counts: z.array(count) }).optional(),
});
export type TickTransactions = z.infer<typeof tickTransactionsSchema>;

/** One statement, or command of the client, of a script; present where per-statement figures were asked for. */
export const statementFiguresSchema = z.object({
  /** Number of its script. */
  script: count,
  text: z.string(),
  /** Successful executions and their mean time. */
  count,
  meanUs: z.number().nonnegative(),
  failures: count,
  retries: count,
});
export type StatementFigures = z.infer<typeof statementFiguresSchema>;

/** Of a transactions phase as a whole. Its operations: all transactions; after it each script where there are several. */
export const transactionFiguresSchema = countsSchema.extend({
  clients: z.int().positive(),
  threads: z.int().positive(),
  /** Ended by an error before the end. */
  endedClients: count,
  /** Done ÷ seconds. Connecting before the start is no part of the seconds; connecting again is. */
  tps: z.number().nonnegative(),
  /** From the first connection's beginning to the moment all were open (and statements prepared): one span. */
  connectSeconds: z.number().nonnegative(),
  /** Connections made again during the phase, and how long that took together. */
  reconnects: count,
  reconnectSeconds: z.number().nonnegative(),
  lag: lagSchema,
  latencyLimitMs: z.number().nullable(),
  ratePerSecond: z.number().nonnegative(),
  /** The failed ones, by the SQLSTATE of their last try. */
  failures: conflictsSchema.optional(),
  /** Names of all scripts; their number is their place. */
  scripts: z.array(
    z.object({
      ...{ name: z.string(), count, failed: count, failures: conflictsSchema.optional() },
      ...{ retried: count, retries: count, skipped: count },
    }),
  ),
  statements: z.array(statementFiguresSchema),
  /** Transactions done by each client and the sum of their latencies: mean and standard deviation (population). */
  fairness: z.object({
    count: z.object({ mean: z.number(), stddev: z.number() }),
    seconds: z.object({ mean: z.number(), stddev: z.number() }),
  }),
  /** What the workload found before the phase: scale, partitions. */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type TransactionFigures = z.infer<typeof transactionFiguresSchema>;

/** Names of what is retried or common under contention, for people; other states go by their code alone. */
const stateNames: Record<string, string> = {
  '40001': 'serialization failure',
  '40P01': 'deadlock',
  '23505': 'duplicate key',
  '55P03': 'lock not available',
  '25P02': 'transaction aborted',
  '57014': 'statement cancelled',
};

/** `deadlock (40P01)` */
export function conflictName(state: string): string {
  const name = entryOf(stateNames, state);
  return name === undefined ? state : `${name} (${state})`;
}
