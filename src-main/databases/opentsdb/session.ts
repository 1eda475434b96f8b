import type { Dataset, Endpoint, Prepared, PrepareOptions, Session } from '../driver.ts';
import { connected, httpTargetFrom } from '../http/connection.ts';
import type { Http } from '../http/http.ts';
import { awaitRows } from '../http/visible.ts';
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
const lookMs = 300;

/** The control connection. */
export async function openSession(endpoint: Endpoint, signal: AbortSignal): Promise<Session> {
  const target = httpTargetFrom(endpoint);
  const http = await connected(target, (own) => readVersion(own, signal));
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
    // Points are handed on to HBase within a second, unless it does not keep up. Counting reads every point: not all the time.
    awaitVisible: (prepared, rows, tell, own) =>
      awaitRows(
        rows,
        () => countRows(http, prepared, own),
        (tookMs) => Math.max(lookMs, tookMs * 2),
        tell,
        own,
      ),
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
