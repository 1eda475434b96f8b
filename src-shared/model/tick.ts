import { z } from 'zod';
import { latencySchema } from './latency.ts';
import { tickTransactionsSchema } from './transactions.ts';

/** One operation within one interval. */
export const tickOperationSchema = z.object({
  name: z.string(),
  count: z.int().nonnegative(),
  errors: z.int().nonnegative(),
  late: z.int().nonnegative(),
  /** Waiting past their schedule and not started, at the interval's end. */
  backlog: z.int().nonnegative(),
  rows: z.int().nonnegative(),
  metrics: z.int().nonnegative(),
  bytes: z.number().nonnegative(),
  latencyUs: latencySchema.nullable(),
  serviceUs: latencySchema.nullable(),
});
export type TickOperation = z.infer<typeof tickOperationSchema>;

/** One snapshot, made once a second while a phase is measured, and once more for the rest at its end. */
export const tickSchema = z.object({
  runId: z.string(),
  /** Index of the phase. */
  phase: z.int().nonnegative(),
  /** 0, 1, 2 … over the whole run. */
  seq: z.int().nonnegative(),
  /** End of the interval, milliseconds since the run's start. */
  atMs: z.number().nonnegative(),
  /** Length of the interval as measured, never assumed to be 1,000. */
  intervalMs: z.number().positive(),
  operations: z.array(tickOperationSchema),
  /** Only of a transactions phase. */
  transactions: tickTransactionsSchema.optional(),
  /** Only while tables are made (phase kind `initialize`). */
  making: z.literal(true).optional(),
  client: z.object({
    /** Busiest worker's event-loop utilisation, 0 to 1; waits for a data file, and its unpacking, count as utilised. */
    busiest: z.number().min(0).max(1),
    /** CPU of the whole process over the interval, in cores. */
    cpuCores: z.number().nonnegative(),
    /** Longest event-loop delay seen in a worker, ms. */
    loopDelayMs: z.number().nonnegative(),
    rssBytes: z.number().nonnegative(),
  }),
});
export type Tick = z.infer<typeof tickSchema>;

/** Name of a load's operation. */
const batch = 'batch';

/** What kind of phase a tick is of. */
export function tickKind(
  tick: Pick<Tick, 'operations' | 'transactions' | 'making'>,
): 'load' | 'queries' | 'initialize' | 'transactions' {
  if (tick.transactions) return 'transactions';
  if (tick.making) return 'initialize';
  return tick.operations.some(({ name }) => name === batch) ? 'load' : 'queries';
}
