import { z } from 'zod';
import type { ServerDescription } from '../../../src-shared/model/server.ts';
import { roundTripUs } from '../roundTrip.ts';
import { editionOf, isUsable, lookUp, timescaleSchema } from '../timescaledb/index.ts';
import type { Control } from './control.ts';
import { cipherOf } from './login.ts';

const identitySchema = z.object({
  version: z.string(),
  text: z.string(),
  database: z.string(),
  size: z.coerce.number(),
  recovery: z.boolean(),
});
/** Shown by pg_settings only to who may see every setting. */
const placeSchema = z.object({ folder: z.string().nullable(), wal: z.coerce.number().nullable() });
const placeQuery = `SELECT (SELECT setting FROM pg_settings WHERE name = 'data_directory') AS folder,
  (SELECT pg_size_bytes(setting || unit) FROM pg_settings WHERE name = 'max_wal_size') AS wal`;

const settingSchema = z.object({
  name: z.string(),
  value: z.string(),
  unit: z.string().nullable(),
  source: z.string(),
});

/** Settings somebody chose. Computed ones, those a connection makes for itself and fixed ones are left out; so is a password. */
const settingsQuery = `SELECT name, coalesce(setting, '') AS value, unit, source FROM pg_settings
  WHERE setting IS DISTINCT FROM boot_val AND context <> 'internal' AND source NOT IN ('default', 'override', 'client', 'session')
    AND name NOT IN ('primary_conninfo', 'transaction_isolation', 'transaction_read_only', 'transaction_deferrable')
  ORDER BY name`;

/**
 * What the server says of itself.
 * @param whole false: `dialect` says what this very database can, not what the server could give a new one
 */
export async function describeServer(
  control: Control,
  engine: string,
  whole: boolean,
  signal: AbortSignal,
): Promise<ServerDescription> {
  const identity = await control.one(
    identitySchema,
    `SELECT current_setting('server_version') AS version, version() AS text, current_database() AS database,
       pg_database_size(current_database()) AS size, pg_is_in_recovery() AS recovery`,
    [],
    signal,
  );
  const timescale = await control.one(timescaleSchema, lookUp, [], signal);
  const place = await control.one(placeSchema, placeQuery, [], signal);
  const settings = await control.rows(settingSchema, settingsQuery, [], signal);
  const hasTimescale = whole ? isUsable(timescale) : timescale.installed !== null;
  return {
    engine,
    product: 'PostgreSQL',
    version: /^\d+(\.\d+)*/.exec(identity.version)?.[0] ?? identity.version,
    versionText: identity.text,
    edition: editionOf(timescale),
    dialect: hasTimescale ? 'timescaledb' : 'postgresql',
    database: identity.database,
    sizeBytes: identity.size,
    tls: cipherOf(control.login.socket),
    roundTripUs: await roundTripUs(() => control.execute('', signal)),
    settings,
    dataFolder: place.folder,
    mostWalBytes: place.wal,
    notes: await remarks(control, identity.recovery, signal),
  };
}

async function remarks(control: Control, recovery: boolean, signal: AbortSignal): Promise<string[]> {
  const is = await control.one(
    z.object({ fsync: z.string(), commit: z.string(), pages: z.string(), debug: z.string() }),
    `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
       current_setting('full_page_writes') AS pages, current_setting('debug_assertions') AS debug`,
    [],
    signal,
  );
  const notes: string[] = [];
  if (recovery) notes.push('The server is a standby in recovery: it can be read and not written.');
  if (is.fsync === 'off') notes.push('fsync is off: faster, and a power cut can destroy the data.');
  if (is.commit === 'off') {
    notes.push(
      'synchronous_commit is off: a power cut can lose the last transactions that were acknowledged.',
    );
  }
  if (is.pages === 'off') notes.push('full_page_writes is off: a power cut can damage pages.');
  if (is.debug === 'on') notes.push('The server was built with assertions, which make it slow.');
  return notes;
}
