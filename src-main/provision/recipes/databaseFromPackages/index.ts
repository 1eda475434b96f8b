import type { Inventory } from '../../../../src-shared/model/host.ts';
import type { Recipe } from '../../step.ts';
import { postgresTarget } from '../databaseFields.ts';
import { is64Bit, knownReleases, releaseOf } from '../releases.ts';
import { clusterStep } from './clusterStep.ts';
import { packagesStep } from './packagesStep.ts';
import { cluster, type Parameters, parameters } from './parameters.ts';
import { roleStep } from './roleStep.ts';

/** PostgreSQL, with TimescaleDB where the release has it, from the distribution's own packages. */
export const databaseFromPackages: Recipe = {
  id: 'database-from-packages',
  label: 'Database from packages',
  description:
    'PostgreSQL or TimescaleDB from the distribution, in a cluster of its own that only this network can reach. Other clusters are left alone.',
  parameters,
  refuse: (host, given) => refusal(host, parameters.parse(given)),
  steps(host, given) {
    const wanted = parameters.parse(given);
    const release = releaseOf(host);
    if (release === null) return [];
    return [packagesStep(release, wanted), clusterStep(release, wanted), roleStep(release, wanted)];
  },
  target(_host, given) {
    const { port, user, password } = parameters.parse(given);
    return postgresTarget({ port, user, password });
  },
};

function refusal(host: Inventory, { product, port, dataFolder }: Parameters): string | null {
  // pg_createcluster puts it between single quotes into a line for the shell and drops backslashes where it writes it down;
  // pg_ctl puts it between double quotes into another one.
  if (/['"\\$`]/.test(dataFolder)) {
    return `The tools that make and start a database here hand its folder to a shell: none of ' " \\ $ \` can be in ${dataFolder}`;
  }
  const release = releaseOf(host);
  const os = host.os.value ?? 'This system';
  if (release === null) return `${os}: which packages it has is known for ${knownReleases} only.`;
  if (product === 'timescaledb' && !is64Bit(host)) {
    const arch = host.userlandArch.value ?? 'an unknown architecture';
    return `TimescaleDB has packages for 64-bit systems only; this one is ${arch}. PostgreSQL is there for 32 bits too.`;
  }
  if (product === 'timescaledb' && release.timescaledb === null) {
    return `${os} has no TimescaleDB package. Take PostgreSQL, or TimescaleDB in Docker.`;
  }
  const own = host.postgresClusters.find(({ name }) => name === cluster);
  if (own !== undefined && own.version !== String(release.postgres)) {
    return `There is a cluster ${cluster} of PostgreSQL ${own.version} already; this would be one of ${release.postgres}.`;
  }
  if (own !== undefined && own.port !== port) {
    return `There is a cluster ${cluster} already, on port ${own.port}: give that port, or undo it first.`;
  }
  const other = host.postgresClusters.find((each) => each.port === port && each.running && each !== own);
  if (own === undefined && other !== undefined) {
    return `PostgreSQL ${other.version} ${other.name} of the host is on port ${port}: stop it first, or choose another port.`;
  }
  const taken = host.ports.find((listening) => listening.port === port);
  if (own === undefined && taken !== undefined) {
    return `Port ${port} is taken${taken.process === null ? '' : ` by ${taken.process}`}: choose another one.`;
  }
  return null;
}
