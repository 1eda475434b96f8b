import { z } from 'zod';
import { databaseField, dataFolderField, passwordField, portField } from '../databaseFields.ts';

export const parameters = z.object({
  product: z
    .enum(['timescaledb', 'postgresql'])
    .default('timescaledb')
    .meta(
      databaseField({
        title: 'Database',
        description: 'TimescaleDB is PostgreSQL with an extension for time series.',
        optionLabels: {
          timescaledb: 'TimescaleDB: hypertables; the distribution’s package has no compression',
          postgresql: 'PostgreSQL: as it is',
        },
      }),
    ),
  port: portField(5433, {
    title: 'Port',
    description: 'Its own port: a PostgreSQL that is there already, mostly on 5432, is not touched.',
  }),
  dataFolder: dataFolderField,
  user: z
    .string()
    .trim()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'Small letters, digits and _, e.g. benchberry')
    .default('benchberry')
    .meta(
      databaseField({
        title: 'User',
        description:
          'The user in the database that the workbench signs in as. It may make databases; it is no superuser.',
      }),
    ),
  password: passwordField,
});
export type Parameters = z.infer<typeof parameters>;

/** The cluster is Benchberry's own. */
export const cluster = 'bench';
