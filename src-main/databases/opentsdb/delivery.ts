import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { AppError, type ErrorCode, toAppError } from '../../../src-shared/errors.ts';
import { formatCounted } from '../../../src-shared/units.ts';
import { BackOff } from '../http/backOff.ts';
import type { Http, Reply } from '../http/http.ts';
import { named, passes, readPut, refused } from './answers.ts';
import type { Layout } from './loadOptions.ts';

const gzip = promisify(zlib.gzip);

/** How long HBase may take for the points of one request, ms. */
const syncMs = 30_000;
/** What the server, or a proxy before it, answers where the same points may be taken later. */
const later = new Set([429, 500, 502, 503, 504]);
const unanswered: readonly ErrorCode[] = [
  ...(['connection-refused', 'connection-timeout', 'host-not-found', 'connection-lost'] as const),
];

/** `later`: the same points may be taken after a pause. */
interface Failure {
  error: AppError;
  later: boolean;
  afterMs: number | null;
}

/**
 * Delivers points, also over an overload, a lost connection and a restart: what may or may not be stored is sent again as it
 * is, since a point that comes twice, with the same time and value, is one.
 */
export class Delivery {
  readonly #http: Http;
  readonly #layout: Layout;
  #again = 0;
  #remarks: string[] = [];

  constructor(http: Http, layout: Layout) {
    this.#http = http;
    this.#layout = layout;
  }

  takeRemarks(): string[] {
    const taken = this.#remarks;
    this.#remarks = [];
    return taken;
  }

  /**
   * Sends a JSON array of points until the server has them all.
   * @returns bytes sent, each try
   * @throws AppError of the last try
   */
  async deliver(points: readonly Uint8Array[], signal: AbortSignal): Promise<number> {
    const backOff = new BackOff(this.#layout.resendMs);
    const body = this.#layout.gzip ? [await gzip(Buffer.concat(points), { level: 1 })] : points;
    const size = body.reduce((sum, part) => sum + part.length, 0);
    for (let tries = 1; ; tries += 1) {
      const failure = await this.#send(body, signal);
      if (failure === null) return size * tries;
      if (!failure.later || backOff.over) throw failure.error;
      if (tries === 1) this.#remark(failure.error);
      await backOff.pause(failure.afterMs, signal);
    }
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
      return { error, later: unanswered.includes(error.code), afterMs: null };
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
        later: later.has(reply.status) && error.code === 'server-error',
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

  /** Told the first, second, fourth, eighth … time. */
  #remark({ message, detail }: AppError): void {
    this.#again += 1;
    if ((this.#again & (this.#again - 1)) !== 0) return;
    const what = this.#again === 1 ? 'Points are' : `Points of ${this.#again} requests so far are`;
    this.#remarks.push(`${what} sent again: ${[message, detail].filter(Boolean).join(': ')}`);
  }
}
