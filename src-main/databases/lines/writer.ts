import { toAppError } from '../../../src-shared/errors.ts';
import type { Dataset, Writer } from '../driver.ts';
import { type HttpTarget, httpTo } from '../http/connection.ts';
import { lost, refusal } from '../http/errors.ts';
import type { Http } from '../http/http.ts';
import { durationMs, type Failure, type Fate, fateOf, fateOfError, Resending } from '../http/resending.ts';
import { LineRows } from './rows.ts';

/** How an engine takes lines. */
export interface LineWays {
  /** Where they are taken. */
  path: string;
  /** A row that comes twice is one: what may be stored already can be sent again. */
  idempotent: boolean;
  /** A duration, such as `1m`. */
  resendFor: string;
}

/** A connection that posts each batch as lines and waits for its answer. */
export async function openLineWriter(target: HttpTarget, ways: LineWays, dataset: Dataset): Promise<Writer> {
  const http = await httpTo(target);
  const rows = new LineRows(dataset);
  const resending = new Resending(durationMs(ways.resendFor), 'Batches');
  let closed = false;
  return {
    get pending() {
      return rows.batch.rows;
    },
    row(table, device, timeMs, nanos, values, missingTag) {
      rows.row(table, device, timeMs, nanos, values, missingTag);
    },
    async flush(signal) {
      if (rows.batch.rows === 0) return 0;
      if (closed) throw lost(http.place, 'it is closed');
      const blocks = rows.batch.take();
      const body = blocks
        .filter((block) => block.rows > 0)
        .map(({ bytes, length }) => bytes.subarray(0, length));
      const size = body.reduce((sum, part) => sum + part.length, 0);
      let bytes = 0;
      try {
        await resending.until(() => {
          bytes += size;
          return post(http, ways, body, signal);
        }, signal);
      } catch (error) {
        closed = true;
        http.close();
        throw error;
      }
      rows.batch.recycle(blocks);
      return bytes;
    },
    takeRemarks: () => resending.takeRemarks(),
    async close() {
      closed = true;
      http.close();
    },
  };
}

async function post(
  http: Http,
  { path, idempotent }: LineWays,
  body: readonly Uint8Array[],
  signal: AbortSignal,
): Promise<Failure | null> {
  const later = (fate: Fate) => fate === 'untaken' || (fate === 'unknown' && idempotent);
  try {
    const reply = await http.send({ method: 'POST', path, body }, signal);
    if (reply.status === 204 || reply.status === 200) return null;
    const error = refusal(reply.status, reply.body, http.place, http.signedIn);
    return { error, later: later(fateOf(reply, error)), afterMs: reply.retryAfterMs };
  } catch (thrown) {
    const error = toAppError(thrown);
    return { error, later: later(fateOfError(error)), afterMs: null };
  }
}
