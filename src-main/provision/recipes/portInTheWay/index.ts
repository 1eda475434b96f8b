import { z } from 'zod';
import type { FieldMeta } from '../../../../src-shared/model/form.ts';
import type { Inventory } from '../../../../src-shared/model/host.ts';
import { quote } from '../../../hosts/quote.ts';
import { readFacts } from '../../shellCheck.ts';
import type { Recipe, Step } from '../../step.ts';
import { cluster as ownCluster } from '../databaseFromPackages/parameters.ts';

const parameters = z.object({
  port: z
    .int()
    .min(1)
    .max(65_535)
    .default(5432)
    .meta({
      title: 'Port',
      description:
        'The PostgreSQL of the host that listens on this port is stopped and stays so over restarts.',
    } satisfies FieldMeta),
});

type Cluster = Inventory['postgresClusters'][number];
/** The workbench's own cluster is never in its way. */
const onPort = (host: Inventory, port: number) =>
  host.postgresClusters.filter((cluster) => cluster.port === port && cluster.name !== ownCluster);

/** Frees a port of the host's own PostgreSQL, with all its data left where it is. */
export const portInTheWay: Recipe = {
  id: 'port-in-the-way',
  label: 'Stop what is in the way',
  description: "Stops the host's own PostgreSQL on a port, keeps its data, and can start it again.",
  parameters,
  refuse(host, given) {
    const { port } = parameters.parse(given);
    const held = host.ports.find((each) => each.port === port);
    if (held === undefined || host.postgresClusters.some((cluster) => cluster.port === port)) return null;
    const who = held.process === null ? 'Another program' : held.process;
    return `${who} listens on port ${port}, not a PostgreSQL cluster of the system: it is left alone.`;
  },
  steps(host, given) {
    const { port } = parameters.parse(given);
    return onPort(host, port).map(stopCluster);
  },
  leaves(host, given) {
    const { port } = parameters.parse(given);
    const stopped = onPort(host, port);
    if (stopped.length === 0) return host;
    const own = host.postgresClusters.some((cluster) => cluster.port === port && !stopped.includes(cluster));
    return {
      ...host,
      ports: own ? host.ports : host.ports.filter((listening) => listening.port !== port),
      postgresClusters: host.postgresClusters.map((cluster) =>
        stopped.includes(cluster) ? { ...cluster, running: false } : cluster,
      ),
    };
  },
};

function stopCluster({ version, name, port, dataFolder }: Cluster): Step {
  const unit = quote(`postgresql@${version}-${name}.service`);
  const conf = quote(`/etc/postgresql/${version}/${name}/start.conf`);
  const facts = `echo "active=$(systemctl is-active ${unit} || true)"
echo "start=$(grep -v '^[[:space:]]*\\(#\\|$\\)' ${conf} | head -n 1)"
echo "conf=$(base64 -w 0 ${conf})"`;
  return {
    id: `stop-${version}-${name}`.replaceAll(/[^\w-]/g, '-'),
    title: `Stop PostgreSQL ${version} (${name}) on port ${port}`,
    changes: [
      `The cluster is stopped now and no longer started at boot: ${`/etc/postgresql/${version}/${name}/start.conf`} says manual`,
      `Its data stays in ${dataFolder}`,
    ],
    needsRoot: true,
    needsReboot: false,
    reversible: true,
    test: `[ "$(systemctl is-active ${unit})" != active ] && grep -qx manual ${conf}`,
    async check(remote, signal) {
      const seen = await readFacts(remote, facts, signal);
      const active = seen.get('active') === 'active';
      const start = seen.get('start') ?? '';
      return {
        done: !active && start !== 'auto',
        evidence: `${active ? 'Running' : 'Stopped'}; at boot: ${start}.`,
        saved: { active, conf: seen.get('conf') ?? '' },
      };
    },
    apply: () => `systemctl stop ${unit}
sed -i 's/^[[:space:]]*auto[[:space:]]*$/manual/' ${conf}
systemctl daemon-reload
echo ${quote(`Stopped; port ${port} is free`)}`,
    undo(saved) {
      const { active, conf: before } = z.object({ active: z.boolean(), conf: z.string() }).parse(saved);
      // Written into the file as it is, so that its owner and mode stay.
      const restore = `printf %s ${quote(before)} | base64 -d > ${conf}\nsystemctl daemon-reload`;
      return active ? `${restore}\nsystemctl start ${unit}` : restore;
    },
  };
}
