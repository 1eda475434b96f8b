import type { z } from 'zod';
import type { MachineCheck } from '../../src-shared/model/host.ts';
import type { ServerDescription } from '../../src-shared/model/server.ts';
import type { SqlClient } from './sqlClient.ts';
import type { Telemetry } from './telemetry.ts';

/**
 * The seam between Benchberry and a database engine. One folder per engine implements it; `registry.ts` has one line for
 * each. Everything a worker thread needs is plain data (`Endpoint`, `Prepared`), so that it survives `postMessage`.
 */
export interface Driver {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** Exists without being added by the user (sandbox, null). */
  readonly builtIn: boolean;
  /** A target's connection fields; every field has `.meta()` of `FieldMeta`. The secret is not among them. */
  readonly connection: z.ZodObject;
  /** Loader options that only this engine has, merged flat into `tsbs.load`; every field has a default and `.meta()`. */
  readonly loadOptions: z.ZodObject;
  /**
   * Turns a saved connection into something a worker can dial: starts the sandbox if need be, fills in defaults.
   * @throws AppError `bad-input` naming the field
   */
  resolve(connection: unknown, secret: string | null, context: DriverContext): Promise<Endpoint>;
  /** A connection URL (`postgresql://…`) as connection fields and secret; null where the scheme is another engine's. */
  parseUrl(url: string): { connection: Record<string, unknown>; secret: string | null } | null;
  /** The control connection of a run, of *Test connection*, of a check. */
  openSession(endpoint: Endpoint, signal: AbortSignal): Promise<Session>;
  /**
   * In a worker thread: a connection that writes batches of the prepared data set.
   * @param dataset as `prepare` had it, for engines that carry tags in every row
   */
  openWriter(endpoint: Endpoint, prepared: Prepared, signal: AbortSignal, dataset: Dataset): Promise<Writer>;
  /** In a worker thread: a connection that runs queries. `database` as in `prepare`. */
  openReader(endpoint: Endpoint, database: string, signal: AbortSignal): Promise<Reader>;
  /**
   * Only engines with SQL transactions. A connection that runs them, in a worker thread or not; the server knows it by
   * the application name `loadApplicationName`. Aborting the signal, at any time, cancels what it does and closes it.
   * `database` as in `prepare`.
   */
  openClient?(endpoint: Endpoint, database: string, signal: AbortSignal): Promise<SqlClient>;
  /** Looks at the server beside a run; absent where the engine tells nothing. `database` as in `prepare`. */
  openTelemetry?(endpoint: Endpoint, database: string, signal: AbortSignal): Promise<Telemetry>;
  /** Only engines whose server Benchberry itself runs. */
  readonly managed?: ManagedServer;
}

/** How a server that names its sessions knows the measured ones, and tells them from the control connection. */
export const loadApplicationName = 'benchberry-load';

/** A server that `resolve` starts when it is needed. */
export interface ManagedServer {
  /** What `resolve` does, for who waits for it: `Starting the built-in PostgreSQL`. */
  readonly doing: string;
  /** Stops the server if this process started it; for quitting. Nothing to do is no error. */
  stop(): Promise<void>;
  /**
   * Stops the server and starts it again at the same endpoint: what it kept in memory is gone. Its connections end.
   * @throws AppError `run-active` while another process of Benchberry uses it
   */
  restart(context: DriverContext): Promise<void>;
  /** Stops the server and deletes its folder; the next `resolve` makes a new one. */
  reset(context: DriverContext): Promise<void>;
}

/** What the app lends to drivers. */
export interface DriverContext {
  /** Folder for managed servers, inside the app's data folder. */
  dataFolder: string;
  signal: AbortSignal;
}

/** A dialled-up target: plain data, may hold a secret, never stored, never logged. */
export interface Endpoint {
  engine: string;
  /** What messages and runs show: `db.local:5432`, `sandbox`. */
  label: string;
  /** The driver's own. */
  connection: Record<string, unknown>;
}

export interface Session {
  /**
   * @param database looked at instead of the one the connection is to, where it exists: `dialect`, `database` and
   * `sizeBytes` are then its own. Ask so before queries, since a server can have TimescaleDB and the database not.
   */
  describe(signal: AbortSignal, database?: string): Promise<ServerDescription>;
  /** Lines of the gate before a run that only the database can tell; asked again while one says `wait`. */
  readiness?(signal: AbortSignal): Promise<MachineCheck[]>;
  /**
   * Only engines with a single database, where `prepare` cannot keep to one of its own: which tables of the data set are
   * there. Who only tries a plan leaves them alone.
   */
  tablesThere?(dataset: Dataset, signal: AbortSignal): Promise<string[]>;
  /**
   * Makes the database and the tables of a data set. A database that exists is dropped only if it carries Benchberry's
   * mark; without the mark: AppError `database-not-ours`, unless `options.doCreateDb` is false (then it is used as it is,
   * and tables that exist in it are refused, never dropped).
   */
  prepare(dataset: Dataset, options: PrepareOptions, signal: AbortSignal): Promise<Prepared>;
  /**
   * Writes the rows of the tags table (or what the engine has for it), device 0 first. Within the measured time.
   * Engines that carry tags in every row do nothing.
   */
  writeDevices(prepared: Prepared, dataset: Dataset, signal: AbortSignal): Promise<void>;
  /**
   * Only engines where an acknowledged row cannot be queried at once. Resolves when every row can be, or with why the rest
   * is not waited for any longer.
   * @param rows acknowledged
   * @param tell hears the share of the rows that can be queried, 0 to 1
   * @throws AppError `server-error` where they never will be, naming the table
   */
  awaitVisible?(
    prepared: Prepared,
    rows: number,
    tell: (share: number) => void,
    signal: AbortSignal,
  ): Promise<{ missing: string | null }>;
  /**
   * Rows now in each table of the data set, less those that `prepare` found there; without any entry where an engine keeps
   * nothing that could be counted.
   */
  count(prepared: Prepared, signal: AbortSignal): Promise<Record<string, number>>;
  /** Removes a scratch database that `prepare` made. Refuses any other. */
  drop(prepared: Prepared, signal: AbortSignal): Promise<void>;
  /** Only engines with `openClient`. */
  readonly tables?: OwnTables;
  close(): Promise<void>;
}

/** Whose tables are: for workloads that make their tables themselves, by `openClient`. */
export interface OwnTables {
  /**
   * Makes the database, with Benchberry's mark, where there is none of that name; one that exists is used as it is.
   * @throws AppError `no-database` where it is missing and `create` is false
   */
  provideDatabase(database: string, create: boolean, signal: AbortSignal): Promise<void>;
  /**
   * Those of these tables that exist, in any schema of the search path, each with the tables that would go with it:
   * partitions, and those that inherit from it.
   */
  existing(database: string, tables: readonly string[], signal: AbortSignal): Promise<ExistingTable[]>;
  /** Puts Benchberry's mark on tables, named as `existing` names them. */
  mark(database: string, tables: readonly string[], signal: AbortSignal): Promise<void>;
}

export interface ExistingTable {
  /** As SQL has it: quoted where it must be, with its schema where another one's table comes first. */
  name: string;
  /** Another one once the table was dropped and made anew. */
  id: string;
  /** It carries Benchberry's mark, or its database does. */
  ours: boolean;
}

export interface PrepareOptions {
  /** Database name. */
  database: string;
  /** Drop and create it (ours only); false: use what is there. */
  doCreateDb: boolean;
  /** Refuse even our own if it exists. */
  doAbortOnExist: boolean;
  /** The engine's `loadOptions`, parsed. */
  engine: Record<string, unknown>;
}

/** Outcome of `prepare`, handed to every worker. */
export interface Prepared {
  database: string;
  /** Remarks for the run, e.g. `plain table: the server has no TimescaleDB`. */
  notes: string[];
  /** The driver's own plain data: column lists, write mode, tag names. */
  driver: Record<string, unknown>;
  /** Nothing is answered to rows: a batch counts when it is sent, not when it is acknowledged. */
  unanswered?: true;
}

export type TagType = 'string' | 'float32';

/** What is loaded, by name and shape; no rows. Plain data but for `deviceTags`. */
export interface Dataset {
  /** Tags common to all tables, in output order; the first names the device. */
  tags: readonly { name: string; type: TagType }[];
  tables: readonly DatasetTable[];
  devices: number;
  /** Values of the tags of one device, in the order of `tags`; null where missing. */
  deviceTags(device: number): readonly (string | number | null)[];
  /** Values of a table's own further tags, in the order of `DatasetTable.tags`; only where a table has some. */
  tableTags?(table: number, device: number): readonly string[];
}

export interface DatasetTable {
  name: string;
  /** Names of text tags that rows of this table have besides those of the data set. */
  tags?: readonly string[];
  /** In TSBS's text form a row ends with the last of its fields that is there. */
  shortRows?: boolean;
  fields: readonly { name: string; type: 'integer' | 'double' }[];
}

/**
 * Takes rows one by one, straight into the wire format: no object per row. Called by row sources, implemented by drivers'
 * encoders (and by the file formats).
 */
export interface RowSink {
  /**
   * @param table index in `Dataset.tables`
   * @param device index of the device, 0-based
   * @param timeMs milliseconds since 1970, whole
   * @param nanos nanoseconds within that millisecond, 0 to 999,999
   * @param values one number per field in the table's order; NaN is NULL. Read before the call returns; never kept.
   * @param missingTag index in `Dataset.tags` of a tag that this one row lacks
   */
  row(
    table: number,
    device: number,
    timeMs: number,
    nanos: number,
    values: Float64Array,
    missingTag?: number,
  ): void;
}

export interface Writer extends RowSink {
  /**
   * Rows taken since the last flush. Rows may be given while a flush is under way: they belong to the next batch, so that
   * a loader makes batch n + 1 while the server works on batch n. One flush at a time.
   */
  readonly pending: number;
  /**
   * Sends what is pending as one batch and resolves when the server has acknowledged it; committed, where the engine has
   * commits. After an error the connection is closed and the batch is not in the database, or `connection-lost` says that
   * it is unknown.
   * @returns bytes handed to the socket
   */
  flush(signal: AbortSignal): Promise<number>;
  /** What befell batches that were stored all the same, since the last call: one line each, for the run's events. */
  takeRemarks?(): string[];
  close(): Promise<void>;
}

export interface Query {
  /** The statement, complete: TSBS's queries have no parameters. */
  text: string;
  /** What must come back, where that is known beforehand. */
  expected?: Expected;
}

/** Of the rows of a fetch: how many, and the sum of their last column, exact. */
export interface Expected {
  rows: number;
  sum: number;
}

export interface Reader {
  /**
   * Issues the statement and drains every row. With `collect` the values come back as well, as the server's text. After
   * an error that the server answered with, the reader can be used again.
   */
  run(query: Query, signal: AbortSignal, collect?: boolean): Promise<ReadResult>;
  close(): Promise<void>;
}
export interface ReadResult {
  rows: number;
  bytes: number;
  /** Milliseconds from the call to when the first row had come; left out where none came or the engine cannot tell. */
  firstRowMs?: number;
  /** Only with `collect`. */
  values?: (string | null)[][];
}
