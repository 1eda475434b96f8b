import path from 'node:path';
import { z } from 'zod';
import type { ServerDescription } from '../../../src-shared/model/server.ts';
import type { Http } from '../http/http.ts';
import { roundTripUs } from '../roundTrip.ts';
import { onlyDatabase, type Target } from './connection.ts';
import { ask, askOne } from './sql.ts';
import { readWal, suspension } from './wal.ts';

const buildSchema = z.object({ build: z.string() });
const sizeSchema = z.object({ bytes: z.coerce.number().nullable() });
const parameterSchema = z.object({
  property_path: z.string(),
  value: z.string().nullable(),
  value_source: z.string(),
  sensitive: z.boolean().nullish(),
});

const root = 'cairo.root';
const commitMode = 'cairo.commit.mode';

/** What the server says of itself. */
export async function describeServer(
  http: Http,
  target: Target,
  engine: string,
  signal: AbortSignal,
): Promise<ServerDescription> {
  const { build } = await askOne(http, buildSchema, 'SELECT build() AS build', signal);
  const { bytes } = await askOne(
    http,
    sizeSchema,
    'SELECT sum(diskSize) AS bytes FROM table_storage()',
    signal,
  );
  const parameters = await ask(http, parameterSchema, 'SHOW PARAMETERS', signal);
  const parameter = (name: string) =>
    parameters.find(({ property_path: own }) => own === name)?.value ?? null;
  const folder = parameter(root);
  return {
    engine,
    product: 'QuestDB',
    version: /\d+(\.\d+)+/.exec(build)?.[0] ?? build,
    versionText: build,
    edition: /enterprise/i.test(build) ? 'Enterprise' : 'plain',
    dialect: 'questdb',
    database: onlyDatabase,
    sizeBytes: bytes ?? 0,
    tls: target.tlsMode === 'disable' ? null : 'TLS',
    roundTripUs: await roundTripUs(() => http.send({ path: '/ping' }, signal)),
    settings: parameters
      .filter(({ value_source: source, sensitive }) => source !== 'default' && sensitive !== true)
      .map(({ property_path: name, value, value_source: source }) => ({
        ...{ name, value: value ?? '', unit: null, source },
      })),
    // Of one that is relative the server does not tell to what.
    dataFolder: folder !== null && path.posix.isAbsolute(folder) ? folder : null,
    notes: await remarks(http, parameter(commitMode), signal),
  };
}

async function remarks(http: Http, commit: string | null, signal: AbortSignal): Promise<string[]> {
  const notes: string[] = [];
  if (commit === 'nosync') {
    notes.push('cairo.commit.mode is nosync: what is acknowledged survives the server, and not a power cut.');
  }
  for (const wal of await readWal(http, null, signal))
    if (wal.suspended) notes.push(`${suspension(http, wal).message}.`);
  return notes;
}
