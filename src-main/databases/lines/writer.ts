import { durationMs } from '../../../src-shared/duration.ts';
import { toAppError } from '../../../src-shared/errors.ts';
import type { Dataset, Writer } from '../driver.ts';
import { type HttpTarget, httpTo } from '../http/connection.ts';
import { refusal } from '../http/errors.ts';
import type { Http } from '../http/http.ts';
import { type Failure, type Fate, fateOf, fateOfError, Resending } from '../http/resending.ts';
import { httpWriter } from '../http/writer.ts';
import { textsOf } from '../postgresql/batch.ts';
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
  const resending = new Resending(durationMs(ways.resendFor), 'Batches');
  return httpWriter(http, new LineRows(dataset), {
    async deliver(blocks, signal) {
      const body = textsOf(blocks);
      if (body.length === 0) return 0;
      const size = body.reduce((sum, part) => sum + part.length, 0);
      let bytes = 0;
      await resending.until(() => {
        bytes += size;
        return post(http, ways, body, signal);
      }, signal);
      return bytes;
    },
    takeRemarks: () => resending.takeRemarks(),
  });
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
