import { z } from 'zod';
import { answerIn } from '../http/errors.ts';
import type { Http } from '../http/http.ts';
import { parseJson } from '../lines/drainLines.ts';
import { refused } from './answers.ts';
import { firstSecond } from './points.ts';

/** Of all points: to the year 2100. */
const allTime = `start=${firstSecond}&end=4102444800`;
/** A server that is asked for a metric that it has no number for. */
const unknownName = /No such name for/;

/** @throws AppError `server-error` with the server's words, `connection-lost` where something else answers */
export async function ask<T>(
  http: Http,
  path: string,
  schema: z.ZodType<T>,
  signal: AbortSignal,
): Promise<T> {
  const reply = await http.send({ path }, signal);
  if (reply.status !== 200) throw refused(reply, { ...http.place, statement: path }, http.signedIn);
  return answerIn(http.place, schema, parseJson(http, reply.body));
}

const configSchema = z.record(z.string(), z.string());
export type Config = z.infer<typeof configSchema>;

/** The server's settings, those with secrets masked by it. */
export function readConfig(http: Http, signal: AbortSignal): Promise<Config> {
  return ask(http, '/api/config', configSchema, signal);
}

const mostNames = 100_000;

/** Metrics that begin so and have, or have had, points: the server forgets no name. */
export function metricNames(http: Http, prefix: string, signal: AbortSignal): Promise<string[]> {
  const what = new URLSearchParams({ type: 'metrics', q: prefix, max: String(mostNames) });
  return ask(http, `/api/suggest?${what}`, z.array(z.string()), signal);
}

const countSchema = z.array(z.object({ dps: z.array(z.tuple([z.number(), z.number()])) }));

/** Asks about all points of a metric. @returns how many there are; 0 of a metric that the server does not know */
async function pointsOf(
  http: Http,
  metric: string,
  method: 'GET' | 'DELETE',
  signal: AbortSignal,
): Promise<number> {
  const path = `/api/query?${allTime}&m=${encodeURIComponent(`sum:0all-count:${metric}`)}&ms&arrays`;
  const reply = await http.send({ method, path }, signal);
  if (reply.status !== 200) {
    const statement = method === 'GET' ? path : `${method} ${path}`;
    const error = refused(reply, { ...http.place, statement }, http.signedIn);
    if (error.code === 'server-error' && unknownName.test(error.detail ?? '')) return 0;
    throw error;
  }
  const series = answerIn(http.place, countSchema, parseJson(http, reply.body));
  return series.flatMap(({ dps }) => dps).reduce((sum, [, count]) => sum + count, 0);
}

/** Points of a metric: the server reads all of them for that. */
export function countPoints(http: Http, metric: string, signal: AbortSignal): Promise<number> {
  return pointsOf(http, metric, 'GET', signal);
}

/** Has all points of a metric deleted, which is done a little later. @returns how many there were */
export function deletePoints(http: Http, metric: string, signal: AbortSignal): Promise<number> {
  return pointsOf(http, metric, 'DELETE', signal);
}

/** How long the server may keep points, and what deletes them, before it hands them on to HBase, ms. */
export function flushMsOf(config: Config): number {
  return Number(config['tsd.storage.flush_interval'] ?? 1000);
}

/** Within so long the server looks again at all hours that it writes anew, and is done with those it is at, ms; 0 where it leaves them. */
export function rewriteMsOf(config: Config): number {
  if (config['tsd.storage.enable_compaction'] === 'false') return 0;
  return Number(config['tsd.storage.compaction.flush_interval'] ?? 10) * 1000 + 2 * flushMsOf(config);
}
