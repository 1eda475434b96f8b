import { z } from 'zod';
import { AppError } from '../../src-shared/errors.ts';
import type { FieldMeta } from '../../src-shared/model/form.ts';

/** What the connections of several engines are made of: fields, checking, how an address and a URL are written. */

export const connectionField = (meta: FieldMeta) => ({ group: 'Connection', ...meta });

/** For engines that have no local sockets. */
export const hostField = z
  .string()
  .trim()
  .min(1, 'A host is needed: a name or an address')
  .default('localhost')
  .meta(
    connectionField({
      title: 'Host',
      description: 'Name or address of the computer the server runs on, e.g. raspberrypi.local.',
    }),
  );

export const portField = (standard: number, meta: FieldMeta) =>
  z
    .int('A port is a whole number')
    .min(1, 'A port is 1 to 65535')
    .max(65_535, 'A port is 1 to 65535')
    .default(standard)
    .meta(connectionField(meta));

/** For engines that cannot find out by themselves whether the server has TLS. */
export const tlsField = (description: string) =>
  z
    .enum(['disable', 'require', 'verify-ca', 'verify-full'])
    .default('disable')
    .meta(
      connectionField({
        title: 'TLS',
        description,
        advanced: true,
        optionLabels: {
          disable: 'Off',
          require: 'Encrypted, any certificate',
          'verify-ca': 'Encrypted, certificate from a known authority',
          'verify-full': 'Encrypted, certificate and host name checked',
        },
      }),
    );

export const caFileField = z
  .string()
  .default('')
  .meta(
    connectionField({
      title: 'CA certificate',
      description:
        'PEM file with the authority that signed the server’s certificate; empty: the ones this computer knows. Used by the two modes that check it.',
      kind: 'file',
      advanced: true,
    }),
  );

/** @throws AppError `bad-input` naming the field */
export function checkConnection<T>(schema: z.ZodType<T>, connection: unknown): T {
  const parsed = schema.safeParse(connection);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AppError({
    code: 'bad-input',
    message: issue?.message ?? 'The connection has the wrong shape',
    place: { field: issue?.path.join('.') || 'connection' },
  });
}

/** `db.local:5432`, `[::1]:5432` */
export function hostAndPort({ host, port }: { host: string; port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

interface UrlForm {
  scheme: RegExp;
  /** What a right one looks like. */
  hint: string;
  /** Of a parameter's value the fields of the connection. */
  parameters: Readonly<Record<string, (value: string) => Record<string, unknown>>>;
  /** Of the path, without its first `/`, the fields of the connection; where it is not given a URL has no path. */
  path?: (path: string) => Record<string, unknown>;
}

/** Parameters of a URL in libpq's words. */
export const tlsParameters: UrlForm['parameters'] = {
  sslmode: (tlsMode) => ({ tlsMode }),
  sslrootcert: (caFile) => ({ caFile }),
};

/**
 * `SCHEME://user:password@host:port/path?parameter=value`, every part but the scheme optional and percent-encoded where
 * need be. null: a URL of another scheme.
 * @throws AppError `bad-input`; the message never holds the password
 */
export function readUrl(
  text: string,
  { scheme, hint, parameters, path }: UrlForm,
): { connection: Record<string, unknown>; secret: string | null } | null {
  if (!scheme.test(text)) return null;
  const cannot = new AppError({ code: 'bad-input', message: 'The connection URL cannot be read', hint });
  if (!URL.canParse(text)) throw cannot;
  const url = new URL(text);
  if (path === undefined && !/^\/?$/.test(url.pathname)) throw cannot;
  let connection: Record<string, unknown> = {};
  let secret: string | null;
  try {
    const host = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
    if (host) connection.host = host;
    if (url.port) connection.port = Number(url.port);
    if (url.username) connection.user = decodeURIComponent(url.username);
    connection = { ...connection, ...path?.(decodeURIComponent(url.pathname.replace(/^\//, ''))) };
    secret = decodeURIComponent(url.password) || null;
  } catch {
    throw cannot;
  }
  for (const [key, value] of url.searchParams) {
    const read = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
    if (read === undefined)
      throw new AppError({
        code: 'bad-input',
        message: `The connection URL has a parameter that is not known: ${key}`,
        hint: `Known parameters: ${Object.keys(parameters).join(', ')}.`,
      });
    connection = { ...connection, ...read(value) };
  }
  return { connection, secret };
}
