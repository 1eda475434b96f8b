import type { Inventory } from '../../src-shared/model/host.ts';
import type { Provisioning } from '../../src-shared/model/provision.ts';
import type { DataPlace } from '../../src-shared/model/run.ts';
import type { ServerDescription } from '../../src-shared/model/server.ts';
import type { Store, StoredTarget } from '../store/repositories.ts';

/** What is known of a database and of the host it is on. */
export interface Known {
  /** Of the target's connection. */
  port: number | null;
  inventory: Inventory | null;
  /** By which the target was made, the newest first. */
  provisionings: readonly Provisioning[];
  server: ServerDescription | null;
}

/** `dataPlace` of a target, from what is stored of it. @param server as it was last seen to be */
export function placeOfTarget(
  store: Pick<Store, 'hosts' | 'provisionings'>,
  hostId: string,
  { id, connection }: Pick<StoredTarget, 'id' | 'connection'>,
  server: ServerDescription | null,
): DataPlace | null {
  const { port } = connection;
  return dataPlace({
    port: typeof port === 'number' ? port : null,
    inventory: store.hosts.get(hostId)?.inventory ?? null,
    provisionings: store.provisionings
      .list(hostId)
      .map(({ provisioning }) => provisioning)
      .filter(({ targetId, status }) => targetId === id && status !== 'undone'),
    server,
  });
}

const dockerRoot = '/var/lib/docker';

/**
 * The folder on the host that the database's data lies in, and how that is known; null where it is not. First the folder
 * chosen when it was set up; then the host's own list of clusters, by the port; then Docker's data root, where Docker is
 * there and no cluster has that port, since what the server itself tells is then its view from within a container; then
 * that.
 */
export function dataPlace({ port, inventory, provisionings, server }: Known): DataPlace | null {
  for (const { plan } of provisionings) {
    for (const { parameters } of plan.recipes) {
      const folder = parameters.dataFolder;
      const own = parameters.product === 'questdb' ? parameters.httpPort : parameters.port;
      if (typeof folder === 'string' && folder !== '' && own === port)
        return { folder, how: 'chosen when the database was set up' };
    }
  }
  const clusters = inventory?.postgresClusters ?? [];
  const cluster = clusters.find((each) => each.port === port && each.running);
  if (cluster)
    return {
      folder: cluster.dataFolder,
      how: `of the cluster ${cluster.version}/${cluster.name} on that port`,
    };
  const process = inventory?.ports.find((each) => each.port === port)?.process ?? null;
  const docker = inventory?.docker;
  if (docker && docker.version.value !== null && (process === null || process.startsWith('docker')))
    return { folder: docker.rootFolder.value ?? dockerRoot, how: 'where Docker keeps its data' };
  const folder = server?.dataFolder ?? null;
  return folder === null ? null : { folder, how: 'as the server tells it' };
}
