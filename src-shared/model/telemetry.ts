import { z } from 'zod';

/**
 * What a database server does beside a run, as its telemetry tells. Names of wait events are the server's own, as
 * `type:event` (`IO:WALSync`, from PostgreSQL 17 on `IO:WalSync`); a session that runs without waiting is `CPU`.
 */

const counts = z.record(z.string(), z.int().positive());

/** What the run's own sessions were found doing in the samples of an interval. */
const waitsSchema = z.object({
  /** How often was looked, about ten times a second. */
  samples: z.int().nonnegative(),
  /** Sessions found in each event, summed over the samples: those at work and those within a transaction. */
  events: counts,
  /** Sessions found between two transactions, with nothing to do. */
  idle: z.int().nonnegative(),
});

const checkpointStates = ['running', 'done', 'skipped'] as const;

/** Told again whenever more is known of it; the last report of an `id` counts. */
export const checkpointSchema = z.object({
  id: z.int().nonnegative(),
  /** `skipped`: what began had nothing to write. */
  state: z.enum(checkpointStates),
  /** On the run's axis, ms; below zero where it began before the run. */
  startMs: z.number(),
  /** It was on when the watch began, and `startMs` is that moment: when it really began is known once it has ended. */
  alreadyOn: z.literal(true).optional(),
  /** null while it is on. */
  endMs: z.number().nullable(),
  /** `requested`: by a statement, or because max_wal_size was reached. null where it is not known yet. */
  reason: z.enum(['timed', 'requested']).nullable(),
  /** Pages written. */
  buffers: z.int().nonnegative().nullable(),
  /** Of the two phases, ms; null until it has ended. */
  writeMs: z.number().nonnegative().nullable(),
  syncMs: z.number().nonnegative().nullable(),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

/** A session of the run that waits for a lock, and who holds it. */
const blockedSchema = z.object({
  pid: z.int(),
  /** `transactionid`, `relation`, `tuple` … */
  lock: z.string(),
  mode: z.string(),
  /** null where the lock is not on one, or on one of another database. */
  relation: z.string().nullable(),
  waitedMs: z.number().nonnegative(),
  by: z.array(z.object({ pid: z.int(), application: z.string(), state: z.string() })),
});
export type Blocked = z.infer<typeof blockedSchema>;

/** Counted in the interval. A server publishes a session's counts about once a second, at the end of a transaction. */
const databaseCountsSchema = z.object({
  commits: z.number().nonnegative(),
  rollbacks: z.number().nonnegative(),
  blocksRead: z.number().nonnegative(),
  blocksHit: z.number().nonnegative(),
  tempFiles: z.number().nonnegative(),
  tempBytes: z.number().nonnegative(),
  deadlocks: z.number().nonnegative(),
  rowsReturned: z.number().nonnegative(),
  rowsFetched: z.number().nonnegative(),
  rowsInserted: z.number().nonnegative(),
  rowsUpdated: z.number().nonnegative(),
  rowsDeleted: z.number().nonnegative(),
});

const walCountsSchema = z.object({
  bytes: z.number().nonnegative(),
  /** From PostgreSQL 14 on. */
  records: z.number().nonnegative().nullable(),
  fullPageImages: z.number().nonnegative().nullable(),
  buffersFull: z.number().nonnegative().nullable(),
});

/** Bytes in the interval; null where this version of the server does not tell. */
const ioCountsSchema = z.object({
  readBytes: z.number().nonnegative().nullable(),
  checkpointerBytes: z.number().nonnegative().nullable(),
  backgroundWriterBytes: z.number().nonnegative().nullable(),
  /** Written by the sessions themselves, growth of tables included. */
  backendBytes: z.number().nonnegative().nullable(),
  evictions: z.number().nonnegative().nullable(),
});

const sizesSchema = z.object({
  databaseBytes: z.number().nonnegative(),
  /** The largest, the largest first. */
  tables: z.array(
    z.object({
      name: z.string(),
      tableBytes: z.number().nonnegative(),
      indexBytes: z.number().nonnegative(),
    }),
  ),
});

/** Of a server that acknowledges rows once they are in its log and applies them to the tables after that, as they are now. */
const applyingSchema = z.object({
  /** In the log and not yet in the tables. */
  transactions: z.int().nonnegative(),
  /** null where this version of the server does not tell. */
  rows: z.int().nonnegative().nullable(),
  /** Tables to which nothing is applied any more. */
  suspended: z.array(z.string()),
  /** Memory that it has taken for itself, mapped files included, and what of its process is in memory. */
  usedBytes: z.number().nonnegative().nullable(),
  residentBytes: z.number().nonnegative().nullable(),
});

/** About a second of a server. A gap in time is one in what is known. */
export const serverSampleSchema = z.object({
  /** End of the interval, milliseconds since the run's start. */
  atMs: z.number().nonnegative(),
  /** Length of the interval as measured. */
  intervalMs: z.number().positive(),
  waits: waitsSchema,
  /** What the server's own processes were found doing, by process (`checkpointer`), their idling left out. */
  background: z.record(z.string(), counts),
  /** Those of which something became known in the interval. */
  checkpoints: z.array(checkpointSchema),
  /** Tables that autovacuum is at, with what it does: `VACUUM public.pgbench_history, scanning heap`. */
  autovacuum: z.array(z.string()),
  /** Sessions of the run in a queue for a lock, the longest waits first; how many there are in all. */
  blocked: z.array(blockedSchema),
  blockedCount: z.int().nonnegative(),
  // null: counted for the first time, or the counters began anew, or the server does not tell.
  wal: walCountsSchema.nullable(),
  database: databaseCountsSchema.nullable(),
  io: ioCountsSchema.nullable(),
  /** Only of servers that work so. */
  applying: applyingSchema.exactOptional(),
  /** Every ten seconds. */
  sizes: sizesSchema.nullable(),
});
export type ServerSample = z.infer<typeof serverSampleSchema>;

/** A statement of a run, its constants taken out, from pg_stat_statements: what was added while the run was on. */
export const statementSchema = z.object({
  /** The server's own identifier. */
  id: z.string(),
  text: z.string(),
  calls: z.number().nonnegative(),
  totalMs: z.number().nonnegative(),
  rows: z.number().nonnegative(),
  blocksHit: z.number().nonnegative(),
  blocksRead: z.number().nonnegative(),
});
export type Statement = z.infer<typeof statementSchema>;

/** What is kept of a run's telemetry beside its samples. */
export const serverWatchSchema = z.object({
  /** What the target's user may not see, and the role that would show it. */
  limits: z.array(z.object({ what: z.string(), role: z.string() })),
  /** The ones that took the most time, the longest first. */
  statements: z.array(statementSchema),
  /** Why there are no statements; null where there may be some. */
  noStatements: z.string().nullable(),
});
export type ServerWatch = z.infer<typeof serverWatchSchema>;
