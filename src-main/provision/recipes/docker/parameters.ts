import { z } from 'zod';
import type { FieldMeta } from '../../../../src-shared/model/form.ts';

const field = (meta: FieldMeta) => ({ group: 'Docker', ...meta });

export const parameters = z.object({
  source: z
    .enum(['distribution', 'docker'])
    .default('distribution')
    .meta(
      field({
        title: 'Packages',
        description: 'Where Docker comes from, where none is there yet.',
        optionLabels: {
          distribution: 'The system’s own: older, kept up to date with the system',
          docker: 'Docker’s repository: the newest version, from Docker itself',
        },
      }),
    ),
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
  repository: z
    .string()
    .trim()
    .regex(/^https?:\/\/[\w.:-]+(\/[\w.~-]+)*$/, 'An address such as https://download.docker.com/linux')
    .default('https://download.docker.com/linux')
    .meta(
      field({
        title: 'Address of Docker’s repository',
        description: 'Docker’s own, or a mirror of it; with Packages from Docker’s repository only.',
        advanced: true,
      }),
    ),
  fingerprint: z
    .string()
    .trim()
    .regex(/^([0-9A-Fa-f] *){40}$/, 'The 40 hexadecimal digits of a key’s fingerprint')
    .default('9DC8 5822 9FC7 DD38 854A E2D8 8D81 803C 0EBF CD88')
    .meta(
      field({
        title: 'Fingerprint of the repository’s key',
        description:
          'Of the key that signs the repository; any other one is refused. Preset is Docker’s own.',
        advanced: true,
      }),
    ),
});
export type Parameters = z.infer<typeof parameters>;
