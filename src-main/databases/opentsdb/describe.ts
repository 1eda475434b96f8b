import { z } from 'zod';
import type { ServerDescription } from '../../../src-shared/model/server.ts';
import type { Http } from '../http/http.ts';
import { roundTripUs } from '../roundTrip.ts';
import { ask, type Config, readConfig } from './api.ts';

/** What the server has where nobody has chosen something else, as far as it bears on a benchmark. */
const defaults: Readonly<Record<string, string>> = {
  'tsd.core.auto_create_metrics': 'false',
  'tsd.core.auto_create_tagks': 'true',
  'tsd.core.auto_create_tagvs': 'true',
  'tsd.core.meta.enable_realtime_ts': 'false',
  'tsd.core.meta.enable_realtime_uid': 'false',
  'tsd.core.meta.enable_tsuid_tracking': 'false',
  'tsd.core.connections.limit': '0',
  'tsd.http.query.allow_delete': 'false',
  'tsd.http.request.enable_chunked': 'false',
  'tsd.http.request.max_chunk': '4096',
  'tsd.mode': 'rw',
  'tsd.network.worker_threads': '',
  'tsd.query.multi_get.enable': 'false',
  'tsd.query.timeout': '0',
  'tsd.storage.enable_appends': 'false',
  'tsd.storage.enable_compaction': 'true',
  'tsd.storage.fix_duplicates': 'false',
  'tsd.storage.flush_interval': '1000',
  'tsd.storage.hbase.scanner.maxNumRows': '128',
  'tsd.storage.max_tags': '8',
  'tsd.storage.salt.buckets': '20',
  'tsd.storage.salt.width': '0',
};

/** A body of this size is still read in one piece by a server that takes no request in chunks. */
const unchunkedBytes = 8000;
/** Larger requests make nothing faster. */
const mostBytes = 1 << 20;

/** Bytes that a request with points may have. */
export function requestBytesOf(config: Config): number {
  if (config['tsd.http.request.enable_chunked'] !== 'true') return unchunkedBytes;
  const limit = Number(config['tsd.http.request.max_chunk'] ?? 4096);
  return Math.max(unchunkedBytes, Math.min(mostBytes, limit - 64));
}

/** Tags that a point may have. */
export function mostTagsOf(config: Config): number {
  return Math.max(1, Number(config['tsd.storage.max_tags'] ?? defaults['tsd.storage.max_tags']));
}

const versionSchema = z.object({ version: z.string(), short_revision: z.string() });

/** Dials, and signs in. */
export function readVersion(http: Http, signal: AbortSignal): Promise<z.infer<typeof versionSchema>> {
  return ask(http, '/api/version', versionSchema, signal);
}

/** What the server says of itself. */
export async function describeServer(
  http: Http,
  about: { engine: string; database: string; tls: string | null; dialect: string },
  signal: AbortSignal,
): Promise<ServerDescription> {
  const told = await readVersion(http, signal);
  const config = await readConfig(http, signal);
  // The build of Maven Central has none.
  const version = /^\d+(\.\d+)*/.exec(told.version)?.[0] ?? 'not told';
  return {
    engine: about.engine,
    product: 'OpenTSDB',
    version,
    versionText: `OpenTSDB, version ${version}, revision ${told.short_revision}`,
    edition: 'plain',
    dialect: about.dialect,
    database: about.database,
    // It does not tell; HBase does.
    sizeBytes: 0,
    tls: about.tls,
    roundTripUs: await roundTripUs(() => readVersion(http, signal)),
    settings: Object.entries(defaults).flatMap(([name, standard]) => {
      const value = config[name];
      return value === undefined || value === standard
        ? []
        : [{ name, value, unit: null, source: 'configuration' }];
    }),
    notes: notesOn(config),
  };
}

function notesOn(config: Config): string[] {
  const flush = config['tsd.storage.flush_interval'] ?? '1000';
  return [
    `Points are acknowledged once they are queued, unless a load waits for HBase: the server hands them on within ${flush} ms, and its end in between can lose them.`,
    'It keeps its points in HBase: how durable they are, and how large, HBase decides.',
    ...(config['tsd.storage.enable_compaction'] === 'false'
      ? []
      : [
          'tsd.storage.enable_compaction is on: finished hours are read and written again, also while old data is loaded.',
        ]),
  ];
}
