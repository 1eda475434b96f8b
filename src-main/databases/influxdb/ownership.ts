import { AppError } from '../../../src-shared/errors.ts';
import { checkDatabaseOptions } from '../databaseOptions.ts';
import type { Dataset, PrepareOptions } from '../driver.ts';
import { refusal } from '../http/errors.ts';
import type { Http } from '../http/http.ts';
import { ask, quoteName } from './query.ts';

/** InfluxDB has no comments: a database with this measurement is Benchberry's, and nothing else is ever dropped. */
const mark = 'benchberry_mark';

async function measurements(http: Http, database: string, signal: AbortSignal): Promise<string[]> {
  const series = await ask(http, `SHOW MEASUREMENTS ON ${quoteName(database)}`, signal);
  return series.flatMap(({ values }) => values.map(([name]) => String(name)));
}

export async function databaseExists(http: Http, database: string, signal: AbortSignal): Promise<boolean> {
  const series = await ask(http, 'SHOW DATABASES', signal);
  return series.some(({ values }) => values.some(([name]) => name === database));
}

/**
 * Makes the database as the options say.
 * @throws AppError `database-not-ours`, `no-database`, `bad-input` (exists and doAbortOnExist)
 */
export async function provideDatabase(
  http: Http,
  dataset: Dataset,
  options: PrepareOptions,
  signal: AbortSignal,
): Promise<void> {
  const { database, doCreateDb } = options;
  const place = { ...http.place, database };
  const exists = await databaseExists(http, database, signal);
  checkDatabaseOptions(exists, options, place);
  if (doCreateDb) {
    await dropOurs(http, database, signal);
    await ask(http, `CREATE DATABASE ${quoteName(database)}`, signal);
    const path = `/write?${new URLSearchParams({ db: database })}`;
    const reply = await http.send({ method: 'POST', path, body: [Buffer.from(`${mark} made=1i`)] }, signal);
    if (reply.status !== 204) throw refusal(reply.status, reply.body, place, http.signedIn);
    return;
  }
  const there = await measurements(http, database, signal);
  const taken = dataset.tables.find(({ name }) => there.includes(name));
  if (taken === undefined) return;
  throw new AppError({
    code: 'database-not-ours',
    message: `The database ${database} has a measurement ${taken.name} already`,
    place,
    detail: 'What is there is never dropped.',
    hint: 'Choose another database, or set doCreateDb to true for one of Benchberry’s own.',
  });
}

/** @throws AppError `database-not-ours` */
export async function dropOurs(http: Http, database: string, signal: AbortSignal): Promise<void> {
  if (!(await databaseExists(http, database, signal))) return;
  if (!(await measurements(http, database, signal)).includes(mark)) {
    throw new AppError({
      code: 'database-not-ours',
      message: `The database ${database} exists and was not made by Benchberry`,
      place: { ...http.place, database },
      detail: 'It is left as it is: only databases that Benchberry made and marked are ever dropped.',
      hint: 'Choose another database name in the plan, or set doCreateDb to false to load into it.',
    });
  }
  await ask(http, `DROP DATABASE ${quoteName(database)}`, signal);
}
