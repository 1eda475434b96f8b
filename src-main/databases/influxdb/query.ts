import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import type { ReadResult } from '../driver.ts';
import { answerIn, refusal } from '../http/errors.ts';
import type { Http } from '../http/http.ts';
import { drainLines, parseJson } from '../lines/drainLines.ts';

/** Rows of one piece of an answer: the server's own default. */
const pieceRows = 10_000;

const answerSchema = z.object({
  error: z.string().optional(),
  results: z
    .array(
      z.object({
        error: z.string().optional(),
        series: z
          .array(
            z.object({
              name: z.string().default(''),
              tags: z.record(z.string(), z.string()).default({}),
              columns: z.array(z.string()).default([]),
              values: z.array(z.array(z.unknown())).default([]),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
});
type Answer = z.infer<typeof answerSchema>;
export type Series = Answer['results'][number]['series'][number];

/** Whole rows are looked at only where they are wanted. */
const countedSchema = z.object({
  error: z.string().optional(),
  results: z
    .array(
      z.object({
        error: z.string().optional(),
        series: z.array(z.object({ values: z.array(z.unknown()).default([]) })).default([]),
      }),
    )
    .default([]),
});

/** A name as an identifier of InfluxQL. */
export function quoteName(name: string): string {
  return `"${name.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** A statement that answers with little. @throws AppError `server-error` with the server's words, `no-database` */
export async function ask(http: Http, text: string, signal: AbortSignal, database = ''): Promise<Series[]> {
  const path = `/query?${new URLSearchParams({ db: database, epoch: 'u', q: text })}`;
  const reply = await http.send({ method: 'POST', path }, signal);
  if (reply.status !== 200)
    throw refusal(reply.status, reply.body, { ...http.place, statement: text }, http.signedIn);
  const answer = answerIn(http.place, answerSchema, parseJson(http, reply.body));
  refuseErrors(http, answer, text, database);
  return answer.results.flatMap(({ series }) => series);
}

/** Runs a query, which answers in pieces, and drains its rows. */
export async function drain(
  http: Http,
  text: string,
  database: string,
  signal: AbortSignal,
  collect: boolean,
): Promise<ReadResult> {
  const parameters = { db: database, epoch: 'u', chunked: 'true', chunk_size: String(pieceRows), q: text };
  const values: (string | null)[][] = [];
  let rows = 0;
  const path = `/query?${new URLSearchParams(parameters)}`;
  const { bytes, firstMs } = await drainLines(http, path, signal, (line) => {
    const answer = answerIn(http.place, countedSchema, line);
    refuseErrors(http, answer, text, database);
    for (const { series } of answer.results) for (const part of series) rows += part.values.length;
    if (!collect) return;
    for (const { series } of answerIn(http.place, answerSchema, line).results)
      for (const part of series) for (const row of part.values) values.push(row.map(textOf));
  });
  return {
    rows,
    bytes,
    ...(rows > 0 && firstMs !== null && { firstRowMs: firstMs }),
    ...(collect && { values }),
  };
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

function refuseErrors(
  http: Http,
  answer: { error?: string | undefined; results: readonly { error?: string | undefined }[] },
  statement: string,
  database: string,
): void {
  const detail = answer.error ?? answer.results.find(({ error }) => error !== undefined)?.error;
  if (detail === undefined) return;
  const missing = detail.startsWith('database not found');
  throw new AppError({
    code: missing ? 'no-database' : 'server-error',
    message: missing ? `There is no database ${database}` : 'The server refused the statement',
    place: { ...http.place, ...(missing ? { database } : { statement }) },
    detail,
    hint: missing ? 'Check the name, or load into it first.' : 'The cause is the server’s own message.',
  });
}
