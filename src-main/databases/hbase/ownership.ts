import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import { checkDatabaseOptions } from '../databaseOptions.ts';
import type { PrepareOptions } from '../driver.ts';
import type { Http } from '../http/http.ts';
import { ask, order, tableName } from './gateway.ts';

/** A property of the namespaces that Benchberry has made. */
const mark = 'benchberry';
const made = 'this namespace was made for benchmarks and is dropped by the next load into it';
/** Of a namespace. */
const takenName = /^[A-Za-z0-9_]{1,200}$/;

const namespacesSchema = z.object({ Namespace: z.array(z.string()) });
const namespaceSchema = z.object({ properties: z.record(z.string(), z.string()).nullish() });
const tablesSchema = z.object({ table: z.array(z.object({ name: z.string() })).nullish() });

export async function namespaceExists(http: Http, database: string, signal: AbortSignal): Promise<boolean> {
  const { Namespace: names } = await ask(http, '/namespaces', namespacesSchema, signal);
  return names.includes(database);
}

/** Without the namespace. */
export async function tablesOf(http: Http, database: string, signal: AbortSignal): Promise<string[]> {
  const { table } = await ask(http, `/namespaces/${database}/tables`, tablesSchema, signal);
  return (table ?? []).map(({ name }) => name);
}

/**
 * Makes the namespace as the options say.
 * @throws AppError `database-not-ours`, `no-database`, `bad-input` (exists and doAbortOnExist, or no name for one)
 */
export async function provideDatabase(
  http: Http,
  options: Omit<PrepareOptions, 'engine'>,
  signal: AbortSignal,
): Promise<void> {
  const { database, doCreateDb } = options;
  const place = { ...http.place, database };
  if (!takenName.test(database))
    throw new AppError({
      code: 'bad-input',
      message: `HBase takes no namespace of the name ${JSON.stringify(database.slice(0, 80))}`,
      place: { ...place, field: 'dbName' },
      hint: 'A name has letters, digits and _ only.',
    });
  checkDatabaseOptions(await namespaceExists(http, database, signal), options, place);
  if (!doCreateDb) return;
  await dropOurs(http, database, signal);
  const json = { properties: { [mark]: made } };
  await order(http, { method: 'POST', path: `/namespaces/${database}`, json }, signal);
}

/** @throws AppError `database-not-ours` */
export async function dropOurs(http: Http, database: string, signal: AbortSignal): Promise<void> {
  if (!(await namespaceExists(http, database, signal))) return;
  const { properties } = await ask(http, `/namespaces/${database}`, namespaceSchema, signal);
  if (properties?.[mark] === undefined)
    throw new AppError({
      code: 'database-not-ours',
      message: `The namespace ${database} exists and was not made by Benchberry`,
      place: { ...http.place, database },
      detail: 'It is left as it is: only namespaces that Benchberry made and marked are ever dropped.',
      hint: 'Choose another database name in the plan, or set doCreateDb to false to load into it.',
    });
  for (const table of await tablesOf(http, database, signal))
    await order(http, { method: 'DELETE', path: `/${tableName(database, table)}/schema` }, signal);
  await order(http, { method: 'DELETE', path: `/namespaces/${database}` }, signal);
}
