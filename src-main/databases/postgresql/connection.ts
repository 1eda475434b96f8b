import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import type { FieldMeta } from '../../../src-shared/model/form.ts';

const group = 'Connection';
const field = (meta: FieldMeta) => ({ group, ...meta });

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
  port: z
    .int('A port is a whole number')
    .min(1, 'A port is 1 to 65535')
    .max(65_535, 'A port is 1 to 65535')
    .default(5432)
    .meta(field({ title: 'Port', description: 'The port the server listens on; PostgreSQL’s own is 5432.' })),
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
  caFile: z
    .string()
    .default('')
    .meta(
      field({
        title: 'CA certificate',
        description:
          'PEM file with the authority that signed the server’s certificate; empty: the ones this computer knows. Used by the two modes that check it.',
        kind: 'file',
        advanced: true,
      }),
    ),
});
export type Connection = z.infer<typeof connectionSchema>;

/** `Endpoint.connection` of this engine. */
const dialledSchema = connectionSchema.extend({ password: z.string().nullable() });
export type Dialled = z.infer<typeof dialledSchema>;

/** @throws AppError `bad-input` naming the field */
export function resolveConnection(connection: unknown, secret: string | null): Dialled {
  const parsed = connectionSchema.safeParse(connection);
  if (parsed.success) return { ...parsed.data, password: secret === '' ? null : secret };
  const issue = parsed.error.issues[0];
  throw new AppError({
    code: 'bad-input',
    message: issue?.message ?? 'The connection has the wrong shape',
    place: { field: issue?.path.join('.') || 'connection' },
  });
}

/** Reads the connection back in a worker thread. */
export function dialledFrom(endpoint: { connection: Record<string, unknown> }): Dialled {
  return dialledSchema.parse(endpoint.connection);
}

/** `db.local:5432`, `[::1]:5432`, `/run/postgresql`. */
export function connectionLabel(connection: Pick<Connection, 'host' | 'port'>): string {
  const { host, port } = connection;
  if (host.startsWith('/')) return host;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/**
 * `postgres://user:password@host:port/database?sslmode=require&sslrootcert=ca.pem`, every part but the scheme optional and
 * percent-encoded where need be. The path is the admin database.
 * @throws AppError `bad-input`; the message never holds the password
 */
export function parseUrl(
  text: string,
): { connection: Record<string, unknown>; secret: string | null } | null {
  if (!/^postgres(ql)?:\/\//i.test(text)) return null;
  let url: URL;
  let parts: { user: string; password: string; database: string; host: string };
  try {
    url = new URL(text);
    parts = {
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: decodeURIComponent(url.pathname.replace(/^\//, '')),
      host: decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1'),
    };
  } catch {
    throw new AppError({
      code: 'bad-input',
      message: 'The connection URL cannot be read',
      hint: 'It looks like postgresql://user:password@host:5432/postgres; characters such as @ : / % in a name or password are percent-encoded.',
    });
  }
  const connection: Record<string, unknown> = {};
  if (parts.host) connection.host = parts.host;
  if (url.port) connection.port = Number(url.port);
  if (parts.user) connection.user = parts.user;
  if (parts.database) connection.adminDatabase = parts.database;
  for (const [key, value] of url.searchParams) {
    if (key === 'sslmode') connection.tlsMode = value === 'allow' ? 'prefer' : value;
    else if (key === 'sslrootcert') connection.caFile = value;
    else if (key === 'host') connection.host = value;
    else
      throw new AppError({
        code: 'bad-input',
        message: `The connection URL has a parameter that is not known: ${key}`,
        hint: 'Known parameters: sslmode, sslrootcert, host.',
      });
  }
  return { connection, secret: parts.password || null };
}
