import { z } from 'zod';
import type { FieldMeta } from '../../../../src-shared/model/form.ts';
import type { Inventory } from '../../../../src-shared/model/host.ts';
import type { Recipe } from '../../step.ts';
import { knownReleases, releaseOf } from '../releases.ts';
import { daemonStep } from './daemonStep.ts';
import { groupStep } from './groupStep.ts';
import { memoryStep } from './memoryStep.ts';
import { packagesStep } from './packagesStep.ts';

const field = (meta: FieldMeta) => ({ group: 'Docker', ...meta });

const parameters = z.object({
  dataRoot: z
    .string()
    .trim()
    .regex(/^$|^\/[^\n\r]*[^/\n\r]$/, 'An absolute path such as /mnt/ssd/docker')
    .default('')
    .meta(
      field({
        title: 'Folder for Docker’s data',
        description:
          'Images, containers and volumes, e.g. /mnt/ssd/docker to spare the card. Empty: where Docker puts them.',
      }),
    ),
  memoryLimits: z
    .boolean()
    .default(true)
    .meta(
      field({
        title: 'Memory limits',
        description:
          'Raspberry Pi OS starts without them. Switching them on takes a few MB of memory and a restart of the host.',
      }),
    ),
  group: z
    .boolean()
    .default(false)
    .meta(
      field({
        title: 'Docker without sudo',
        description: 'Puts the user who signs in into the group docker, which is as much as being root.',
      }),
    ),
});

/** Docker from the distribution's packages, with a log that does not fill the card. */
export const docker: Recipe = {
  id: 'docker',
  label: 'Docker engine',
  description: 'Docker from the distribution’s packages, with limited logs.',
  parameters,
  refuse: (host) => refusal(host),
  steps(host, given) {
    const { dataRoot, memoryLimits, group } = parameters.parse(given);
    return [
      packagesStep(host),
      daemonStep(dataRoot),
      ...(group ? [groupStep] : []),
      ...(memoryLimits ? [memoryStep] : []),
    ];
  },
};

function refusal(host: Inventory): string | null {
  if (host.kernelArch.value === 'armv6l' || host.userlandArch.value === 'armel') {
    return 'Docker’s packages need ARMv7: a Raspberry Pi 1 or Zero is too old for them.';
  }
  // Docker's own packages or another distribution's: they are used as they are.
  if (host.docker.version.value !== null) return null;
  return releaseOf(host) === null
    ? `${host.os.value ?? 'This system'}: which packages it has is known for ${knownReleases} only.`
    : null;
}
