import { z } from 'zod';
import { answerIn, lost, refusal } from '../http/errors.ts';
import type { Http } from '../http/http.ts';

const answerSchema = z.object({
  columns: z.array(z.object({ name: z.string() })).default([]),
  dataset: z.array(z.array(z.unknown())).default([]),
});

/**
 * Rows of a statement over /exec, each parsed by `schema` from an object with a key for each column.
 * @throws AppError `server-error` with the server's words; `connection-lost` where something else answers
 */
export async function ask<T>(
  http: Http,
  schema: z.ZodType<T>,
  text: string,
  signal: AbortSignal,
): Promise<T[]> {
  const reply = await http.send({ path: `/exec?query=${encodeURIComponent(text)}` }, signal);
  const place = { ...http.place, statement: text };
  if (reply.status !== 200) throw refusal(reply.status, reply.body, place, http.signedIn);
  let json: unknown;
  try {
    json = JSON.parse(reply.body);
  } catch {
    throw lost(place, `the answer cannot be read: ${reply.body.slice(0, 200)}`);
  }
  const { columns, dataset } = answerIn(place, answerSchema, json);
  return dataset.map((row) =>
    answerIn(place, schema, Object.fromEntries(columns.map(({ name }, i) => [name, row[i]]))),
  );
}

/** The only row of a statement. */
export async function askOne<T>(
  http: Http,
  schema: z.ZodType<T>,
  text: string,
  signal: AbortSignal,
): Promise<T> {
  const [row] = await ask(http, schema, text, signal);
  if (row === undefined) throw lost({ ...http.place, statement: text }, 'the answer has no row');
  return row;
}

export async function execute(http: Http, text: string, signal: AbortSignal): Promise<void> {
  await ask(http, z.unknown(), text, signal);
}
