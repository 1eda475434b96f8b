import { setTimeout as pause } from 'node:timers/promises';
import { AppError, cancelled } from '../../../src-shared/errors.ts';
import type { Dataset, PrepareOptions } from '../driver.ts';
import type { Http } from '../http/http.ts';
import { passes, readPut, refused } from './answers.ts';
import { countPoints, deletePoints, flushMsOf, metricNames, readConfig, rewriteMsOf } from './api.ts';
import { metricName, noTag, prefixOf } from './names.ts';

/** OpenTSDB has no databases: one is what the names of its metrics begin with. With a point of this metric it is Benchberry's. */
const markOf = (database: string) => `${prefixOf(database)}/mark`;
const markSecond = 1_000_000_000;
/** The client of HBase spreads its hand-overs by half of their interval. */
const mostOfIt = 1.5;
const moreMs = 100;
/** So often points may be found again after they were deleted. */
const mostRounds = 30;
/** So long a mark that was deleted may be seen. */
const patienceMs = 60_000;

function isOurs(http: Http, database: string, signal: AbortSignal): Promise<boolean> {
  return countPoints(http, markOf(database), signal).then((points) => points > 0);
}

/** Metrics of a database that have points. */
async function filled(http: Http, database: string, signal: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  for (const name of await metricNames(http, prefixOf(database), signal))
    if ((await countPoints(http, name, signal)) > 0) found.push(name);
  return found;
}

/**
 * Sees to the database as the options say.
 * @throws AppError `database-not-ours`, `no-database`, `bad-input` (exists and doAbortOnExist), `unsupported` (it would have
 * to be deleted and the server deletes nothing)
 */
export async function provideDatabase(
  http: Http,
  dataset: Dataset,
  { database, doCreateDb, doAbortOnExist }: PrepareOptions,
  signal: AbortSignal,
): Promise<void> {
  const place = { ...http.place, database };
  const ours = await isOurs(http, database, signal);
  const metrics = ours && doCreateDb ? [markOf(database)] : await filled(http, database, signal);
  if (metrics.length > 0 && doAbortOnExist)
    throw new AppError({
      code: 'bad-input',
      message: `There are points of metrics ${prefixOf(database)}… already`,
      place: { ...place, field: 'doAbortOnExist' },
      hint: 'Choose another database name, or set doAbortOnExist to false.',
    });
  if (doCreateDb) {
    await empty(http, database, signal);
    await mark(http, database, signal);
    return;
  }
  if (metrics.length === 0)
    throw new AppError({
      code: 'no-database',
      message: `There are no points of metrics ${prefixOf(database)}… and doCreateDb is off`,
      place,
      hint: 'Set doCreateDb to true, or load into it first.',
    });
  const taken = dataset.tables.find(({ name }) => {
    const start = metricName(database, name, '');
    return metrics.some((metric) => metric.startsWith(start));
  });
  if (taken === undefined) return;
  throw new AppError({
    code: 'database-not-ours',
    message: `There are points of metrics ${metricName(database, taken.name, '')}… already`,
    place,
    detail: 'What is there is never deleted.',
    hint: 'Choose another database, or set doCreateDb to true for one of Benchberry’s own.',
  });
}

async function mark(http: Http, database: string, signal: AbortSignal): Promise<void> {
  const point = { metric: markOf(database), timestamp: markSecond, value: 1, tags: { [noTag]: '1' } };
  const reply = await http.send(
    { method: 'POST', path: '/api/put?details&sync', body: [Buffer.from(JSON.stringify([point]))] },
    signal,
  );
  const result = readPut(reply.body);
  if (reply.status === 200 && result?.failed === 0) return;
  const error = refused(reply, { ...http.place, database }, http.signedIn);
  if (result === null) throw error;
  throw new AppError({
    ...error.toData(),
    message: 'The server did not take the mark of a database',
    detail: `${result.causes.join('; ')}: ${result.first}`,
    hint: passes(result.causes)
      ? 'See whether HBase is up.'
      : 'New metrics are taken where tsd.core.auto_create_metrics is true and tsd.mode is rw.',
  });
}

/** Deletes a database. @throws AppError `database-not-ours`, `unsupported` where the server deletes nothing */
export async function dropOurs(http: Http, database: string, signal: AbortSignal): Promise<void> {
  if (await empty(http, database, signal)) await unmark(http, database, signal);
}

/**
 * Deletes all of a database but its mark.
 * @returns whether there is one
 * @throws AppError `database-not-ours`, `unsupported` where the server deletes nothing
 */
async function empty(http: Http, database: string, signal: AbortSignal): Promise<boolean> {
  const place = { ...http.place, database };
  if (!(await isOurs(http, database, signal))) {
    if ((await filled(http, database, signal)).length === 0) return false;
    throw new AppError({
      code: 'database-not-ours',
      message: `There are points of metrics ${prefixOf(database)}… that were not made by Benchberry`,
      place,
      detail: 'They are left as they are: only what Benchberry made and marked is ever deleted.',
      hint: 'Choose another database name in the plan, or set doCreateDb to false to load beside them.',
    });
  }
  if (!mayDelete(await readConfig(http, signal)))
    throw new AppError({
      code: 'unsupported',
      message: `The points of metrics ${prefixOf(database)}… cannot be deleted: the server does not let points be deleted`,
      place,
      detail: 'tsd.http.query.allow_delete is false',
      hint: 'Set tsd.http.query.allow_delete to true and restart the server, or choose another database name.',
    });
  const metrics = await metricNames(http, prefixOf(database), signal);
  await deleteAll(
    http,
    database,
    metrics.filter((name) => name !== markOf(database)),
    signal,
  );
  return true;
}

export function mayDelete(config: Readonly<Record<string, string>>): boolean {
  return config['tsd.http.query.allow_delete'] === 'true';
}

/**
 * Deletes points until none is found any more. The server holds back for a while points that it has taken, hours that it
 * writes anew, and what deletes them. So before each look a point of the mark is waited for, behind which they are, and as
 * long as it may hold back what is for other servers of HBase, or be at hours that it writes anew.
 */
async function deleteAll(
  http: Http,
  database: string,
  metrics: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const config = await readConfig(http, signal);
  const heldMs = flushMsOf(config) * mostOfIt + moreMs;
  for (let round = 0; round < mostRounds; round += 1) {
    await pause(round === 0 ? heldMs : heldMs + rewriteMsOf(config), undefined, { signal }).catch(() => {
      throw cancelled();
    });
    await mark(http, database, signal);
    let found = 0;
    for (const metric of metrics) found += await deletePoints(http, metric, signal);
    if (found === 0) return;
  }
  throw new AppError({
    code: 'server-error',
    message: 'Points are still there that were deleted',
    place: http.place,
    detail: metrics.slice(0, 5).join(', '),
    hint: 'See that nothing else writes them, and the logs of the server and of HBase; or choose another database name.',
  });
}

/** The mark goes last: what is left of an attempt that ended can be deleted by the next. */
async function unmark(http: Http, database: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + patienceMs;
  await deletePoints(http, markOf(database), signal);
  while (await isOurs(http, database, signal)) {
    if (performance.now() > deadline)
      throw new AppError({
        code: 'server-error',
        message: `The mark of ${prefixOf(database)}… is still there although it was deleted`,
        place: http.place,
        hint: 'See the logs of the server and of HBase.',
      });
    await pause(moreMs, undefined, { signal }).catch(() => {
      throw cancelled();
    });
  }
}
