import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import { checkDatabaseOptions } from '../databaseOptions.ts';
import type { PrepareOptions } from '../driver.ts';
import { type Dialled, placeOf } from './connection.ts';
import type { Link } from './link.ts';
import { quoteName, quoteText } from './quoting.ts';

/** MySQL has no comment on a database: one that holds a table of this name and comment is Benchberry's. */
const markTable = 'benchberry_mark';
const mark = 'benchberry:';
const comment = `${mark} this database was made for benchmarks and is dropped by the next load into it`;
const mostCharacters = 64;

const stateSchema = z.object({ name: z.string(), comment: z.string().nullable() });

/** null where there is no such database. */
async function stateOf(link: Link, database: string, signal: AbortSignal): Promise<{ ours: boolean } | null> {
  const [found] = await link.rows(
    stateSchema,
    `SELECT s.schema_name, t.table_comment FROM information_schema.schemata AS s
     LEFT JOIN information_schema.tables AS t ON t.table_schema = s.schema_name AND t.table_name = '${markTable}'
     WHERE s.schema_name = ${quoteText(database)}`,
    ['name', 'comment'],
    signal,
  );
  return found === undefined ? null : { ours: found.comment?.startsWith(mark) ?? false };
}

export async function databaseExists(link: Link, database: string, signal: AbortSignal): Promise<boolean> {
  return (await stateOf(link, database, signal)) !== null;
}

/**
 * Makes the database as the options say.
 * @throws AppError `database-not-ours`, `no-database`, `bad-input` (exists and doAbortOnExist, or no name for a database)
 */
export async function provideDatabase(
  link: Link,
  target: Dialled,
  options: Omit<PrepareOptions, 'engine'>,
  signal: AbortSignal,
): Promise<void> {
  const { database, doCreateDb } = options;
  const place = placeOf(target, database);
  if ([...database].length > mostCharacters || /[\0\u{10000}-\u{10ffff}]| $/u.test(database)) {
    throw new AppError({
      code: 'bad-input',
      message: `The server takes no database of the name ${JSON.stringify(database)}`,
      place: { ...place, field: 'dbName' },
      hint: `A name has at most ${mostCharacters} characters and does not end with a blank.`,
    });
  }
  const found = await stateOf(link, database, signal);
  checkDatabaseOptions(found !== null, options, place);
  if (!doCreateDb) return;
  await dropOurs(link, target, database, signal);
  const name = quoteName(database);
  await link.exchange(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`, signal);
  await link.exchange(
    `CREATE TABLE ${name}.${markTable} (made DATETIME NOT NULL) COMMENT = ${quoteText(comment)}`,
    signal,
  );
}

/** @throws AppError `database-not-ours` */
export async function dropOurs(
  link: Link,
  target: Dialled,
  database: string,
  signal: AbortSignal,
): Promise<void> {
  const found = await stateOf(link, database, signal);
  if (found === null) return;
  if (!found.ours) {
    throw new AppError({
      code: 'database-not-ours',
      message: `The database ${database} exists and was not made by Benchberry`,
      place: placeOf(target, database),
      detail: 'It is left as it is: only databases that Benchberry made and marked are ever dropped.',
      hint: 'Choose another database name in the plan, or set doCreateDb to false to load into it.',
    });
  }
  await link.exchange(`DROP DATABASE ${quoteName(database)}`, signal);
}
