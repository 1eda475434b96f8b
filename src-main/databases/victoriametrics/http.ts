import { z } from 'zod';
import type { ReadResult } from '../driver.ts';
import { answerIn, refusal } from '../http/errors.ts';
import type { Http } from '../http/http.ts';
import { drainLines, parseJson } from '../lines/drainLines.ts';

/** A label's value, or a name, as PromQL quotes it. */
export const quoted = (text: string) => JSON.stringify(text);

/** How far ahead of its clock the server takes values. */
const aheadSeconds = 2 * 86_400;
/** Values are counted from 1971 on: a range that comes near 1970 finds nothing at all. */
const firstSecond = 365 * 86_400;

/** @throws AppError `server-error` with the server's words */
export async function get(
  http: Http,
  path: string,
  parameters: Record<string, string>,
  signal: AbortSignal,
): Promise<string> {
  const whole = `${path}?${new URLSearchParams(parameters)}`;
  const reply = await http.send({ path: whole }, signal);
  if (reply.status >= 300)
    throw refusal(reply.status, reply.body, { ...http.place, statement: whole }, http.signedIn);
  return reply.body;
}

const namesSchema = z.object({ data: z.array(z.string()) });
const vectorSchema = z.object({
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.coerce.number()]) })) }),
});

/** Names of metrics that a database has, or has had: the server forgets them late. */
export async function metricNames(http: Http, database: string, signal: AbortSignal): Promise<string[]> {
  const parameters = { 'match[]': `{db=${quoted(database)}}`, start: '1' };
  const body = await get(http, '/api/v1/label/__name__/values', parameters, signal);
  return answerIn(http.place, namesSchema, parseJson(http, body)).data;
}

/** Values that a metric of a database has. */
export async function countValues(
  http: Http,
  database: string,
  metric: string,
  signal: AbortSignal,
): Promise<number> {
  const selector = `{__name__=${quoted(metric)},db=${quoted(database)}}`;
  const time = Math.floor(Date.now() / 1000) + aheadSeconds;
  const query = `sum(count_over_time(${selector}[${time - firstSecond}s]))`;
  const body = await get(http, '/api/v1/query', { query, time: String(time), nocache: '1' }, signal);
  return answerIn(http.place, vectorSchema, parseJson(http, body)).data.result[0]?.value[1] ?? 0;
}

/** Makes what was taken in visible to queries. */
export async function flush(http: Http, signal: AbortSignal): Promise<void> {
  await get(http, '/internal/force_flush', {}, signal);
}

const lineSchema = z.object({ values: z.array(z.unknown()), timestamps: z.array(z.unknown()) });

/**
 * Runs an export, a path such as `/api/v1/export?match[]=…`, over one database, and drains its values: each line of the
 * answer has some of one series. Rows are time in ms and value.
 */
export async function drain(
  http: Http,
  path: string,
  database: string,
  signal: AbortSignal,
  collect: boolean,
): Promise<ReadResult> {
  const only = new URLSearchParams({ 'extra_filters[]': `{db=${quoted(database)}}` });
  const values: (string | null)[][] = [];
  let rows = 0;
  const whole = `${path}${path.includes('?') ? '&' : '?'}${only}`;
  const { bytes, firstMs } = await drainLines(http, whole, signal, (line) => {
    const series = answerIn(http.place, lineSchema, line);
    rows += series.values.length;
    if (!collect) return;
    series.values.forEach((value, i) => {
      values.push([String(series.timestamps[i]), value === null ? null : String(value)]);
    });
  });
  return {
    rows,
    bytes,
    ...(rows > 0 && firstMs !== null && { firstRowMs: firstMs }),
    ...(collect && { values }),
  };
}
