import { z } from 'zod';
import { AppError, type ErrorPlace } from '../../../src-shared/errors.ts';
import type { FieldMeta } from '../../../src-shared/model/form.ts';
import type { Dialled } from '../postgresql/connection.ts';

const group = 'Connection';
const field = (meta: FieldMeta) => ({ group, ...meta });
const portOf = (standard: number, title: string, description: string, advanced = true) =>
  z
    .int('A port is a whole number')
    .min(1, 'A port is 1 to 65535')
    .max(65_535, 'A port is 1 to 65535')
    .default(standard)
    .meta(field({ title, description, advanced }));

/** A target's connection fields. The password, or the token, is the target's secret and not among them. */
export const connectionSchema = z.object({
  host: z
    .string()
    .trim()
    .min(1, 'A host is needed: a name or an address')
    .default('localhost')
    .meta(
      field({
        title: 'Host',
        description: 'Name or address of the computer the server runs on, e.g. raspberrypi.local.',
      }),
    ),
  port: portOf(
    9000,
    'HTTP port',
    'Rows and SQL over HTTP, and QuestDB’s own console; 9000 unless changed.',
    false,
  ),
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
  wirePort: portOf(
    8812,
    'PostgreSQL port',
    'Where QuestDB speaks PostgreSQL’s protocol; 8812 unless changed.',
  ),
  ilpPort: portOf(
    9009,
    'ILP port',
    'Where QuestDB takes rows over TCP; 9009 unless changed. Used only by loads that say so.',
  ),
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
  tlsMode: z
    .enum(['disable', 'require', 'verify-ca', 'verify-full'])
    .default('disable')
    .meta(
      field({
        title: 'TLS',
        description:
          'Whether connections are encrypted and the server’s certificate checked. Only QuestDB Enterprise, or a proxy before it, has TLS.',
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
const targetSchema = connectionSchema.extend({ secret: z.string().nullable() });
export type Target = z.infer<typeof targetSchema>;

/** QuestDB has one database, of this name on PostgreSQL's protocol. */
export const onlyDatabase = 'qdb';
/** What a QuestDB that nobody has configured takes. */
const firstPassword = 'quest';

/** @throws AppError `bad-input` naming the field */
export function resolveConnection(connection: unknown, secret: string | null): Target {
  const parsed = connectionSchema.safeParse(connection);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new AppError({
      code: 'bad-input',
      message: issue?.message ?? 'The connection has the wrong shape',
      place: { field: issue?.path.join('.') || 'connection' },
    });
  }
  if (parsed.data.secretIs === 'token' && parsed.data.queriesOver === 'pgwire') {
    throw new AppError({
      code: 'bad-input',
      message: 'PostgreSQL’s protocol takes no token',
      place: { field: 'queriesOver' },
      hint: 'Ask queries over HTTP, or sign in with a password.',
    });
  }
  return { ...parsed.data, secret: secret === '' ? null : secret };
}

/** Reads the connection back in a worker thread. */
export function targetFrom(endpoint: { connection: Record<string, unknown> }): Target {
  return targetSchema.parse(endpoint.connection);
}

/** `db.local:9000`, `[::1]:9000`. */
export function connectionLabel({ host, port }: Pick<Connection, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
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

/** The header that signs a request in; none where no secret is known. */
export function authorization({ user, secret, secretIs }: Target): Record<string, string> {
  if (secret === null) return {};
  if (secretIs === 'token') return { authorization: `Bearer ${secret}` };
  return { authorization: `Basic ${Buffer.from(`${user}:${secret}`, 'utf8').toString('base64')}` };
}

/** Of a URL → of the connection, with how it is read. */
const parameters: Record<string, (value: string) => Record<string, unknown>> = {
  wirePort: (value) => ({ wirePort: Number(value) }),
  ilpPort: (value) => ({ ilpPort: Number(value) }),
  queriesOver: (queriesOver) => ({ queriesOver }),
  secretIs: (secretIs) => ({ secretIs }),
  sslmode: (tlsMode) => ({ tlsMode }),
  sslrootcert: (caFile) => ({ caFile }),
};

/**
 * `questdb://user:password@host:9000?queriesOver=http&wirePort=8812&ilpPort=9009&sslmode=require`, every part but the scheme
 * optional and percent-encoded where need be.
 * @throws AppError `bad-input`; the message never holds the password
 */
export function parseUrl(
  text: string,
): { connection: Record<string, unknown>; secret: string | null } | null {
  if (!/^questdb:\/\//i.test(text)) return null;
  const cannot = new AppError({
    code: 'bad-input',
    message: 'The connection URL cannot be read',
    hint: 'It looks like questdb://admin:password@host:9000; characters such as @ : / % in a name or password are percent-encoded.',
  });
  if (!URL.canParse(text)) throw cannot;
  const url = new URL(text);
  if (!/^\/?$/.test(url.pathname)) throw cannot;
  let connection: Record<string, unknown> = {};
  try {
    const host = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
    if (host) connection.host = host;
    if (url.username) connection.user = decodeURIComponent(url.username);
    if (url.port) connection.port = Number(url.port);
    for (const [key, value] of url.searchParams) {
      const read = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
      if (read === undefined) {
        throw new AppError({
          code: 'bad-input',
          message: `The connection URL has a parameter that is not known: ${key}`,
          hint: `Known parameters: ${Object.keys(parameters).join(', ')}.`,
        });
      }
      connection = { ...connection, ...read(value) };
    }
    return { connection, secret: decodeURIComponent(url.password) || null };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw cannot;
  }
}
