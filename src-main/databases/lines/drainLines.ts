import { performance } from 'node:perf_hooks';
import { formatBytes } from '../../../src-shared/units.ts';
import { lost, refusal } from '../http/errors.ts';
import { type Http, mostKept } from '../http/http.ts';

/** What a drained answer came to. */
export interface Drained {
  /** Received. */
  bytes: number;
  /** Milliseconds until its first part had come; null for an empty one. */
  firstMs: number | null;
}

/**
 * Gets an answer that is a JSON object a line and hands each over as it comes.
 * @param take may throw: the rest is then read and dropped, and the error is thrown, as it is for a line without an end
 * @throws AppError `server-error` with the server's words where the answer is no success
 */
export async function drainLines(
  http: Http,
  path: string,
  signal: AbortSignal,
  take: (line: unknown) => void,
): Promise<Drained> {
  const start = performance.now();
  let firstMs: number | null = null;
  let failure: unknown = null;
  let rest: Buffer[] = [];
  let restBytes = 0;

  function takeLine(parts: readonly Uint8Array[]): void {
    const text = Buffer.concat(parts).toString('utf8').trim();
    if (text !== '') take(parseJson(http, text));
  }
  function onChunk(chunk: Buffer): void {
    firstMs ??= performance.now() - start;
    if (failure !== null) return;
    let from = 0;
    try {
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        takeLine([...rest, chunk.subarray(from, end)]);
        rest = [];
        restBytes = 0;
        from = end + 1;
      }
      restBytes += chunk.length - from;
      if (restBytes > mostKept)
        throw lost(http.place, `a line of its answer is longer than ${formatBytes(mostKept)}`);
      rest.push(chunk.subarray(from));
    } catch (error) {
      failure = error;
      rest = [];
    }
  }

  const reply = await http.send({ path, onChunk }, signal);
  if (failure !== null) throw failure;
  if (reply.status !== 200)
    throw refusal(reply.status, reply.body, { ...http.place, statement: path }, http.signedIn);
  takeLine(rest);
  return { bytes: reply.bytes, firstMs };
}

/** @throws AppError `connection-lost` for what is no JSON: something else answers there */
export function parseJson(http: Http, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw lost(http.place, `the answer cannot be read: ${text.slice(0, 200)}`);
  }
}
