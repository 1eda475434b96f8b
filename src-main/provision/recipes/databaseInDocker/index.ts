import type { Inventory } from '../../../../src-shared/model/host.ts';
import type { Recipe } from '../../step.ts';
import { postgresTarget, questdbTarget } from '../databaseFields.ts';
import { containerFor, makeOf } from './container.ts';
import { containerStep } from './containerStep.ts';
import { imageStep } from './imageStep.ts';
import { mapCountStep } from './mapCountStep.ts';
import { type Parameters, parameters } from './parameters.ts';

/** A database in a container of its own, from its maker's image. */
export const databaseInDocker: Recipe = {
  id: 'database-in-docker',
  label: 'Database in Docker',
  description:
    'TimescaleDB, PostgreSQL or QuestDB in a container of its own, set up for the board. Needs Docker on the host.',
  parameters,
  refuse: (host, given) => refusal(host, parameters.parse(given)),
  steps(host, given) {
    const wanted = parameters.parse(given);
    const container = containerFor(host, wanted);
    return [
      ...(wanted.product === 'questdb' ? [mapCountStep] : []),
      imageStep(container),
      containerStep(container, wanted.password),
    ];
  },
  target(_host, given) {
    const { product, port, password, address, httpPort, wirePort, ilpPort } = parameters.parse(given);
    // Nothing but the host itself reaches it there.
    if (address.startsWith('127.')) return null;
    return product === 'questdb'
      ? questdbTarget({ port: httpPort, wirePort, ilpPort, user: 'admin', password })
      : postgresTarget({ port, user: 'postgres', password });
  },
};

function refusal(host: Inventory, given: Parameters): string | null {
  const { label, architectures, ports } = makeOf(host, given);
  const arch = host.userlandArch.value;
  if (arch !== null && !architectures.includes(arch)) {
    return `There is no image of ${label} for ${arch}, only for ${architectures.join(', ')}.`;
  }
  if (host.kernelArch.value === 'armv6l')
    return 'Docker’s packages need ARMv7: this board is too old for them.';
  const reasons = ports.map(([port]) => portTaken(host, port));
  return reasons.find((reason) => reason !== null) ?? null;
}

function portTaken(host: Inventory, port: number): string | null {
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
