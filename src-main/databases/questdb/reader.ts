import { z } from 'zod';
import type { Reader } from '../driver.ts';
import { lost, refusal } from '../http/errors.ts';
import { openReader as openPostgresReader } from '../postgresql/reader.ts';
import { asPostgres, httpTo, onlyDatabase, type Target } from './connection.ts';
import { signInError } from './errors.ts';

/** A connection that runs queries, over the protocol that the target says. */
export async function openReader(target: Target, signal: AbortSignal): Promise<Reader> {
  if (target.queriesOver === 'http') return httpReader(target, signal);
  try {
    return await openPostgresReader(asPostgres(target), onlyDatabase, signal);
  } catch (error) {
    throw signInError(error);
  }
}

const answerSchema = z.object({
  dataset: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
});
/** The end of an answer has the number of rows in it. */
const tailBytes = 512;

/** Queries by GET /exec; the answer is read to its end and, unless it is wanted, not parsed. */
async function httpReader(target: Target, signal: AbortSignal): Promise<Reader> {
  const http = await httpTo(target);
  await http.send({ path: '/ping' }, signal);
  let closed = false;
  return {
    async run(query, own, collect = false) {
      const place = { ...http.place, statement: query.text };
      if (closed) throw lost(place, 'it is closed');
      const path = `/exec?query=${encodeURIComponent(query.text)}&count=true`;
      const kept: Buffer[] = [];
      let tail: Buffer = Buffer.alloc(0);
      let firstMs: number | null = null;
      const startMs = performance.now();
      const onChunk = (chunk: Buffer) => {
        firstMs ??= performance.now() - startMs;
        if (collect) kept.push(chunk);
        tail = Buffer.concat([tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes);
      };
      const { status, body, bytes } = await http.send({ path, onChunk }, own);
      if (status !== 200) throw refusal(status, body, place, http.signedIn);
      const end = tail.toString('utf8');
      const count = /"count":(\d+)[^"]*\}\s*$/.exec(end)?.[1];
      // An error in mid-answer ends it.
      if (count === undefined) throw refusal(status, end, place);
      const rows = Number(count);
      const result = { rows, bytes, ...(rows > 0 && firstMs !== null && { firstRowMs: firstMs }) };
      if (!collect) return result;
      const { dataset } = answerSchema.parse(JSON.parse(Buffer.concat(kept).toString('utf8')));
      return { ...result, values: dataset.map((row) => row.map((v) => (v === null ? null : String(v)))) };
    },
    async close() {
      closed = true;
      http.close();
    },
  };
}
