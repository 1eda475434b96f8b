import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { AppError, toAppError } from '../../../src-shared/errors.ts';
import { formatCounted } from '../../../src-shared/units.ts';
import type { Http, Reply } from '../http/http.ts';
import { type Failure, fateOf, fateOfError, Resending } from '../http/resending.ts';
import { named, passes, readPut, refused } from './answers.ts';
import type { Layout } from './loadOptions.ts';

const gzip = promisify(zlib.gzip);

/** How long HBase may take for the points of one request, ms. */
const syncMs = 30_000;
/**
 * Delivers points, also over an overload, a lost connection and a restart: what may or may not be stored is sent again as it
 * is, since a point that comes twice, with the same time and value, is one.
 */
export class Delivery {
  readonly #http: Http;
  readonly #layout: Layout;
  readonly #resending: Resending;

  constructor(http: Http, layout: Layout) {
    this.#http = http;
    this.#layout = layout;
    this.#resending = new Resending(layout.resendMs, 'Points');
  }

  takeRemarks(): string[] {
    return this.#resending.takeRemarks();
  }

  /**
   * Sends a JSON array of points until the server has them all.
   * @returns bytes sent, each try
   * @throws AppError of the last try
   */
  async deliver(points: readonly Uint8Array[], signal: AbortSignal): Promise<number> {
    const body = this.#layout.gzip ? [await gzip(Buffer.concat(points), { level: 1 })] : points;
    const size = body.reduce((sum, part) => sum + part.length, 0);
    let sent = 0;
    await this.#resending.until(() => {
      sent += size;
      return this.#send(body, signal);
    }, signal);
    return sent;
  }

  async #send(body: readonly Uint8Array[], signal: AbortSignal): Promise<Failure | null> {
    const { sync, gzip: packed } = this.#layout;
    try {
      const reply = await this.#http.send(
        {
          method: 'POST',
          path: `/api/put?details${sync ? `&sync&sync_timeout=${syncMs}` : ''}`,
          headers: { 'content-type': 'application/json', ...(packed && { 'content-encoding': 'gzip' }) },
          body,
        },
        signal,
      );
      return this.#failureIn(reply);
    } catch (thrown) {
      const error = toAppError(thrown);
      return { error, later: fateOfError(error) !== 'refused', afterMs: null };
    }
  }

  /** A 200 with points that failed is a failure; so is a 400, with those that were taken beside them. */
  #failureIn(reply: Reply): Failure | null {
    const { place, signedIn } = this.#http;
    const result = readPut(reply.body);
    if (result === null) {
      if (reply.status === 204) return null;
      const error = refused(reply, place, signedIn);
      return {
        error,
        later: error.code === 'server-error' && fateOf(reply, error) !== 'refused',
        afterMs: reply.retryAfterMs,
      };
    }
    if (result.failed === 0 && reply.status === 200) return null;
    const error = new AppError({
      code: 'server-error',
      message: `The server did not take ${formatCounted(result.failed, 'point')} of a request`,
      place,
      detail: `${result.causes.slice(0, 5).join('; ')}. The first of them: ${result.first}`,
      hint: 'The cause is the server’s own message; points of the request that it took are stored.',
    });
    return { error: named(error), later: passes(result.causes), afterMs: reply.retryAfterMs };
  }
}
