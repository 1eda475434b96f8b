import { AppError } from '../../../src-shared/errors.ts';
import type { Dataset, PrepareOptions } from '../driver.ts';
import { refusal } from '../http/errors.ts';
import type { Http } from '../http/http.ts';
import { countValues, flush, get, metricNames, quoted } from './http.ts';

/**
 * VictoriaMetrics has no databases: a database is a value of the label `db`, as its line protocol makes it. One with this
 * metric is Benchberry's, and nothing else is ever deleted.
 */
const mark = 'benchberry_mark_made';

/** Metrics that a database has values of. */
async function filled(http: Http, database: string, signal: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  for (const name of await metricNames(http, database, signal))
    if ((await countValues(http, database, name, signal)) > 0) found.push(name);
  return found;
}

async function isOurs(http: Http, database: string, signal: AbortSignal): Promise<boolean> {
  return (await countValues(http, database, mark, signal)) > 0;
}

/**
 * Sees to the database as the options say.
 * @throws AppError `database-not-ours`, `no-database`, `bad-input` (exists and doAbortOnExist)
 */
export async function provideDatabase(
  http: Http,
  dataset: Dataset,
  { database, doCreateDb, doAbortOnExist }: PrepareOptions,
  signal: AbortSignal,
): Promise<void> {
  const place = { ...http.place, database };
  await flush(http, signal);
  const ours = await isOurs(http, database, signal);
  const metrics = ours && doCreateDb ? [mark] : await filled(http, database, signal);
  if (metrics.length > 0 && doAbortOnExist) {
    throw new AppError({
      code: 'bad-input',
      message: `There are series with db=${quoted(database)} already`,
      place: { ...place, field: 'doAbortOnExist' },
      hint: 'Choose another database name, or set doAbortOnExist to false.',
    });
  }
  if (doCreateDb) {
    await dropOurs(http, database, signal);
    const path = `/write?${new URLSearchParams({ db: database })}`;
    const reply = await http.send(
      { method: 'POST', path, body: [Buffer.from('benchberry_mark made=1\n')] },
      signal,
    );
    if (reply.status !== 204) throw refusal(reply.status, reply.body, place, http.signedIn);
    await flush(http, signal);
    return;
  }
  if (metrics.length === 0) {
    throw new AppError({
      code: 'no-database',
      message: `There are no series with db=${quoted(database)} and doCreateDb is off`,
      place,
      hint: 'Set doCreateDb to true, or load into it first.',
    });
  }
  const taken = dataset.tables.find(({ name }) => metrics.some((metric) => metric.startsWith(`${name}_`)));
  if (taken === undefined) return;
  throw new AppError({
    code: 'database-not-ours',
    message: `There are metrics ${taken.name}_… with db=${quoted(database)} already`,
    place,
    detail: 'What is there is never deleted.',
    hint: 'Choose another database, or set doCreateDb to true for one of Benchberry’s own.',
  });
}

/** @throws AppError `database-not-ours` */
export async function dropOurs(http: Http, database: string, signal: AbortSignal): Promise<void> {
  await flush(http, signal);
  if (!(await isOurs(http, database, signal))) {
    if ((await filled(http, database, signal)).length === 0) return;
    throw new AppError({
      code: 'database-not-ours',
      message: `There are series with db=${quoted(database)} that were not made by Benchberry`,
      place: { ...http.place, database },
      detail: 'They are left as they are: only what Benchberry made and marked is ever deleted.',
      hint: 'Choose another database name in the plan, or set doCreateDb to false to load beside them.',
    });
  }
  await get(http, '/api/v1/admin/tsdb/delete_series', { 'match[]': `{db=${quoted(database)}}` }, signal);
}
