import { z } from 'zod';
import type { ServerDescription } from '../../../src-shared/model/server.ts';
import { formatCounted } from '../../../src-shared/units.ts';
import type { Http } from '../http/http.ts';
import { roundTripUs } from '../roundTrip.ts';
import { ask } from './gateway.ts';

const mebibyte = 1 << 20;

const versionSchema = z.object({ Version: z.string() });
const gatewaySchema = z.object({ REST: z.string(), JVM: z.string() });
const regionSchema = z.object({
  /** `table,start,time.hash.` in Base64. */
  name: z.string(),
  storefiles: z.number().default(0),
  storefileSizeMB: z.number().default(0),
  memStoreSizeMB: z.number().default(0),
});
const statusSchema = z.object({
  regions: z.number(),
  LiveNodes: z.array(
    z.object({
      name: z.string(),
      heapSizeMB: z.number(),
      maxHeapSizeMB: z.number(),
      Region: z.array(regionSchema).default([]),
    }),
  ),
  DeadNodes: z.array(z.unknown()).default([]),
});

/** Dials, and signs in. */
export async function versionOf(http: Http, signal: AbortSignal): Promise<string> {
  return (await ask(http, '/version/cluster', versionSchema, signal)).Version;
}

/** What the cluster says of itself over its gateway, and of the namespace. */
export async function describeServer(
  http: Http,
  about: { engine: string; database: string; tls: string | null },
  signal: AbortSignal,
): Promise<ServerDescription> {
  const version = await versionOf(http, signal);
  const status = await ask(http, '/status/cluster', statusSchema, signal);
  const gateway = await ask(http, '/version/rest', gatewaySchema, signal);
  const nodes = status.LiveNodes;
  const regions = nodes.flatMap(({ Region }) => Region).filter(({ name }) => isIn(name, about.database));
  const size = regions.reduce((sum, each) => sum + each.storefileSizeMB + each.memStoreSizeMB, 0);
  const files = regions.reduce((sum, each) => sum + each.storefiles, 0);
  const setting = (name: string, value: string | number, unit: string | null = null) => ({
    ...{ name, value: String(value), unit, source: 'status' },
  });
  return {
    engine: about.engine,
    product: 'HBase',
    version: /^\d+(\.\d+)*/.exec(version)?.[0] ?? version,
    versionText: `HBase ${version}, REST gateway ${gateway.REST}`,
    edition: formatCounted(nodes.length, 'region server'),
    dialect: 'hbase',
    database: about.database,
    sizeBytes: size * mebibyte,
    tls: about.tls,
    roundTripUs: await roundTripUs(() =>
      http.send({ path: '/version/rest', headers: { accept: 'application/json' } }, signal),
    ),
    settings: [
      ...nodes.map(({ name, maxHeapSizeMB }) => setting(`heap of ${name}`, maxHeapSizeMB, 'MiB')),
      setting('Java of the gateway', gateway.JVM),
    ],
    notes: [
      `The namespace has ${formatCounted(regions.length, 'region')} of the cluster’s ${status.regions}, with ${formatCounted(files, 'file')}.`,
      'Rows go through the REST gateway, which is a hop more than HBase’s own clients have; the gateway may be the limit.',
      'On a local file system, as in standalone mode, HBase syncs nothing: a power cut can lose what was acknowledged.',
      'Sizes are whole mebibytes, of files and of what is in memory.',
      ...(status.DeadNodes.length > 0
        ? [`${formatCounted(status.DeadNodes.length, 'region server')} of the cluster are dead.`]
        : []),
    ],
  };
}

/** Tables of the namespace `default` have none in their name. */
function isIn(region: string, database: string): boolean {
  const name = Buffer.from(region, 'base64').toString('latin1');
  const [table = ''] = name.split(',');
  return table.includes(':') ? table.startsWith(`${database}:`) : database === 'default';
}
