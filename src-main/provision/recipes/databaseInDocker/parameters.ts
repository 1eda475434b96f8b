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
        description: 'The maker’s own image.',
        optionLabels: {
          timescaledb: 'TimescaleDB: timescale/timescaledb, with compression and continuous aggregates',
          postgresql: 'PostgreSQL: the official image postgres',
        },
      }),
    ),
  version: z
    .enum(['15', '16', '17', '18'])
    .default('17')
    .meta(field({ title: 'PostgreSQL version', description: 'The newest image of that version is taken.' })),
  port: z
    .int('A port is a whole number')
    .min(1024, 'A port is 1024 to 65535')
    .max(65_535, 'A port is 1024 to 65535')
    .default(5432)
    .meta(
      field({
        title: 'Port',
        description:
          'Of the host. Docker opens it to every network that reaches the host, whatever a firewall says.',
      }),
    ),
  dataFolder: z
    .string()
    .trim()
    .regex(/^$|^\/[^\n\r:]*[^/\n\r:]$/, 'An absolute path such as /mnt/ssd/timescaledb, without a colon')
    .default('')
    .meta(
      field({
        title: 'Data folder',
        description:
          'A new or empty folder on the disk that is to be measured. Empty: a volume in Docker’s own folder.',
      }),
    ),
  password: z
    .string()
    .refine((text) => !/[\n\r\0]/.test(text), 'A password cannot hold a line break')
    .default('')
    .meta(
      field({
        title: 'Password',
        description: 'For the user postgres. It is kept with the target, nowhere else.',
        kind: 'secret',
      }),
    ),
});
export type Parameters = z.infer<typeof parameters>;
