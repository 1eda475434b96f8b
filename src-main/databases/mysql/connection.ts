import { z } from 'zod';
import type { ErrorPlace } from '../../../src-shared/errors.ts';
import {
  caFileField,
  checkConnection,
  connectionField as field,
  hostAndPort,
  portField,
  readUrl,
  tlsField,
  tlsParameters,
} from '../connectionParts.ts';

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
  port: portField(3306, {
    title: 'Port',
    description: 'The port the server listens on; 3306 unless changed.',
  }),
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
  tlsMode: tlsField('Whether the connection is encrypted and the server’s certificate checked.'),
  caFile: caFileField,
});
type Connection = z.infer<typeof connectionSchema>;

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

/** `db.local:3306`, `[::1]:3306`, `/run/mysqld/mysqld.sock`. */
export function connectionLabel(connection: Pick<Connection, 'host' | 'port'>): string {
  return connection.host.startsWith('/') ? connection.host : hostAndPort(connection);
}

export function placeOf({ host, port }: Dialled, database: string | null): ErrorPlace {
  return { host, port: host.startsWith('/') ? undefined : port, database: database ?? undefined };
}

/**
 * `mysql://user:password@host:3306?sslmode=require&sslrootcert=ca.pem`, also `mariadb://`, every part but the scheme optional
 * and percent-encoded where need be.
 * @throws AppError `bad-input`; the message never holds the password
 */
export function parseUrl(text: string): ReturnType<typeof readUrl> {
  return readUrl(text, {
    scheme: /^(mysql|mariadb):\/\//i,
    hint: 'It looks like mysql://user:password@host:3306; characters such as @ : / % in a name or password are percent-encoded.',
    parameters: { ...tlsParameters, host: (host) => ({ host }) },
  });
}
