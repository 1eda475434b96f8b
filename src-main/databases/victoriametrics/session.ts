import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import type { ServerDescription } from '../../../src-shared/model/server.ts';
import { formatCount } from '../../../src-shared/units.ts';
import type { Endpoint, Prepared, Session } from '../driver.ts';
import { connected, httpTargetFrom } from '../http/connection.ts';
import type { Http } from '../http/http.ts';
import { resendFor } from '../http/resending.ts';
import { awaitRows } from '../http/visible.ts';
import { checkNames, noValue } from '../lines/rows.ts';
import { roundTripUs } from '../roundTrip.ts';
import { countValues, flush } from './http.ts';
import { droppedForTheirTime, readMetrics } from './metrics.ts';
import { dropOurs, provideDatabase } from './ownership.ts';

export const loadOptions = z.object({ resendFor });
const preparedSchema = loadOptions.extend({
  tables: z.array(z.object({ name: z.string(), field: z.string() })),
  /** Values that the server had dropped for their time before the load. */
  dropped: z.number(),
});
const lookMs = 200;

export async function openSession(endpoint: Endpoint, signal: AbortSignal): Promise<Session> {
  const target = httpTargetFrom(endpoint);
  const http = await connected(target, (own) => readMetrics(own, signal));
  const tls = target.tlsMode === 'disable' ? null : 'encrypted';
  return {
    describe: (own, database = 'none') => describeServer(http, endpoint.engine, database, tls, own),
    async prepare(dataset, options, own) {
      checkNames(dataset);
      await provideDatabase(http, dataset, options, own);
      const told = await readMetrics(http, own);
      const tables = dataset.tables.map(({ name, fields }) => ({ name, field: fields[0]?.name ?? noValue }));
      return {
        database: options.database,
        notes: [`Times are kept to the millisecond, for as long as retentionPeriod says: ${told.retention}.`],
        driver: { tables, dropped: droppedForTheirTime(told), ...loadOptions.parse(options.engine) },
      };
    },
    // Tags are in every series.
    writeDevices: async () => undefined,
    count: (prepared, own) => countRows(http, prepared, own),
    awaitVisible: (prepared, rows, tell, own) =>
      awaitRows(
        rows,
        () => flushedRows(http, prepared, own),
        () => lookMs,
        tell,
        own,
      ),
    drop: (prepared, own) => dropOurs(http, prepared.database, own),
    close: async () => http.close(),
  };
}

async function countRows(
  http: Http,
  prepared: Prepared,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, field } of preparedSchema.parse(prepared.driver).tables) {
    let rows = 0;
    for (const part of [field, noValue])
      rows += await countValues(http, prepared.database, `${name}_${part}`, signal);
    counts[name] = rows;
  }
  return counts;
}

/** Rows that can be queried now. @throws AppError `server-error` where the server has dropped values for their time */
async function flushedRows(
  http: Http,
  prepared: Prepared,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  await flush(http, signal);
  const told = await readMetrics(http, signal);
  const dropped = droppedForTheirTime(told) - preparedSchema.parse(prepared.driver).dropped;
  if (dropped > 0) throw tooOld(http, dropped, told.retention);
  return countRows(http, prepared, signal);
}

function tooOld(http: Http, dropped: number, retention: string): AppError {
  return new AppError({
    code: 'server-error',
    message: `The server dropped ${formatCount(dropped)} values for their time`,
    place: http.place,
    detail: `retentionPeriod is ${retention}: what is older, or more than two days ahead, is dropped without an error.`,
    hint: 'Start the server with -retentionPeriod=100y, or load data of recent times.',
  });
}

async function describeServer(
  http: Http,
  engine: string,
  database: string,
  tls: string | null,
  signal: AbortSignal,
): Promise<ServerDescription> {
  const told = await readMetrics(http, signal);
  const version = told.version?.replace(/^v/, '') ?? 'not told';
  return {
    engine,
    product: 'VictoriaMetrics',
    version,
    versionText: `VictoriaMetrics, version ${version}`,
    edition: 'single node',
    dialect: 'victoriametrics',
    database,
    sizeBytes: told.sizeBytes,
    tls,
    roundTripUs: await roundTripUs(() => http.send({ path: '/health' }, signal)),
    settings: told.flags.map((flag) => ({ ...flag, unit: null, source: 'command line' })),
    dataFolder: told.dataFolder,
    notes: [
      'Rows are acknowledged once they are in memory: a power cut can lose the last seconds of them.',
      'Values of one series share a power of ten: beside very large ones, very small ones lose digits.',
      'The size is of all databases: they share one store, in which what is deleted lies for a while.',
    ],
  };
}
