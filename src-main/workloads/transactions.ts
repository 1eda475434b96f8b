import type { SqlClient } from '../databases/sqlClient.ts';

/**
 * The seam of OLTP workloads. `load` owns connections, clients, schedule, figures and the end; the workload owns scripts,
 * statements, values, and what is a conflict to be retried.
 */

/** Plain data: which transactions. `workload` finds the workload, `parameters` are its own. */
export interface TransactionSourceSpec {
  workload: string;
  parameters: Record<string, unknown>;
}

/** Outcome of `Workload.prepareTransactions`, once before a phase and on a connection of its own. */
export interface PreparedTransactions {
  /** The specification that worker threads open, completed with what was found (the scale of the tables). */
  source: TransactionSourceSpec;
  /** What the report needs and only the database knows, plain JSON: scale, partitions. Kept with the phase. */
  facts: Record<string, string | number | boolean | null>;
  /** Remarks for the run's events. */
  notes: string[];
}

/** Opened once in each worker thread. */
export interface TransactionSource {
  /** Names of the scripts; a script's number is its place. Several give one operation each, and one of all. */
  readonly scripts: readonly string[];
  /** What per-statement figures are kept of, commands of the client included, in the order of the report. */
  readonly statements: readonly StatementName[];
  /** @param number of the client, from 0 over all threads; the same number and seed give the same transactions */
  openClient(number: number): TransactionClient;
  /**
   * Its log of single transactions, where the phase has one (`logPrefix`); one for each thread.
   * @param thread from 0
   * @param startUs begin of the measured time, Unix microseconds
   */
  openLog?(thread: number, startUs: number): TransactionLog;
}

/** How a workload writes down single transactions; `load` owns the file. */
export interface TransactionLog {
  /** Of one that counts. @returns text to be written, empty for none; what it is given is used again for the next */
  ended(told: LoggedTransaction): string;
  /** What is left at the end. @param nowUs Unix microseconds */
  rest(nowUs: number): string;
}

export interface LoggedTransaction {
  client: number;
  script: number;
  /** Its turn was past by more than the latency limit: never begun. */
  skipped: boolean;
  /** SQLSTATE of what it finally failed of. */
  failure: string | null;
  retries: number;
  /** From the schedule, and behind it, microseconds with fractions; 0 for what was not done. */
  latencyUs: number;
  lagUs: number;
  /** Whole Unix microseconds. */
  endedUs: number;
}

export interface StatementName {
  /** Number of its script. */
  script: number;
  /** As the report shows it. */
  text: string;
}

/** One client: a session of its own, one transaction at a time. */
export interface TransactionClient {
  /**
   * A connection is open: statements are declared, and prepared where the workload does so beforehand. Before the
   * measured time; and with `reconnect` before each transaction. The client uses this connection until the next one.
   */
  connected(client: SqlClient): Promise<void>;
  /**
   * Where there are several scripts: draws the next transaction's, before it waits for its turn, so that a turn that is
   * skipped counts to it. `transact` then runs this one.
   */
  draw?(): number;
  /**
   * Runs one transaction, tries that are repeated included, and fills in what became of it. What the workload does not
   * retry or count as failed it throws (`client.toError`): the client ends, see `TransactionsPhase.onError`.
   */
  transact(transaction: Transaction): Promise<void>;
}

/**
 * One transaction: what the client may ask, and what it tells. The object is used again for the client's next one; the
 * figures are at their beginnings each time: 0, null.
 */
export interface Transaction {
  /** Nanoseconds on the clock of `now`: the schedule where there is one, else the actual start. Latency counts from it. */
  readonly scheduledNs: number;
  /** The monotonic clock, whole nanoseconds. */
  now(): number;
  /**
   * Whether one more try may begin: not when the run's time is over or the latency limit has passed since
   * `scheduledNs`. How many tries there may be is the workload's to count.
   */
  mayRetry(): boolean;
  /** Waits; `false` when the run was given up meanwhile (then return at once). */
  sleep(nanoseconds: number): Promise<boolean>;
  /** Per-statement figures; null where they are not asked for: then take no times. */
  readonly statements: StatementMeter | null;

  /** What `draw` gave; to be filled in by a client without it. */
  script: number;
  /** To be filled in. SQLSTATE of what it finally failed of; null: it was done. Failed after the run's time is over counts as nothing. */
  failure: string | null;
  /** Tries after the first. */
  retries: number;
  /** A try ended in this SQLSTATE (retried or not). Call for each. */
  conflict(state: string): void;
  /** Statements by what they did, those of failed tries too. */
  reads: number;
  writes: number;
  others: number;
}

export interface StatementMeter {
  /** Successful execution of a statement (its place in `TransactionSource.statements`), nanoseconds. */
  done(statement: number, nanoseconds: number): void;
  failed(statement: number): void;
  retried(statement: number): void;
}

/** Plain data: which tables and rows. */
export interface InitializationSpec {
  workload: string;
  parameters: Record<string, unknown>;
}

/** Makes tables and their rows. Opened once to plan, and in each worker thread. */
export interface Initialization {
  /** One after the other; each is timed and is an operation of the phase. */
  readonly steps: readonly InitializationStep[];
}

export interface InitializationStep {
  /** As in the report: `drop tables`, `client-side generate`, `vacuum`. */
  readonly name: string;
  /** What is being done, for the progress line: `Creating tables`. */
  readonly doing: string;
  /** Rows that it writes; 0 where none. */
  readonly rows: number;
  /** Parts that different connections can do at the same time; at least 1. */
  readonly tasks: number;
  /**
   * Does one part. Cancel ends it by the client's `cancelled`.
   * @param report rows written since the last call; often enough for a progress line each second
   */
  run(task: number, client: SqlClient, report: (rows: number) => void): Promise<void>;
}
