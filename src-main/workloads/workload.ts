import type { z } from 'zod';
import type { AppError } from '../../src-shared/errors.ts';
import type { CacheState } from '../../src-shared/model/run.ts';
import type { Dataset, Query, RowSink } from '../databases/driver.ts';
import type { SqlClient } from '../databases/sqlClient.ts';
import type { CommandLineTool } from './commandLine/tool.ts';
import type {
  Initialization,
  InitializationSpec,
  PreparedTransactions,
  TransactionSource,
  TransactionSourceSpec,
} from './transactions.ts';

/**
 * A kind of benchmark: steps that a plan can hold. One folder per workload; `registry.ts` has one line for each.
 * A step turns parameters into a phase; the phase's work is named by plain data and re-made inside worker threads.
 */
export interface Workload {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly steps: readonly Step[];
  /** The program that people know it by, whose command lines can be pasted. */
  readonly commandLine?: CommandLineTool;
  // Each of these is there where a step of the workload gives such a phase.
  /** In a worker: the rows of a load job. */
  openRows?(source: RowSourceSpec, share?: RowShare): RowSource;
  /**
   * Only where rows are read from somewhere: looks through them before a load, in the main thread.
   * @returns null where these rows are made, and `openRows` tells everything at once
   * @throws AppError where there is not one row
   */
  surveyRows?(source: RowSourceSpec, options: SurveyOptions): Promise<RowSurvey | null>;
  /** In a worker: the queries of a queries job. `dialect` is `ServerDescription.dialect`. */
  openQueries?(source: QuerySourceSpec, dialect: string): QuerySource;
  /** Makes tables and rows, in workers. */
  openInitialization?(source: InitializationSpec): Initialization;
  /**
   * Once before a transactions phase: what has to be found out or done first (scale, vacuum, emptying the history).
   * @throws AppError where the tables are missing, with the step that makes them as its hint
   */
  prepareTransactions?(source: TransactionSourceSpec, client: SqlClient): Promise<PreparedTransactions>;
  /** In a worker: the transactions of a transactions job. */
  openTransactions?(source: TransactionSourceSpec): TransactionSource;
}

export interface Step {
  /** `tsbs.load` */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** Defaults, ranges and `.meta()` (FieldMeta) on every field; strict: unknown keys are errors. */
  readonly parameters: z.ZodObject;
  /**
   * Fills in what a step takes from the steps before it (queries take scale, seed and times from the load) or from the
   * moment (a seed from the clock), as raw parameters, before they are parsed.
   */
  inherit(own: Record<string, unknown>, before: readonly ResolvedStep[]): Record<string, unknown>;
  /** Problems that only several fields, or several steps, together have; `path` is relative to the step. */
  check(
    parameters: Record<string, unknown>,
    before: readonly ResolvedStep[],
  ): { path: string; message: string; hint: string | null }[];
  phase(parameters: Record<string, unknown>): PhaseSpec;
  /** Rows that it loads; 0 for a step that loads none. Quick: nothing is simulated. */
  rows(parameters: Record<string, unknown>): number;
  /**
   * What it will do, for the button that starts it: `load 1,000,000 rows into benchmark`. A database that the step before
   * has named already is not named again.
   */
  summary(parameters: Record<string, unknown>, before: readonly ResolvedStep[]): string;
}

export interface ResolvedStep {
  id: string;
  parameters: Record<string, unknown>;
}

export type PhaseSpec = LoadPhase | QueriesPhase | InitializePhase | TransactionsPhase;

export interface LoadPhase {
  kind: 'load';
  rows: RowSourceSpec;
  /** false: rows are generated and counted only. */
  doLoad: boolean;
  database: string;
  doCreateDb: boolean;
  doAbortOnExist: boolean;
  /** All engines' load options that the step has; the driver takes its own. */
  engineOptions: Record<string, unknown>;
  /** Connections. */
  workers: number;
  /** Rows a batch. */
  batchSize: number;
  /** true: a device's rows always go through the same worker (`RowSource` has only that worker's rows). */
  hashWorkers: boolean;
  /** Per worker: at least so many seconds between the starts of batches, drawn evenly from [min, max); last entry for all further workers. Empty: none. */
  insertIntervals: readonly { min: number; max: number }[];
  /** Seconds between progress lines; 0: none. */
  reportingPeriodSeconds: number;
  /** Print each batch. */
  logBatches: boolean;
  seed: number;
}

export interface QueriesPhase {
  kind: 'queries';
  database: string;
  workers: number;
  /** One job after the other; each its own operation. */
  jobs: readonly QueriesJob[];
  /** Queries a second over all workers, scheduled evenly (open loop); 0: as fast as they go (closed loop). */
  ratePerSecond: number;
  /** First so many queries of each job are not counted. */
  burnIn: number;
  /** Each query twice in a row; cold and warm told apart. */
  prewarm: boolean;
  seed: number;
}

export interface QueriesJob {
  name: string;
  queries: QuerySourceSpec;
  /** Only of fetches: `workers` of the phase holds for the others. Their rows are checked, and never merged. */
  fetch?: {
    readers: number;
    cache: CacheState;
    /** Restart the server first; its own memory is then empty. Only where Benchberry runs the server. */
    restart: boolean;
  };
}

export interface InitializePhase {
  kind: 'initialize';
  initialization: InitializationSpec;
  database: string;
  /** Make the database, with Benchberry's mark, where it is missing. One that exists is never dropped. */
  createDatabase: boolean;
  /** Tables that its steps drop, empty or make. Where one exists that is not Benchberry's, the phase is refused … */
  tables: readonly string[];
  /** … unless the user has said that these may be replaced. */
  replaceTables: boolean;
  /** Connections at most: as many as a step has tasks are used. */
  connections: number;
  /** Seconds between progress lines; 0: none. */
  reportingPeriodSeconds: number;
  seed: number;
}

export interface TransactionsPhase {
  kind: 'transactions';
  transactions: TransactionSourceSpec;
  database: string;
  /** Sessions: one connection each. */
  clients: number;
  /** Worker threads, at most one a client; null: as many as this machine has use for. */
  threads: number | null;
  /**
   * It ends with the first of these that is reached; at least one is set. Time counts from when all clients are connected,
   * warm-up not included. No transaction begins after it; those under way are done and counted.
   */
  seconds: number | null;
  /** Transactions of each client, skipped ones included. */
  transactionsPerClient: number | null;
  /** Transactions of all clients together. */
  transactionsInAll: number | null;
  /** Arrivals a second over all clients, a Poisson process (open loop); 0: each client begins as soon as it is free. */
  ratePerSecond: number;
  /**
   * Transactions that take longer count as late. With a rate one whose turn is past by more than this is not begun:
   * skipped.
   */
  latencyLimitMs: number | null;
  /** A new connection for each transaction. */
  reconnect: boolean;
  /**
   * Between two transactions a client lets its thread read what has come in for the others, and only then is the next one
   * begun and its latency counted (pgbench). Else it begins at once (sysbench). The difference shows where a thread has
   * more to do than it can.
   */
  inTurn: boolean;
  /** First so many seconds are not counted. */
  warmupSeconds: number;
  /** Seconds between progress lines; 0: none. */
  reportingPeriodSeconds: number;
  /** Keep figures of each statement. */
  statementLatencies: boolean;
  /** Write a log of single transactions (`TransactionSource.openLog`); begin of its files' names, a plain name. */
  logPrefix?: string;
  /** What an error does that the workload throws: ends that client only (pgbench), or the run (sysbench). */
  onError: 'end-client' | 'end-run';
  seed: number;
}

/** Plain data: which rows. `workload` finds the workload, `parameters` are its own. */
export interface RowSourceSpec {
  workload: string;
  parameters: Record<string, unknown>;
}
export interface QuerySourceSpec {
  workload: string;
  parameters: Record<string, unknown>;
}

/** A stream of rows in TSBS's order. Not shareable between threads: each opens its own from the same spec. */
export interface RowSource {
  readonly dataset: Dataset;
  /** Rows this source will give in all. */
  readonly totalRows: number;
  /** `totalRows` is about right only: how many there are, the end tells. */
  readonly estimated?: true;
  /** Gives up to `max` further rows to the sink; fewer only at the end. Returns how many. */
  fill(sink: RowSink, max: number): number;
  /** Goes past `rows` rows without giving them; cheaper than filling. Returns how many. */
  skip(rows: number): number;
  /**
   * Only of rows that are read: has some ready for the next `fill` or `skip`, which then give what there is.
   * @returns false where there are no more
   */
  read?(): Promise<boolean>;
  /** Only of rows that are read: how far those given so far reach, `line 2,003, 201 kB of the text`. */
  place?(): string;
  close?(): void;
}

/** What is known of rows before they are loaded. */
export interface RowSurvey {
  dataset: Dataset;
  totalRows: number;
  estimated?: true;
  /** What workers open. */
  source: RowSourceSpec;
  /** Why the rows end early; `totalRows` are good. */
  flaw: AppError | null;
  /** Only of rows that are read: from what, and its size. They are read by one thread. */
  reading: { name: string; bytes: number } | null;
}
export interface SurveyOptions {
  signal: AbortSignal;
  /** What is being done and how far it is, often. */
  tell?: (doing: string, detail: string) => void;
  /** Look at the first so many rows only: the rest is estimated. */
  atMost?: number;
}

export interface RowShare {
  /** This worker's number and how many there are: only devices whose TSBS hash falls to it. */
  worker: number;
  workers: number;
}

export interface QuerySource {
  /** TSBS's label, e.g. `TimescaleDB max of all CPU metrics, random    1 hosts, random 8h0m0s by 1h`. */
  readonly label: string;
  readonly total: number;
  /** Queries come in order 0, 1, 2 …; `index` may only grow from call to call. */
  at(index: number): Query;
}
