import type { AppError } from '../../src-shared/errors.ts';

/**
 * A connection that runs transactions: the measured connection of OLTP workloads, also the one that makes their tables.
 *
 * - Two ways for a statement: `query` sends text by the simple protocol; `declare` and `execute` send it with values by
 *   the extended one, parsed each time (`extended`) or on its first use in this connection (`prepared`).
 * - **A statement that the server refuses is no exception**: contention makes thousands of them. It is `outcome.error`,
 *   with its SQLSTATE; the connection goes on. What ends the connection is thrown: `connection-lost`, and `cancelled`
 *   once the signal that it was opened with is aborted (the running statement is then cancelled on the server).
 * - **Outcomes are used again**: read one before the next call on the same client; copy what is to be kept. The same
 *   holds for nothing else: errors, rows and texts are the caller's.
 * - One call at a time. Values are read before the call returns.
 */
export interface SqlClient {
  /** Process id of the server's backend. */
  readonly backendPid: number;
  /** As the server said after the last statement: outside a transaction block, in one, in one that has failed. */
  readonly block: 'none' | 'open' | 'failed';
  /** Bytes received since the connection was opened. */
  readonly receivedBytes: number;
  /** Nothing is sent. Names are given by the driver: `P_0`, `P_1` … in the order of declaration. */
  declare(text: string, options: StatementOptions): SqlStatement;
  /**
   * Parses `prepared` statements now, all in one round trip, instead of on first use. Those that are parsed already, and
   * `extended` ones, are passed over.
   */
  prepare(statements: readonly SqlStatement[]): Promise<SqlOutcome>;
  /**
   * One or several statements by the simple protocol. Of several the outcome has the sum of rows, the last command and,
   * with `collect`, each one's result.
   */
  query(text: string, collect?: boolean): Promise<SqlOutcome>;
  /** Parse where it is needed, Bind, Describe, Execute, Sync: one round trip. */
  execute(statement: SqlStatement, values: readonly SqlValue[], collect?: boolean): Promise<SqlOutcome>;
  /**
   * Puts an execution into the pipeline without waiting; `prepared` statements are to be prepared before. Sent when
   * `sync` is called, earlier where they fill a buffer.
   */
  send(statement: SqlStatement, values: readonly SqlValue[]): void;
  /** A synchronisation point in the pipeline that is not waited for: what follows runs even if something before failed. */
  mark(): void;
  /**
   * Ends the pipeline and waits for it. One outcome for each `send`, in order. After an error the rest up to the next
   * `mark` did not run: `skipped`.
   */
  sync(): Promise<readonly SqlOutcome[]>;
  /**
   * COPY … FROM STDIN. A chunk is any part of the stream; its memory may be used again once the next one is asked for.
   * Between chunks the event loop turns. An error of the iterator fails the COPY and is thrown.
   */
  copyIn(text: string, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<SqlOutcome>;
  /** What the server said as an error of the app, for where it is one. */
  toError(error: SqlError, statement?: string): AppError;
  close(): Promise<void>;
}

/** Sent as text. Numbers are whole and safe. */
export type SqlValue = string | number | null;

export interface StatementOptions {
  mode: 'extended' | 'prepared';
  /** Number of parameters, `$1` to `$n`. */
  parameters: number;
  /** Declared types of the parameters; where it is not given the server infers them. */
  types?: readonly SqlType[];
  /** Results as binary: for values that are drained, never looked at. With `collect` they must be text, the default. */
  binaryResults?: boolean;
}
export type SqlType = 'unspecified' | 'bigint' | 'varchar';

/** A statement that was declared on one client. */
export interface SqlStatement {
  readonly text: string;
  readonly parameters: number;
}

export interface SqlOutcome {
  /** null: all of it was done. */
  readonly error: SqlError | null;
  /** Only in a pipeline: an error before it kept it from running. */
  readonly skipped: boolean;
  /** The last statement's kind by its command tag. `select` is any that gives rows, also RETURNING and SHOW. */
  readonly command: 'select' | 'insert' | 'update' | 'delete' | 'other';
  /** Rows that came back, drained or collected. */
  readonly rows: number;
  /** Rows that the last statement changed, by its command tag; 0 for `select` and `other`. */
  readonly affected: number;
  /** Only with `collect`: one for each statement that gave rows, `columns` named as the server names them. */
  readonly results: readonly SqlResult[];
}

export interface SqlResult {
  columns: readonly string[];
  /** As the server's text. */
  rows: readonly (readonly (string | null)[])[];
}

export interface SqlError {
  /** SQLSTATE, e.g. `40001`. */
  readonly state: string;
  readonly message: string;
  readonly detail: string | null;
  readonly hint: string | null;
  /** In a `query` of several statements: how many were done before it. */
  readonly position: number;
}
