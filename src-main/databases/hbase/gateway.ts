import type { z } from 'zod';
import type { AppError, ErrorPlace } from '../../../src-shared/errors.ts';
import { answerIn, refusal } from '../http/errors.ts';
import type { Http, Reply, Request } from '../http/http.ts';
import { parseJson } from '../lines/drainLines.ts';

export const protobuf = 'application/x-protobuf';

/** Tables are named with their namespace: `benchmark:cpu`. */
export function tableName(database: string, table: string): string {
  return `${database}:${table}`;
}

/**
 * What the gateway tells in JSON.
 * @throws AppError with the server's words where it is no success
 */
export async function ask<T>(
  http: Http,
  path: string,
  schema: z.ZodType<T>,
  signal: AbortSignal,
): Promise<T> {
  const reply = await http.send({ path, headers: { accept: 'application/json' } }, signal);
  if (reply.status !== 200) throw refused(http, reply, { ...http.place, statement: path });
  return answerIn(http.place, schema, parseJson(http, reply.body));
}

/** Has something done. @throws AppError with the server's words where it is not */
export async function order(
  http: Http,
  request: Pick<Request, 'method' | 'path'> & { json?: unknown },
  signal: AbortSignal,
): Promise<Reply> {
  const { json, ...rest } = request;
  const body = json === undefined ? {} : { body: [Buffer.from(JSON.stringify(json), 'utf8')] };
  const headers = {
    accept: 'application/json',
    ...(json !== undefined && { 'content-type': 'application/json' }),
  };
  const reply = await http.send({ ...rest, headers, ...body }, signal);
  if (reply.status === 200 || reply.status === 201) return reply;
  throw refused(http, reply, { ...http.place, statement: `${rest.method ?? 'GET'} ${rest.path}` });
}

/** The error of an answer that is no success. */
export function refused(http: Http, reply: Reply, place: ErrorPlace): AppError {
  return refusal(reply.status, saidIn(reply.body), place, http.signedIn);
}

/** The gateway answers with a word and the server's stack trace: its first exception, and the last cause, say all. */
export function saidIn(body: string): string {
  const title = /<title>([^<]*)<\/title>/i.exec(body)?.[1];
  if (title !== undefined) return title;
  const lines = body.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^\s+(at |\.\.\.)/.test(line));
  const [word = '', exception, ...causes] = lines;
  if (exception === undefined) return word;
  const first = exception.replace(/^(\S+): (?=\1: )/, '');
  const cause = causes.findLast((line) => line.startsWith('Caused by: '));
  // Often only the same once more.
  const told =
    cause === undefined || first.includes(cause.slice(cause.indexOf(': ', 'Caused by: '.length) + 2));
  return told ? first : `${first}; ${cause}`;
}
