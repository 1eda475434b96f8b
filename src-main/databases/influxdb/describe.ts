import type { ServerDescription } from '../../../src-shared/model/server.ts';
import type { Http } from '../http/http.ts';
import { roundTripUs } from '../roundTrip.ts';
import { ask, type Series } from './query.ts';

/** The server's own statistics; there unless somebody switched them off. */
export const monitorDatabase = '_internal';

/** What the server has where nobody has chosen something else, as far as it bears on a benchmark. */
const defaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  data: {
    'cache-max-memory-size': 1_073_741_824,
    'cache-snapshot-memory-size': 26_214_400,
    'cache-snapshot-write-cold-duration': '10m0s',
    'compact-full-write-cold-duration': '4h0m0s',
    'max-concurrent-compactions': 0,
    'max-series-per-database': 1_000_000,
    'max-values-per-tag': 100_000,
    'wal-fsync-delay': '0s',
  },
  coordinator: {
    'max-concurrent-queries': 0,
    'max-select-buckets': 0,
    'max-select-point': 0,
    'max-select-series': 0,
    'query-timeout': '0s',
    'write-timeout': '10s',
  },
  httpd: { 'max-connection-limit': 0, 'max-row-limit': 0 },
};

/** What the server says of itself, and how large a database is. */
export async function describeServer(
  http: Http,
  engine: string,
  database: string,
  encrypted: boolean,
  signal: AbortSignal,
): Promise<ServerDescription> {
  const told = await ask(http, 'SHOW DIAGNOSTICS', signal);
  const version = String(toldOf(told, 'build', 'Version') ?? '');
  const settings = Object.entries(defaults).flatMap(([section, known]) =>
    Object.entries(known).flatMap(([name, standard]) => {
      const value = toldOf(told, `config-${section}`, name);
      if (value === undefined || value === standard) return [];
      return [{ name: `${section}.${name}`, value: String(value), unit: null, source: 'configuration' }];
    }),
  );
  const delay = toldOf(told, 'config-data', 'wal-fsync-delay');
  const folder = toldOf(told, 'config-data', 'dir');
  return {
    engine,
    product: 'InfluxDB',
    version: /^\d+(\.\d+)*/.exec(version)?.[0] ?? version,
    versionText: `InfluxDB ${version}`,
    edition: 'TSM',
    dialect: 'influxql',
    database,
    sizeBytes: await sizeOf(http, database, signal),
    tls: encrypted ? 'encrypted' : null,
    roundTripUs: await roundTripUs(() => http.send({ path: '/ping' }, signal)),
    settings,
    dataFolder: typeof folder === 'string' ? folder : null,
    notes:
      delay === undefined || delay === '0s'
        ? []
        : [
            `wal-fsync-delay is ${delay}: faster, and a power cut can lose what was acknowledged within that time.`,
          ],
  };
}

function toldOf(series: readonly Series[], name: string, column: string): unknown {
  const found = series.find((each) => each.name === name);
  return found?.values[0]?.[found.columns.indexOf(column)];
}

/** Bytes of the database's shards on the disk; what is in memory and in the log only is not among them. */
async function sizeOf(http: Http, database: string, signal: AbortSignal): Promise<number> {
  const shards = await ask(http, "SHOW STATS FOR 'shard'", signal);
  return shards
    .filter(({ tags }) => tags.database === database)
    .reduce((sum, { columns, values }) => sum + Number(values[0]?.[columns.indexOf('diskBytes')] ?? 0), 0);
}
