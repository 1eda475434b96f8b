import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import { checkDatabaseOptions } from '../databaseOptions.ts';
import type { OwnTables, PrepareOptions } from '../driver.ts';
import type { Control } from './control.ts';
import { placeOf } from './dial.ts';
import { quoteName, quoteText } from './statements.ts';

/** A database is Benchberry's if its comment begins so; nothing else is ever dropped. */
const mark = 'benchberry:';
const comment = `${mark} made for benchmarks and dropped by the next load into it`;

const tableComment = `${mark} made for benchmarks and dropped by the next one that makes it anew`;

const databaseSchema = z.object({ comment: z.string().nullable() });
const tableSchema = z.object({ name: z.string(), id: z.string(), comment: z.string().nullable() });

/**
 * Tables of the names in every schema of the search path: once the first one is dropped, the same name is another's table.
 * And what goes with them when they are dropped or emptied: partitions and inheriting tables, whatever their names.
 */
const lookForTables = `WITH RECURSIVE found (oid, rank) AS (
    SELECT c.oid, ARRAY[wanted.nth, path.nth]
      FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, nth)
      JOIN pg_class AS c ON c.relname = wanted.name
      JOIN pg_namespace AS n ON n.oid = c.relnamespace
      JOIN unnest(current_schemas(false)) WITH ORDINALITY AS path (schema, nth) ON path.schema = n.nspname
    UNION SELECT i.inhrelid, found.rank FROM pg_inherits AS i JOIN found ON found.oid = i.inhparent)
  SELECT oid::regclass::text AS name, oid::text AS id, obj_description(oid, 'pg_class') AS comment
    FROM (SELECT oid, min(rank) AS rank FROM found GROUP BY oid) AS once ORDER BY rank, once.oid`;

function isOurs(found: string | null | undefined): boolean {
  return found?.startsWith(mark) ?? false;
}

/** The comment of a database; undefined where there is none of that name. */
async function commentOf(admin: Control, database: string, signal: AbortSignal) {
  const [row] = await admin.rows(
    databaseSchema,
    `SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = $1`,
    [database],
    signal,
  );
  return row?.comment;
}

export async function databaseExists(
  admin: Control,
  database: string,
  signal: AbortSignal,
): Promise<boolean> {
  return (await commentOf(admin, database, signal)) !== undefined;
}

/**
 * Makes the database as the options say.
 * @throws AppError `database-not-ours`, `no-database`, `bad-input` (exists and doAbortOnExist)
 */
export async function provideDatabase(
  admin: Control,
  options: Omit<PrepareOptions, 'engine'>,
  signal: AbortSignal,
): Promise<void> {
  const { database, doCreateDb } = options;
  const place = placeOf(admin.target, database);
  const name = quoteName(database);
  const found = await commentOf(admin, database, signal);
  checkDatabaseOptions(found !== undefined, options, place);
  if (!doCreateDb) return;
  if (found !== undefined) await dropOurs(admin, database, signal);
  await admin.execute(`CREATE DATABASE ${name}`, signal);
  await admin.execute(`COMMENT ON DATABASE ${name} IS ${quoteText(comment)}`, signal);
}

/** For workloads that make their tables themselves. See `OwnTables`. */
export function ownTables(
  admin: Control,
  within: <T>(database: string, signal: AbortSignal, work: (control: Control) => Promise<T>) => Promise<T>,
): OwnTables {
  return {
    async provideDatabase(database, create, signal) {
      const found = await commentOf(admin, database, signal);
      if (found === undefined) {
        await provideDatabase(admin, { database, doCreateDb: create, doAbortOnExist: false }, signal);
      }
    },
    async existing(database, tables, signal) {
      const databaseIsOurs = isOurs(await commentOf(admin, database, signal));
      const rows = await within(database, signal, (control) =>
        control.rows(tableSchema, lookForTables, [tables], signal),
      );
      return rows.map(({ name, id, comment: own }) => ({ name, id, ours: databaseIsOurs || isOurs(own) }));
    },
    async mark(database, tables, signal) {
      await within(database, signal, async (control) => {
        for (const table of tables)
          await control.execute(`COMMENT ON TABLE ${table} IS ${quoteText(tableComment)}`, signal);
      });
    },
  };
}

/** @throws AppError `database-not-ours` */
export async function dropOurs(admin: Control, database: string, signal: AbortSignal): Promise<void> {
  const found = await commentOf(admin, database, signal);
  if (found === undefined) return;
  if (!isOurs(found)) {
    throw new AppError({
      code: 'database-not-ours',
      message: `The database ${database} exists and was not made by Benchberry`,
      place: placeOf(admin.target, database),
      detail: 'It is left as it is: only databases that Benchberry made and marked are ever dropped.',
      hint: 'Choose another database name in the plan, or set doCreateDb to false to load into it.',
    });
  }
  await admin.execute(`DROP DATABASE ${quoteName(database)}`, signal);
}
