import { toAppError } from '../../../src-shared/errors.ts';
import type { Http } from '../http/http.ts';
import { type Failure, fateOf, fateOfError, Resending } from '../http/resending.ts';
import { protobuf, refused } from './gateway.ts';

/** The gateway answers 503 to whatever is not the request's own fault; these do not pass. */
const final =
  /DoNotRetry|TableNotFound|TableNotEnabled|NoSuchColumnFamily|AccessDenied|SanityCheck|Constraint|QuotaExceeded|Unknown(Protocol|Scanner)|RowTooBig/;
/**
 * Delivers rows, also over busy and moving regions, a lost connection and a restart: what may or may not be stored is sent
 * again as it is, since a cell that comes twice, with the same time, is one.
 */
export class Delivery {
  readonly #http: Http;
  readonly #resending: Resending;

  constructor(http: Http, resendMs: number) {
    this.#http = http;
    this.#resending = new Resending(resendMs, 'Rows');
  }

  takeRemarks(): string[] {
    return this.#resending.takeRemarks();
  }

  /**
   * Sends rows of one table until the server has them.
   * @returns bytes sent, each try
   * @throws AppError of the last try
   */
  async deliver(table: string, rows: Uint8Array, signal: AbortSignal): Promise<number> {
    let sent = 0;
    await this.#resending.until(() => {
      sent += rows.length;
      return this.#send(table, rows, signal);
    }, signal);
    return sent;
  }

  async #send(table: string, rows: Uint8Array, signal: AbortSignal): Promise<Failure | null> {
    try {
      const reply = await this.#http.send(
        {
          method: 'PUT',
          // Each row has its own key; the one of the path is for rows without.
          path: `/${table}/rows`,
          headers: { 'content-type': protobuf, accept: protobuf },
          body: [rows],
        },
        signal,
      );
      if (reply.status === 200) return null;
      const error = refused(this.#http, reply, this.#http.place);
      const passes = error.code === 'server-error' && !final.test(error.detail ?? '');
      return { error, later: passes && fateOf(reply, error) !== 'refused', afterMs: reply.retryAfterMs };
    } catch (thrown) {
      const error = toAppError(thrown);
      return { error, later: fateOfError(error) !== 'refused', afterMs: null };
    }
  }
}
