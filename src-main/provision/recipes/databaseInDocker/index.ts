import type { Inventory } from '../../../../src-shared/model/host.ts';
import type { Recipe } from '../../step.ts';
import { containerFor } from './container.ts';
import { containerStep } from './containerStep.ts';
import { imageStep } from './imageStep.ts';
import { type Parameters, parameters } from './parameters.ts';

/** A database in a container of its own, from its maker's image. */
export const databaseInDocker: Recipe = {
  id: 'database-in-docker',
  label: 'Database in Docker',
  description:
    'TimescaleDB or PostgreSQL in a container of its own, tuned for the board. Needs Docker on the host.',
  parameters,
  refuse: (host, given) => refusal(host, parameters.parse(given)),
  steps(host, given) {
    const wanted = parameters.parse(given);
    const container = containerFor(host, wanted);
    return [imageStep(container), containerStep(container, wanted)];
  },
  target(_host, given) {
    const { port, password } = parameters.parse(given);
    // Without a password nothing was changed: the target that was made with it is still right.
    if (password === '') return null;
    const connection = { port, user: 'postgres', adminDatabase: 'postgres' };
    return { engine: 'postgresql', connection, secret: password };
  },
};

function refusal(host: Inventory, { port, product }: Parameters): string | null {
  const arch = host.userlandArch.value;
  if (arch !== null && !['arm64', 'armhf', 'amd64'].includes(arch)) {
    return `There is no image of ${product === 'timescaledb' ? 'TimescaleDB' : 'PostgreSQL'} for ${arch}.`;
  }
  if (host.kernelArch.value === 'armv6l')
    return 'Docker’s packages need ARMv7: this board is too old for them.';
  const taken = host.ports.find((listening) => listening.port === port);
  const process = taken?.process ?? null;
  // Without root the name is unknown: it may be our own container, and Docker tells when it is not.
  if (taken === undefined || process === null || process.startsWith('docker')) {
    const cluster = host.postgresClusters.find((each) => each.port === port && each.running);
    return cluster === undefined
      ? null
      : `PostgreSQL ${cluster.version} ${cluster.name} of the host is on port ${port}: stop it first, or choose another port.`;
  }
  return `Port ${port} is taken by ${process}: choose another one, or stop that first.`;
}
