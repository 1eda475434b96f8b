import { z } from 'zod';
import { errorCodes, secretKinds } from '../errors.ts';
import { facetKeys } from './facet.ts';
import { datedChecksSchema, inventorySchema } from './host.ts';
import { latencySchema } from './latency.ts';
import { planSchema } from './plan.ts';
import { printedSchema } from './printed.ts';
import { serverSchema } from './server.ts';
import { transactionFiguresSchema } from './transactions.ts';
import { verdictSchema } from './verdict.ts';

/** `preparing` and `running` are active; the rest are final. */
export const runStatuses = [
  'preparing',
  'running',
  'finished',
  'failed',
  'cancelled',
  'interrupted',
] as const;
export type RunStatus = (typeof runStatuses)[number];
export function isActive(status: RunStatus): boolean {
  return status === 'preparing' || status === 'running';
}

export const errorDataSchema = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  place: z
    .object({
      host: z.string().optional(),
      port: z.number().optional(),
      database: z.string().optional(),
      target: z.string().optional(),
      field: z.string().optional(),
      file: z.string().optional(),
      line: z.number().optional(),
      column: z.number().optional(),
      statement: z.string().optional(),
    })
    .optional(),
  detail: z.string().optional(),
  hint: z.string().optional(),
  secret: z.enum(secretKinds).optional(),
});

/**
 * What was in memory when fetches began, as far as it is known: `restarted`: nothing in the server's own, whatever the
 * system's file cache has; `first`: rows never read since they were inserted; `warm`: read before.
 */
export const cacheStates = ['restarted', 'first', 'warm'] as const;
export type CacheState = (typeof cacheStates)[number];

/** Totals of one operation (the batches of a load, one query type) over its whole phase. */
export const operationSchema = z.object({
  name: z.string(),
  /** Completed operations. */
  count: z.int().nonnegative(),
  errors: z.int().nonnegative(),
  /** Open loop: started later than 1 ms after their schedule. */
  late: z.int().nonnegative(),
  /** Open loop: not started at all when the phase ended. */
  dropped: z.int().nonnegative(),
  /** Rows written or read. */
  rows: z.int().nonnegative(),
  bytes: z.number().nonnegative(),
  /** Wall seconds of this operation alone (query types run one after the other). */
  seconds: z.number().nonnegative(),
  /** count ÷ seconds. */
  perSecond: z.number().nonnegative(),
  /** From the scheduled start where a rate is set, else from the actual one; null while nothing completed. */
  latencyUs: latencySchema.nullable(),
  /** From the actual start; null without a rate (then it is the same). */
  serviceUs: latencySchema.nullable(),
  /** Only of fetches. */
  cache: z.enum(cacheStates).exactOptional(),
  /** Only of fetches: how many readers there were. */
  readers: z.int().positive().exactOptional(),
  /** Only of fetches: from the start to the first row, where `latencyUs` goes to the last; null where the engine's reader cannot tell. */
  firstRowUs: latencySchema.nullable().exactOptional(),
});
export type Operation = z.infer<typeof operationSchema>;

export const phaseSchema = z.object({
  index: z.int().nonnegative(),
  /** The step's id, with a number where a plan has it twice: `tsbs.load`, `tsbs.queries`, `tsbs.load 2`. */
  name: z.string(),
  kind: z.enum(['load', 'queries', 'initialize', 'transactions']),
  workers: z.int().positive(),
  /** Milliseconds since the run's start. */
  startedMs: z.number().nonnegative(),
  /** Rows acknowledged (load; of one that is `unanswered` those sent) or read (queries). */
  rows: z.int().nonnegative(),
  /** Field values written, nulls included, tags and time excluded: TSBS's metric. */
  metrics: z.int().nonnegative(),
  bytes: z.number().nonnegative(),
  /** Wall seconds of the measured part: no DDL, no final count. Of queries with their burn-in, which no figure has: see `countedSeconds`. */
  seconds: z.number().nonnegative(),
  rowsPerSecond: z.number().nonnegative(),
  metricsPerSecond: z.number().nonnegative(),
  /**
   * Only of a load into an engine where a row that is acknowledged cannot be queried at once: seconds from the start of
   * the load until all could be, and rows ÷ those seconds. null: waiting was given up.
   */
  visible: z
    .object({ seconds: z.number().nonnegative(), rowsPerSecond: z.number().nonnegative() })
    .nullable()
    .optional(),
  /** Only of a load whose server answers nothing to rows: its rates and latencies are those of sending. */
  unanswered: z.literal(true).exactOptional(),
  /** Rows counted in the database after the load; null where nothing was counted. */
  verifiedRows: z.int().nonnegative().nullable(),
  /** Rows the phase set out to write; null for queries. */
  plannedRows: z.int().nonnegative().nullable(),
  /**
   * One per query type, for loads one named `batch`. A queries phase of several types ends with `all queries`. Of
   * transactions the first has all of them and each script its own after it, where there are several. Of `initialize`
   * one per step, its seconds the step's.
   */
  operations: z.array(operationSchema),
  /** Only of a transactions phase. */
  transactions: transactionFiguresSchema.optional(),
  /** What was found on the way, e.g. that the table is plain because TimescaleDB is absent. */
  notes: z.array(z.string()),
});
export type Phase = z.infer<typeof phaseSchema>;

export const clientSchema = z.object({
  hostname: z.string(),
  os: z.string(),
  arch: z.string(),
  cpu: z.string(),
  cores: z.int().positive(),
  memoryBytes: z.number().nonnegative(),
  node: z.string(),
  toolVersion: z.string(),
});
export type ClientMachine = z.infer<typeof clientSchema>;

/** Head of a run: what lists show. */
export const runHeadSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(runStatuses),
  verdicts: z.array(verdictSchema),
  targetName: z.string(),
  engine: z.string(),
  /** Product and version, e.g. `PostgreSQL 17.5, TimescaleDB 2.19.3`; null before the server was reached. */
  serverLabel: z.string().nullable(),
  startedAt: z.iso.datetime(),
  /** null while active. */
  endedAt: z.iso.datetime().nullable(),
  tags: z.array(z.string()),
  notes: z.string(),
  /** Of the first transactions phase: transactions done a second; null without one. */
  tps: z.number().nullable(),
  /** Of the first load phase; null without one. */
  rowsPerSecond: z.number().nullable(),
  rows: z.int().nullable(),
  /** p99 of all operations of the first phase that measures (no making of tables), µs; null where none has them all. */
  p99Us: z.number().nullable(),
  /** Runs of one `repeat` share a group. */
  group: z.string().nullable(),
  /** Kept, but out of the way: lists leave it out unless asked. */
  archived: z.literal(true).exactOptional(),
  /** Why it does not count where its group is compared; shown wherever the group's figures are. */
  leftOut: z.string().exactOptional(),
  /** Its seconds were joined to tens of them, to save room; totals are what they were. */
  thinned: z.literal(true).exactOptional(),
});
export type RunHead = z.infer<typeof runHeadSchema>;

/** What a filter finds runs by, and how many there are. */
export const runFacetSchema = z.object({
  key: z.enum(facetKeys),
  value: z.string(),
  runs: z.int().positive(),
});
export type RunFacet = z.infer<typeof runFacetSchema>;

/** Whether the host was ready when the run began. */
export const runGateSchema = datedChecksSchema.extend({
  /** How long lines that pass by themselves were waited for, ms. */
  waitedMs: z.number().nonnegative(),
  /** Why it began although lines had not passed; null where nothing was in the way. */
  override: z.string().nullable(),
});
export type RunGate = z.infer<typeof runGateSchema>;

/** The folder whose disk is watched, and how that is known. */
export const dataPlaceSchema = z.object({ folder: z.string(), how: z.string() });
export type DataPlace = z.infer<typeof dataPlaceSchema>;

/** The machine the target runs on, where the workbench knows it. */
export const runHostSchema = z.object({
  name: z.string(),
  /** Just before the first phase and after the last one; null where it could not be read. */
  before: inventorySchema.nullable(),
  after: inventorySchema.nullable(),
  /** null where it was not asked. */
  gate: runGateSchema.nullable().default(null),
  /** Timers and services that were stopped for the length of the run; null where that was not wanted. */
  quieted: z.array(z.string()).nullable().default(null),
  /** null where it is not known: then the disk under `/` is watched. */
  place: dataPlaceSchema.nullable().default(null),
});
export type RunHost = z.infer<typeof runHostSchema>;

export const runSchema = runHeadSchema.extend({
  plan: planSchema,
  /** The plan's steps with every default filled in, as executed. */
  resolvedSteps: z.array(z.object({ id: z.string(), parameters: z.record(z.string(), z.json()) })),
  seed: z.number().nullable(),
  /** null where the run was printed elsewhere: then it is not known. */
  client: clientSchema.nullable(),
  server: serverSchema.nullable(),
  host: runHostSchema.nullable(),
  phases: z.array(phaseSchema),
  error: errorDataSchema.nullable(),
  /** Only of a run that was printed elsewhere; its `phases` are empty then, and `knownPhases` are these. */
  printed: printedSchema.exactOptional(),
});
export type Run = z.infer<typeof runSchema>;

/** A mark on the run's time axis and a line of its event list. */
export const runEventSchema = z.object({
  runId: z.string(),
  /** Milliseconds since the run's start. */
  atMs: z.number().nonnegative(),
  kind: z.enum(['phase-start', 'phase-end', 'note', 'error', 'stop', 'verify']),
  text: z.string(),
});
export type RunEvent = z.infer<typeof runEventSchema>;

/** How far the active phase is. */
export const progressSchema = z.object({
  runId: z.string(),
  status: z.enum(runStatuses),
  /** What is being done now, e.g. `Loading`, `Counting rows`. */
  doing: z.string(),
  /** How far that is, where it has a measure of its own: `35.1 MiB of 43.2 MiB`. */
  detail: z.string().optional(),
  phase: z.int().nonnegative().nullable(),
  phaseName: z.string().nullable(),
  /** 0 to 1 over the whole run; null where it cannot be known. */
  fraction: z.number().min(0).max(1).nullable(),
  elapsedMs: z.number().nonnegative(),
  /** null until it is known. */
  remainingMs: z.number().nonnegative().nullable(),
});
export type Progress = z.infer<typeof progressSchema>;
