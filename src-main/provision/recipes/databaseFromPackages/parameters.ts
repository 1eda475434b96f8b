import { z } from 'zod';
import type { FieldMeta } from '../../../../src-shared/model/form.ts';

const field = (meta: FieldMeta) => ({ group: 'Database', ...meta });

export const parameters = z.object({
  product: z
    .enum(['timescaledb', 'postgresql'])
    .default('timescaledb')
    .meta(
      field({
        title: 'Database',
        description: 'TimescaleDB is PostgreSQL with an extension for time series.',
        optionLabels: {
          timescaledb: 'TimescaleDB: hypertables; the distribution’s package has no compression',
          postgresql: 'PostgreSQL: as it is',
        },
      }),
    ),
  port: z
    .int('A port is a whole number')
    .min(1024, 'A port is 1024 to 65535')
    .max(65_535, 'A port is 1024 to 65535')
    .default(5433)
    .meta(
      field({
        title: 'Port',
        description: 'Its own port: a PostgreSQL that is there already, mostly on 5432, is not touched.',
      }),
    ),
  dataFolder: z
    .string()
    .trim()
    .regex(/^$|^\/[^\n\r]*[^/\n\r]$/, 'An absolute path such as /mnt/ssd/bench')
    .default('')
    .meta(
      field({
        title: 'Data folder',
        description:
          'An empty or new folder on the disk that is to be measured, e.g. /mnt/ssd/bench. Empty: where PostgreSQL puts it, on the root disk.',
      }),
    ),
  user: z
    .string()
    .trim()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'Small letters, digits and _, e.g. benchberry')
    .default('benchberry')
    .meta(
      field({
        title: 'User',
        description:
          'The user in the database that the workbench signs in as. It may make databases; it is no superuser.',
      }),
    ),
  password: z
    .string()
    .refine((text) => !/[\n\r\0]/.test(text), 'A password cannot hold a line break')
    .default('')
    .meta(
      field({
        title: 'Password',
        description: 'For that user. It is sent encrypted and kept with the target, nowhere else.',
        kind: 'secret',
      }),
    ),
});
export type Parameters = z.infer<typeof parameters>;

/** The cluster is Benchberry's own. */
export const cluster = 'bench';
