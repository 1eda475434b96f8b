import Database from 'better-sqlite3';
import { AppError, type ErrorCode } from '../../src-shared/errors.ts';

export type Value = string | number | null;
/** Column → value. Column names come from the code, never from outside. */
export type Row = Readonly<Record<string, Value>>;

/**
 * A thin cover over better-sqlite3: statements prepared once, results `unknown` until a schema has parsed them, and every
 * SQLite error as an AppError that says what to do.
 */
export interface Connection {
  readonly file: string;
  run(sql: string, ...values: Value[]): number;
  get(sql: string, ...values: Value[]): unknown;
  all(sql: string, ...values: Value[]): unknown[];
  /** One row; keys are column names. */
  insert(table: string, row: Row): void;
  /** Writes the given columns of the row whose `key` column has that value. Returns how many rows that were. */
  update(table: string, key: string, value: Value, row: Row): number;
  /** The first column of every row. */
  column(sql: string, ...values: Value[]): unknown[];
  exec(sql: string): void;
  /** First value of a pragma's first row. */
  pragma(text: string): unknown;
  /** All or nothing. Takes the write lock at its start, so that what it reads cannot change under it. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/**
 * @param lockTimeoutMs how long to wait for another process's write before `store-locked`
 * @throws AppError `store-locked`, `store-damaged`, `disk-full`, `no-permission`
 */
export function connect(file: string, lockTimeoutMs: number): Connection {
  const db = guarded(file, () => new Database(file, { timeout: lockTimeoutMs }));
  const statements = new Map<string, Database.Statement<Value[]>>();
  const prepare = (sql: string) => {
    const known = statements.get(sql) ?? db.prepare<Value[]>(sql);
    statements.set(sql, known);
    return known;
  };
  const guard = <T>(work: () => T): T => guarded(file, work);
  const run = (sql: string, ...values: Value[]) => guard(() => prepare(sql).run(...values).changes);
  return {
    file,
    run,
    insert(table, row) {
      const names = Object.keys(row);
      run(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        ...Object.values(row),
      );
    },
    update(table, key, value, row) {
      const set = Object.keys(row).map((name) => `${name} = ?`);
      return run(`UPDATE ${table} SET ${set.join(', ')} WHERE ${key} = ?`, ...Object.values(row), value);
    },
    get: (sql, ...values) => guard(() => prepare(sql).get(...values)),
    all: (sql, ...values) => guard(() => prepare(sql).all(...values)),
    column: (sql, ...values) =>
      guard(() =>
        prepare(sql)
          .all(...values)
          .map((row) => (row instanceof Object ? Object.values(row)[0] : undefined)),
      ),
    exec: (sql) => guard(() => void db.exec(sql)),
    pragma: (text) => guard(() => db.pragma(text, { simple: true })),
    transaction: (work) => guard(() => db.transaction(work).immediate()),
    close: () => guard(() => void db.close()),
  };
}

function guarded<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Database.SqliteError ? translate(error, file) : error;
  }
}

const meanings: readonly { starts: string; code: ErrorCode; message: string; hint: string }[] = [
  {
    starts: 'SQLITE_BUSY',
    code: 'store-locked',
    message: 'The Benchberry data file is locked by another program',
    hint: 'Close other Benchberry windows, backups or tools that have the file open, then try again.',
  },
  {
    starts: 'SQLITE_LOCKED',
    code: 'store-locked',
    message: 'The Benchberry data file is locked',
    hint: 'Try again.',
  },
  {
    starts: 'SQLITE_CORRUPT',
    code: 'store-damaged',
    message: 'The Benchberry data file is damaged',
    hint: 'Restart Benchberry: the damaged file is set aside, kept, and a new one is begun.',
  },
  {
    starts: 'SQLITE_NOTADB',
    code: 'store-damaged',
    message: 'The Benchberry data file is not a database',
    hint: 'Restart Benchberry: the file is set aside, kept, and a new one is begun.',
  },
  {
    starts: 'SQLITE_FULL',
    code: 'disk-full',
    message: 'The disk with the Benchberry data folder is full',
    hint: 'Free some space on it, then try again.',
  },
  {
    starts: 'SQLITE_READONLY',
    code: 'no-permission',
    message: 'The Benchberry data file cannot be written',
    hint: 'Give your user the right to write the file and its folder.',
  },
  {
    starts: 'SQLITE_CANTOPEN',
    code: 'no-permission',
    message: 'The Benchberry data file cannot be opened',
    hint: 'Give your user the right to read and write the file and its folder.',
  },
];

function translate(error: InstanceType<Database.SqliteError>, file: string): unknown {
  const meaning = meanings.find(({ starts }) => error.code.startsWith(starts));
  if (!meaning) return error;
  const { code, message, hint } = meaning;
  return new AppError(
    { code, message, place: { file }, detail: `${error.code}: ${error.message}`, hint },
    { cause: error },
  );
}
