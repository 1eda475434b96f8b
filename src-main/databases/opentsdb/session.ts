import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { cancelled } from '../../../src-shared/errors.ts';
import { formatCounted } from '../../../src-shared/units.ts';
import type { Dataset, Endpoint, Prepared, PrepareOptions, Session } from '../driver.ts';
import { httpTargetFrom, httpTo } from '../http/connection.ts';
import type { Http } from '../http/http.ts';
import { noValue } from '../lines/rows.ts';
import { countPoints, readConfig } from './api.ts';
import { dialectOf } from './connection.ts';
import { describeServer, mostTagsOf, readVersion, requestBytesOf } from './describe.ts';
import { layoutOf, layoutSchema, loadOptionsSchema } from './loadOptions.ts';
import { metricName, prefixOf } from './names.ts';
import { dropOurs, provideDatabase } from './ownership.ts';
import { readiness } from './readiness.ts';

/** What is described where no database is asked for. */
const anyDatabase = 'none';
const firstLookMs = 300;
/** So long no further point may come to be seen. */
const patienceMs = 30_000;

/** The control connection. */
export async function openSession(endpoint: Endpoint, signal: AbortSignal): Promise<Session> {
  const target = httpTargetFrom(endpoint);
  const http = await httpTo(target);
  try {
    await readVersion(http, signal);
  } catch (error) {
    http.close();
    throw error;
  }
  const about = {
    engine: endpoint.engine,
    tls: target.tlsMode === 'disable' ? null : 'encrypted',
    dialect: dialectOf(endpoint),
  };
  return {
    describe: (own, database = anyDatabase) => describeServer(http, { ...about, database }, own),
    readiness: (own) => readiness(http, own),
    prepare: (dataset, options, own) => prepare(http, dataset, options, own),
    // Tags are in every point.
    writeDevices: async () => undefined,
    count: (prepared, own) => countRows(http, prepared, own),
    awaitVisible: (prepared, rows, tell, own) => awaitVisible(http, prepared, rows, tell, own),
    drop: (prepared, own) => dropOurs(http, prepared.database, own),
    close: async () => http.close(),
  };
}

async function prepare(
  http: Http,
  dataset: Dataset,
  options: PrepareOptions,
  signal: AbortSignal,
): Promise<Prepared> {
  const { database } = options;
  await provideDatabase(http, dataset, options, signal);
  const config = await readConfig(http, signal);
  const mostTags = mostTagsOf(config);
  const layout = layoutOf(loadOptionsSchema.parse(options.engine), {
    mostTags,
    requestBytes: requestBytesOf(config),
    tables: dataset.tables.map(({ name, fields }) => ({
      name,
      metrics: [fields[0]?.name ?? noValue, noValue].map((field) => metricName(database, name, field)),
    })),
  });
  const tags = Math.max(...dataset.tables.map(({ tags: own = [] }) => dataset.tags.length + own.length));
  const unanswered = layout.transport === 'telnet';
  return {
    database,
    notes: [
      `A value is a point of a metric ${prefixOf(database)}TABLE.FIELD. Times are kept to the millisecond.`,
      ...(tags > mostTags
        ? [
            `The server takes ${mostTags} tags: the last ${tags - mostTags + 1} of ${tags} share the tag /more.`,
          ]
        : []),
      ...(unanswered
        ? [
            'Points go as lines, which are not answered: the rate is that of what the server has read, not of what is stored.',
          ]
        : []),
    ],
    driver: layout,
    ...(unanswered && { unanswered }),
  };
}

async function countRows(
  http: Http,
  prepared: Prepared,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, metrics } of layoutSchema.parse(prepared.driver).tables) {
    let rows = 0;
    for (const metric of metrics) rows += await countPoints(http, metric, signal);
    counts[name] = rows;
  }
  return counts;
}

/** Points are handed on to HBase within a second, unless it does not keep up. */
async function awaitVisible(
  http: Http,
  prepared: Prepared,
  rows: number,
  tell: (share: number) => void,
  signal: AbortSignal,
): Promise<{ missing: string | null }> {
  let [seen, moved] = [-1, performance.now()];
  for (;;) {
    const start = performance.now();
    const now = Object.values(await countRows(http, prepared, signal)).reduce((sum, n) => sum + n, 0);
    const took = performance.now() - start;
    tell(rows === 0 ? 1 : Math.min(1, now / rows));
    if (now >= rows) return { missing: null };
    if (now > seen) [seen, moved] = [now, start];
    else if (performance.now() - moved > patienceMs)
      return {
        missing: `${formatCounted(rows - now, 'row')} could not be queried within ${patienceMs / 1000} s without any progress`,
      };
    // Counting reads every point: not all the time.
    await pause(Math.max(firstLookMs, took * 2), undefined, { signal }).catch(() => {
      throw cancelled();
    });
  }
}
