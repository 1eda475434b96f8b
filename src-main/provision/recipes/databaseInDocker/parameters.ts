import { z } from 'zod';
import type { FieldMeta } from '../../../../src-shared/model/form.ts';
import { databaseField, dataFolderField, passwordField, portField } from '../databaseFields.ts';

const questdb = (meta: FieldMeta) => ({ group: 'QuestDB', advanced: true, ...meta });

export const parameters = z.object({
  product: z
    .enum(['timescaledb', 'postgresql', 'questdb'])
    .default('timescaledb')
    .meta(
      databaseField({
        title: 'Database',
        description: 'The maker’s own image.',
        optionLabels: {
          timescaledb: 'TimescaleDB: timescale/timescaledb, with compression and continuous aggregates',
          postgresql: 'PostgreSQL: the official image postgres',
          questdb: 'QuestDB: questdb/questdb; 64-bit systems only, wants more memory than the others',
        },
      }),
    ),
  version: z
    .enum(['15', '16', '17', '18'])
    .default('17')
    .meta(
      databaseField({
        title: 'PostgreSQL version',
        description: 'The newest image of that version is taken. Not for QuestDB.',
      }),
    ),
  port: portField(5432, {
    title: 'Port',
    description: 'Of PostgreSQL on the host. QuestDB has ports of its own, below.',
  }),
  address: z
    .string()
    .trim()
    .regex(/^$|^(\d{1,3}\.){3}\d{1,3}$/, 'An address such as 192.168.1.20')
    .default('')
    .meta(
      databaseField({
        title: 'Address',
        description:
          'Of the host, that the ports are open on. Empty: all of them; Docker opens a port to every network that reaches the host, whatever a firewall says.',
        advanced: true,
      }),
    ),
  dataFolder: dataFolderField,
  password: passwordField,
  questdbVersion: z
    .string()
    .trim()
    .regex(/^[\w][\w.-]{0,127}$/, 'A version such as 9.3.5, or latest')
    .default('latest')
    .meta(questdb({ title: 'QuestDB version', description: 'Tag of the image questdb/questdb.' })),
  httpPort: portField(
    9000,
    questdb({ title: 'HTTP port', description: 'QuestDB’s console, SQL and rows over HTTP.' }),
  ),
  wirePort: portField(
    8812,
    questdb({
      title: 'PostgreSQL wire port',
      description: 'QuestDB’s SQL as PostgreSQL’s clients speak it; user admin.',
    }),
  ),
  ilpPort: portField(
    9009,
    questdb({
      title: 'ILP port',
      description: 'Rows over TCP; it takes them from everybody who reaches it, without a password.',
    }),
  ),
  openFiles: z
    .int('A whole number')
    .min(1024, 'At least 1,024')
    .max(1_048_576, 'At most 1,048,576')
    .default(1_048_576)
    .meta(
      questdb({
        title: 'Open files',
        description:
          'As many as QuestDB asks for. Fewer where Docker is not allowed to give so many, e.g. in a container of its own.',
      }),
    ),
});
export type Parameters = z.infer<typeof parameters>;
