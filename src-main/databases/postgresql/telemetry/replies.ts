import { z } from 'zod';

/** What the statements of `texts.ts` answer. */

const controlSchema = z.object({
  /** The server's clock, ms since 1970. */
  at: z.number(),
  /** Place and start (whole seconds) of the last checkpoint that is complete. */
  checkpoint: z.string(),
  started: z.number(),
});
export const lookSchema = controlSchema.extend({
  sessions: z.array(
    z.object({
      who: z.string(),
      state: z.string(),
      type: z.string().nullable(),
      event: z.string().nullable(),
      n: z.int(),
    }),
  ),
});
export type Look = z.infer<typeof lookSchema>;

const checkpointerSchema = z.object({
  timed: z.number(),
  requested: z.number(),
  /** From 18 on. */
  done: z.number().nullable(),
  writeMs: z.number(),
  syncMs: z.number(),
  buffers: z.number(),
  cleaned: z.number(),
  backend: z.number().nullable(),
});
export type CheckpointerCounters = z.infer<typeof checkpointerSchema>;

export const countersSchema = controlSchema.extend({
  block: z.int(),
  checkpointer: checkpointerSchema,
  wal: z.number().nullable(),
  walDetails: z
    .object({ records: z.number(), fullPageImages: z.number(), buffersFull: z.number() })
    .nullable(),
  database: z.object({
    commits: z.number(),
    rollbacks: z.number(),
    blocksRead: z.number(),
    blocksHit: z.number(),
    tempFiles: z.number(),
    tempBytes: z.number(),
    deadlocks: z.number(),
    rowsReturned: z.number(),
    rowsFetched: z.number(),
    rowsInserted: z.number(),
    rowsUpdated: z.number(),
    rowsDeleted: z.number(),
  }),
  /** From 16 on. */
  io: z
    .object({
      readBytes: z.number(),
      checkpointerBytes: z.number(),
      backgroundWriterBytes: z.number(),
      backendBytes: z.number(),
      evictions: z.number(),
    })
    .nullable(),
  autovacuum: z.array(z.object({ what: z.string(), phase: z.string().nullable() })),
});
export type Counters = z.infer<typeof countersSchema>;

export const queueSchema = z.object({
  total: z.int(),
  pid: z.int(),
  lock: z.string(),
  mode: z.string(),
  relation: z.string().nullable(),
  waitedMs: z.number(),
  by: z.array(z.object({ pid: z.int(), application: z.string(), state: z.string() })),
});

export const sizesSchema = z.object({
  databaseBytes: z.number(),
  tables: z.array(z.object({ name: z.string(), tableBytes: z.number(), indexBytes: z.number() })),
});
