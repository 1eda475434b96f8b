import { z } from 'zod';
import {
  caFileField,
  checkConnection,
  connectionField,
  hostField,
  portField,
  readUrl,
  tlsField,
  tlsParameters,
} from '../connectionParts.ts';
import { Http } from './http.ts';

/** Connection fields of a server that is spoken to over HTTP. The password is the target's secret and not among them. */
export function httpConnection(about: { port: number; product: string }) {
  return z.object({
    host: hostField,
    port: portField(about.port, {
      title: 'Port',
      description: `The server’s HTTP port; ${about.port} unless changed.`,
    }),
    user: z
      .string()
      .default('')
      .meta(
        connectionField({
          title: 'User',
          description: 'Empty where the server asks for none, as it does at first.',
          advanced: true,
        }),
      ),
    tlsMode: tlsField(`Whether connections are encrypted and the certificate of ${about.product} checked.`),
    caFile: caFileField,
  });
}

const targetSchema = z.object({
  host: z.string(),
  port: z.int(),
  user: z.string(),
  tlsMode: tlsField('').unwrap(),
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
  return { ...checkConnection(schema, connection), password: secret === '' ? null : secret };
}

/** Reads the connection back in a worker thread. */
export function httpTargetFrom(endpoint: { connection: Record<string, unknown> }): HttpTarget {
  return targetSchema.parse(endpoint.connection);
}

/** A connection that is made with the first request. */
export function httpTo(target: HttpTarget): Promise<Http> {
  const { password, user } = target;
  return Http.of(target, user === '' ? null : basic(user, password ?? ''));
}

/** A connection that is up: `first` dials, and signs in. It is closed where that fails. */
export async function connected(target: HttpTarget, first: (http: Http) => Promise<unknown>): Promise<Http> {
  const http = await httpTo(target);
  try {
    await first(http);
    return http;
  } catch (error) {
    http.close();
    throw error;
  }
}

/** The header that signs a request in by a password. */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
}

/**
 * `SCHEME://user:password@host:port?sslmode=require&sslrootcert=ca.pem`, every part but the scheme optional and
 * percent-encoded where need be.
 * @throws AppError `bad-input`; the message never holds the password
 */
export function parseHttpUrl(scheme: string, text: string): ReturnType<typeof readUrl> {
  return readUrl(text, {
    scheme: new RegExp(`^${scheme}://`, 'i'),
    hint: `It looks like ${scheme}://host:port, with ?sslmode=require where it is encrypted.`,
    parameters: tlsParameters,
  });
}
