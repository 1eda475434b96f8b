import type { Inventory } from '../../../../src-shared/model/host.ts';
import type { Recipe } from '../../step.ts';
import { knownReleases, releaseOf } from '../releases.ts';
import { daemonStep } from './daemonStep.ts';
import { groupStep } from './groupStep.ts';
import { memoryStep } from './memoryStep.ts';
import { packagesStep } from './packagesStep.ts';
import { type Parameters, parameters } from './parameters.ts';
import { repositoryStep } from './repositoryStep.ts';

/** Docker from the system's packages or Docker's own, with a log that does not fill the card. */
export const docker: Recipe = {
  id: 'docker',
  label: 'Docker engine',
  description: 'Docker from the system’s packages or Docker’s own, with limited logs.',
  parameters,
  refuse: (host, given) => refusal(host, parameters.parse(given)),
  steps(host, given) {
    const wanted = parameters.parse(given);
    const { source, dataRoot, memoryLimits, group } = wanted;
    return [
      ...(source === 'docker' ? [repositoryStep(host, wanted)] : []),
      packagesStep(host, wanted),
      daemonStep(dataRoot),
      ...(group ? [groupStep] : []),
      ...(memoryLimits ? [memoryStep] : []),
    ];
  },
};

function refusal(host: Inventory, { source }: Parameters): string | null {
  if (host.kernelArch.value === 'armv6l' || host.userlandArch.value === 'armel') {
    return 'Docker’s packages need ARMv7: a Raspberry Pi 1 or Zero is too old for them.';
  }
  // Docker's own packages or another distribution's: they are used as they are.
  if (host.docker.version.value !== null) return null;
  const arch = host.userlandArch.value ?? 'an unknown architecture';
  if (source === 'docker' && !['arm64', 'armhf', 'amd64'].includes(arch)) {
    return `Docker’s repository has packages for arm64, armhf and amd64; this system is ${arch}.`;
  }
  return releaseOf(host) === null
    ? `${host.os.value ?? 'This system'}: which packages it has is known for ${knownReleases} only.`
    : null;
}
