import { z } from 'zod';
import {
  caFileField,
  checkConnection,
  connectionField as field,
  hostAndPort,
  portField,
  readUrl,
  tlsParameters,
} from '../connectionParts.ts';

/** libpq's words for how a connection is protected. */
const tlsModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

/** A target's connection fields. The password is the target's secret and not among them. */
export const connectionSchema = z.object({
  host: z
    .string()
    .trim()
    .min(1, 'A host is needed: a name, an address, or the folder of a local socket')
    .default('localhost')
    .meta(
      field({
        title: 'Host',
        description:
          'Name or address of the computer the server runs on, e.g. raspberrypi.local. A path such as /var/run/postgresql is the folder of a local socket.',
      }),
    ),
  port: portField(5432, {
    title: 'Port',
    description: 'The port the server listens on; PostgreSQL’s own is 5432.',
  }),
  user: z
    .string()
    .min(1, 'A user is needed')
    .default('postgres')
    .meta(
      field({
        title: 'User',
        description:
          'Needs the right to create databases, unless plans load into one that exists (Create the database: off).',
      }),
    ),
  adminDatabase: z
    .string()
    .min(1, 'A database is needed')
    .default('postgres')
    .meta(
      field({
        title: 'Admin database',
        description:
          'Database to connect to while the benchmark’s own database is made or removed; nothing is changed in it.',
        advanced: true,
      }),
    ),
  tlsMode: z
    .enum(tlsModes)
    .default('prefer')
    .meta(
      field({
        title: 'TLS',
        description: 'Whether the connection is encrypted and the server’s certificate checked.',
        optionLabels: {
          disable: 'Off',
          prefer: 'Encrypted if the server can',
          require: 'Encrypted, any certificate',
          'verify-ca': 'Encrypted, certificate from a known authority',
          'verify-full': 'Encrypted, certificate and host name checked',
        },
      }),
    ),
  caFile: caFileField,
});
export type Connection = z.infer<typeof connectionSchema>;

/** `Endpoint.connection` of this engine. */
const dialledSchema = connectionSchema.extend({ password: z.string().nullable() });
export type Dialled = z.infer<typeof dialledSchema>;

/** @throws AppError `bad-input` naming the field */
export function resolveConnection(connection: unknown, secret: string | null): Dialled {
  const checked = checkConnection(connectionSchema, connection);
  return { ...checked, password: secret === '' ? null : secret };
}

/** Reads the connection back in a worker thread. */
export function dialledFrom(endpoint: { connection: Record<string, unknown> }): Dialled {
  return dialledSchema.parse(endpoint.connection);
}

/** `db.local:5432`, `[::1]:5432`, `/run/postgresql`. */
export function connectionLabel(connection: Pick<Connection, 'host' | 'port'>): string {
  return connection.host.startsWith('/') ? connection.host : hostAndPort(connection);
}

/**
 * `postgres://user:password@host:port/database?sslmode=require&sslrootcert=ca.pem`, every part but the scheme optional and
 * percent-encoded where need be. The path is the admin database.
 * @throws AppError `bad-input`; the message never holds the password
 */
export function parseUrl(text: string): ReturnType<typeof readUrl> {
  return readUrl(text, {
    scheme: /^postgres(ql)?:\/\//i,
    hint: 'It looks like postgresql://user:password@host:5432/postgres; characters such as @ : / % in a name or password are percent-encoded.',
    parameters: {
      ...tlsParameters,
      sslmode: (mode) => ({ tlsMode: mode === 'allow' ? 'prefer' : mode }),
      host: (host) => ({ host }),
    },
    path: (adminDatabase) => (adminDatabase === '' ? {} : { adminDatabase }),
  });
}
