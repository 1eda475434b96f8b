import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import type { FieldMeta } from '../../../src-shared/model/form.ts';
import { connectionSchema as questdb } from '../questdb/connection.ts';
import { Http } from '../questdb/http.ts';

const group = 'Connection';
const field = (meta: FieldMeta) => ({ group, ...meta });

/** Connection fields of a server that is spoken to over HTTP. The password is the target's secret and not among them. */
export function httpConnection(about: { port: number; product: string }) {
  return z.object({
    host: questdb.shape.host,
    port: z
      .int('A port is a whole number')
      .min(1, 'A port is 1 to 65535')
      .max(65_535, 'A port is 1 to 65535')
      .default(about.port)
      .meta(field({ title: 'Port', description: `The server’s HTTP port; ${about.port} unless changed.` })),
    user: z
      .string()
      .default('')
      .meta(
        field({
          title: 'User',
          description: 'Empty where the server asks for none, as it does at first.',
          advanced: true,
        }),
      ),
    tlsMode: z
      .enum(['disable', 'require', 'verify-ca', 'verify-full'])
      .default('disable')
      .meta(
        field({
          title: 'TLS',
          description: `Whether connections are encrypted and the certificate of ${about.product} checked.`,
          advanced: true,
          optionLabels: {
            disable: 'Off',
            require: 'Encrypted, any certificate',
            'verify-ca': 'Encrypted, certificate from a known authority',
            'verify-full': 'Encrypted, certificate and host name checked',
          },
        }),
      ),
    caFile: questdb.shape.caFile,
  });
}

const targetSchema = z.object({
  host: z.string(),
  port: z.int(),
  user: z.string(),
  tlsMode: questdb.shape.tlsMode.unwrap(),
  caFile: z.string(),
  password: z.string().nullable(),
});
/** `Endpoint.connection` of these engines. */
export type HttpTarget = z.infer<typeof targetSchema>;

/** @throws AppError `bad-input` naming the field */
export function resolveHttp(
  schema: ReturnType<typeof httpConnection>,
  connection: unknown,
  secret: string | null,
): HttpTarget {
  const parsed = schema.safeParse(connection);
  if (parsed.success) return { ...parsed.data, password: secret === '' ? null : secret };
  const issue = parsed.error.issues[0];
  throw new AppError({
    code: 'bad-input',
    message: issue?.message ?? 'The connection has the wrong shape',
    place: { field: issue?.path.join('.') || 'connection' },
  });
}

/** Reads the connection back in a worker thread. */
export function httpTargetFrom(endpoint: { connection: Record<string, unknown> }): HttpTarget {
  return targetSchema.parse(endpoint.connection);
}

/** A connection that is made with the first request. */
export function httpTo(target: HttpTarget): Promise<Http> {
  const { password, user, host, port, tlsMode, caFile } = target;
  const secret = user === '' ? null : (password ?? '');
  return Http.of({ ...questdb.parse({ host, port, tlsMode, caFile }), user, secret });
}

/**
 * `SCHEME://user:password@host:port?sslmode=require&sslrootcert=ca.pem`, every part but the scheme optional and
 * percent-encoded where need be.
 * @throws AppError `bad-input`; the message never holds the password
 */
export function parseHttpUrl(
  scheme: string,
  text: string,
): { connection: Record<string, unknown>; secret: string | null } | null {
  if (!text.toLowerCase().startsWith(`${scheme}://`)) return null;
  const cannot = new AppError({
    code: 'bad-input',
    message: 'The connection URL cannot be read',
    hint: `It looks like ${scheme}://host:port, with ?sslmode=require where it is encrypted.`,
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
    else
      throw new AppError({
        code: 'bad-input',
        message: `The connection URL has a parameter that is not known: ${key}`,
        hint: 'Known parameters: sslmode, sslrootcert.',
      });
  }
  return { connection, secret };
}
