import { z } from 'zod';
import { AppError, type ErrorPlace } from '../../../src-shared/errors.ts';
import {
  caFileField,
  checkConnection,
  connectionField as field,
  hostAndPort,
  hostField,
  portField,
  readUrl,
  tlsField,
  tlsParameters,
} from '../connectionParts.ts';
import { basic } from '../http/connection.ts';
import { Http } from '../http/http.ts';
import type { Dialled } from '../postgresql/connection.ts';

/** A target's connection fields. The password, or the token, is the target's secret and not among them. */
export const connectionSchema = z.object({
  host: hostField,
  port: portField(9000, {
    title: 'HTTP port',
    description: 'Rows and SQL over HTTP, and QuestDB’s own console; 9000 unless changed.',
  }),
  queriesOver: z
    .enum(['pgwire', 'http'])
    .default('pgwire')
    .meta(
      field({
        title: 'Queries over',
        description:
          'How measured queries are asked. The two differ in what the answer costs: rows as text, or as JSON.',
        optionLabels: { pgwire: 'PostgreSQL’s protocol', http: 'HTTP: /exec, answers in JSON' },
      }),
    ),
  wirePort: portField(8812, {
    title: 'PostgreSQL port',
    description: 'Where QuestDB speaks PostgreSQL’s protocol; 8812 unless changed.',
    advanced: true,
  }),
  ilpPort: portField(9009, {
    title: 'ILP port',
    description: 'Where QuestDB takes rows over TCP; 9009 unless changed. Used only by loads that say so.',
    advanced: true,
  }),
  user: z
    .string()
    .min(1, 'A user is needed')
    .default('admin')
    .meta(
      field({
        title: 'User',
        description: 'admin unless changed. Without a password, QuestDB’s own first one (quest) is tried.',
      }),
    ),
  secretIs: z
    .enum(['password', 'token'])
    .default('password')
    .meta(
      field({
        title: 'The secret is',
        description:
          'A password is used for HTTP and for PostgreSQL’s protocol. A token is for HTTP alone: queries must then go over HTTP.',
        advanced: true,
        optionLabels: { password: 'A password', token: 'A token (QuestDB Enterprise)' },
      }),
    ),
  tlsMode: tlsField(
    'Whether connections are encrypted and the server’s certificate checked. Only QuestDB Enterprise, or a proxy before it, has TLS.',
  ),
  caFile: caFileField,
});
type Connection = z.infer<typeof connectionSchema>;

/** `Endpoint.connection` of this engine. */
const targetSchema = connectionSchema.extend({ secret: z.string().nullable() });
export type Target = z.infer<typeof targetSchema>;

/** QuestDB has one database, of this name on PostgreSQL's protocol. */
export const onlyDatabase = 'qdb';
/** What a QuestDB that nobody has configured takes. */
const firstPassword = 'quest';

/** @throws AppError `bad-input` naming the field */
export function resolveConnection(connection: unknown, secret: string | null): Target {
  const checked = checkConnection(connectionSchema, connection);
  if (checked.secretIs === 'token' && checked.queriesOver === 'pgwire') {
    throw new AppError({
      code: 'bad-input',
      message: 'PostgreSQL’s protocol takes no token',
      place: { field: 'queriesOver' },
      hint: 'Ask queries over HTTP, or sign in with a password.',
    });
  }
  return { ...checked, secret: secret === '' ? null : secret };
}

/** Reads the connection back in a worker thread. */
export function targetFrom(endpoint: { connection: Record<string, unknown> }): Target {
  return targetSchema.parse(endpoint.connection);
}

/** `db.local:9000`, `[::1]:9000`. */
export function connectionLabel(connection: Pick<Connection, 'host' | 'port'>): string {
  return hostAndPort(connection);
}

export function placeOf(target: Target, port = target.port): ErrorPlace {
  return { host: target.host, port };
}

/** The same server as one that speaks PostgreSQL's protocol. */
export function asPostgres(target: Target): Dialled {
  const { host, wirePort, user, tlsMode, caFile, secret } = target;
  return {
    ...{ host, port: wirePort, user, tlsMode, caFile },
    adminDatabase: onlyDatabase,
    password: secret ?? firstPassword,
  };
}

/** The header that signs a request in; null where no secret is known. */
export function authorization({ user, secret, secretIs }: Target): string | null {
  if (secret === null) return null;
  return secretIs === 'token' ? `Bearer ${secret}` : basic(user, secret);
}

/** A connection that is made with the first request. */
export function httpTo(target: Target): Promise<Http> {
  return Http.of(target, authorization(target));
}

/**
 * `questdb://user:password@host:9000?queriesOver=http&wirePort=8812&ilpPort=9009&sslmode=require`, every part but the scheme
 * optional and percent-encoded where need be.
 * @throws AppError `bad-input`; the message never holds the password
 */
export function parseUrl(text: string): ReturnType<typeof readUrl> {
  return readUrl(text, {
    scheme: /^questdb:\/\//i,
    hint: 'It looks like questdb://admin:password@host:9000; characters such as @ : / % in a name or password are percent-encoded.',
    parameters: {
      wirePort: (value) => ({ wirePort: Number(value) }),
      ilpPort: (value) => ({ ilpPort: Number(value) }),
      queriesOver: (queriesOver) => ({ queriesOver }),
      secretIs: (secretIs) => ({ secretIs }),
      ...tlsParameters,
    },
  });
}
