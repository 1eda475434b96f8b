import { z } from 'zod';
import { AppError, type ErrorPlace } from '../../../src-shared/errors.ts';
import type { FieldMeta } from '../../../src-shared/model/form.ts';

const group = 'Connection';
const field = (meta: FieldMeta) => ({ group, ...meta });

/** A target's connection fields. The password is the target's secret and not among them. */
export const connectionSchema = z.object({
  host: z
    .string()
    .trim()
    .min(1, 'A host is needed: a name, an address, or the path of a local socket')
    .default('localhost')
    .meta(
      field({
        title: 'Host',
        description:
          'Name or address of the computer the server runs on, e.g. raspberrypi.local. A path such as /run/mysqld/mysqld.sock is a local socket.',
      }),
    ),
  port: z
    .int('A port is a whole number')
    .min(1, 'A port is 1 to 65535')
    .max(65_535, 'A port is 1 to 65535')
    .default(3306)
    .meta(field({ title: 'Port', description: 'The port the server listens on; 3306 unless changed.' })),
  user: z
    .string()
    .min(1, 'A user is needed')
    .default('root')
    .meta(
      field({
        title: 'User',
        description:
          'Needs the right to create databases, unless plans load into one that exists (Create the database: off).',
      }),
    ),
  tlsMode: z
    .enum(['disable', 'require', 'verify-ca', 'verify-full'])
    .default('disable')
    .meta(
      field({
        title: 'TLS',
        description: 'Whether the connection is encrypted and the server’s certificate checked.',
        advanced: true,
        optionLabels: {
          disable: 'Off',
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
type Connection = z.infer<typeof connectionSchema>;

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

/** `db.local:3306`, `[::1]:3306`, `/run/mysqld/mysqld.sock`. */
export function connectionLabel({ host, port }: Pick<Connection, 'host' | 'port'>): string {
  if (host.startsWith('/')) return host;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

export function placeOf({ host, port }: Dialled, database: string | null): ErrorPlace {
  return { host, port: host.startsWith('/') ? undefined : port, database: database ?? undefined };
}

/**
 * `mysql://user:password@host:3306?sslmode=require&sslrootcert=ca.pem`, also `mariadb://`, every part but the scheme optional
 * and percent-encoded where need be.
 * @throws AppError `bad-input`; the message never holds the password
 */
export function parseUrl(
  text: string,
): { connection: Record<string, unknown>; secret: string | null } | null {
  if (!/^(mysql|mariadb):\/\//i.test(text)) return null;
  const cannot = new AppError({
    code: 'bad-input',
    message: 'The connection URL cannot be read',
    hint: 'It looks like mysql://user:password@host:3306; characters such as @ : / % in a name or password are percent-encoded.',
  });
  if (!URL.canParse(text)) throw cannot;
  const url = new URL(text);
  if (!/^\/?$/.test(url.pathname)) throw cannot;
  const connection: Record<string, unknown> = {};
  let secret: string | null;
  try {
    const host = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
    if (host) connection.host = host;
    if (url.port) connection.port = Number(url.port);
    if (url.username) connection.user = decodeURIComponent(url.username);
    secret = decodeURIComponent(url.password) || null;
  } catch {
    throw cannot;
  }
  for (const [key, value] of url.searchParams) {
    if (key === 'sslmode') connection.tlsMode = value;
    else if (key === 'sslrootcert') connection.caFile = value;
    else if (key === 'host') connection.host = value;
    else
      throw new AppError({
        code: 'bad-input',
        message: `The connection URL has a parameter that is not known: ${key}`,
        hint: 'Known parameters: sslmode, sslrootcert, host.',
      });
  }
  return { connection, secret };
}
