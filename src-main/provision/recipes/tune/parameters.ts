import { z } from 'zod';
import type { FieldMeta } from '../../../../src-shared/model/form.ts';
import { profileIds } from '../../tuning/profiles.ts';
import { formulaVersions } from '../../tuning/timescaledbTune.ts';

const field = (meta: FieldMeta) => ({ group: 'Settings', ...meta });

export const parameters = z.object({
  profile: z
    .enum(profileIds)
    .default('pi-safe')
    .meta(
      field({
        title: 'Profile',
        description: 'Where the settings come from. Each is shown with its reason before it is written.',
        optionLabels: {
          'timescaledb-tune': 'timescaledb-tune: its advice for this memory, these cores and this version',
          'pi-safe': 'Pi-safe: the same, with what does not fit a small board put right',
          'article-p1': 'Article of 2021: TSBS on TimescaleDB, Raspberry Pi 3 with 1 GB',
          'article-p2': 'Article of 2019: pgbench on Raspberry Pi 3B, wal_level minimal',
          durable: 'Durable default: PostgreSQL’s own, nothing acknowledged is lost',
          custom: 'Custom: your own settings only',
        },
      }),
    ),
  custom: z
    .string()
    .default('')
    .meta(
      field({
        title: 'Own settings',
        description:
          'As in postgresql.conf, with ; between: work_mem = 8MB; jit = off. They win over the profile.',
      }),
    ),
  server: z
    .enum(['cluster', 'timescaledb', 'postgresql'])
    .default('cluster')
    .meta(
      field({
        title: 'Server',
        description: 'The one that is tuned.',
        optionLabels: {
          cluster: 'A cluster of the host: PostgreSQL from packages',
          timescaledb: 'Container benchberry-timescaledb: made by the recipe Database in Docker',
          postgresql: 'Container benchberry-postgresql: made by the recipe Database in Docker',
        },
      }),
    ),
  cluster: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][\w.-]*$/, 'The name of a cluster: letters, digits, . _ -')
    .default('bench')
    .meta(
      field({
        title: 'Cluster',
        description:
          'Name of the PostgreSQL cluster on the host; Benchberry’s own is bench. Not for containers.',
      }),
    ),
  version: z
    .enum(['15', '16', '17', '18'])
    .default('17')
    .meta(
      field({
        title: 'PostgreSQL version of the container',
        description: 'As it was chosen for the container; a cluster tells its own.',
        advanced: true,
      }),
    ),
  formulas: z
    .enum(formulaVersions)
    .default('0.19.0')
    .meta(
      field({
        title: 'Formulas',
        description: 'Version of timescaledb-tune whose formulas are used.',
        advanced: true,
        optionLabels: {
          '0.19.0': '0.19.0: the newest (April 2026)',
          '0.11.0': '0.11.0: of the article (2021)',
        },
      }),
    ),
  disk: z
    .enum(['auto', 'card', 'ssd'])
    .default('auto')
    .meta(
      field({
        title: 'Disk of the database',
        description: 'Decides two settings of the Pi-safe profile.',
        advanced: true,
        optionLabels: { auto: 'As the root disk', card: 'SD card or eMMC', ssd: 'SSD (USB or NVMe)' },
      }),
    ),
});
export type Parameters = z.infer<typeof parameters>;
