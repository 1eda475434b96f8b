import { type AppError, type ErrorCode, toAppError } from '../../../src-shared/errors.ts';
import { BackOff } from '../http/backOff.ts';
import type { Http } from '../http/http.ts';
import { protobuf, refused } from './gateway.ts';

/** What the server, or a proxy before it, answers where the same rows may be taken later. */
const later = new Set([429, 500, 502, 503, 504]);
/** The gateway answers 503 to whatever is not the request's own fault; these do not pass. */
const final =
  /DoNotRetry|TableNotFound|TableNotEnabled|NoSuchColumnFamily|AccessDenied|SanityCheck|Constraint|QuotaExceeded|Unknown(Protocol|Scanner)|RowTooBig/;
const unanswered: readonly ErrorCode[] = [
  ...(['connection-refused', 'connection-timeout', 'host-not-found', 'connection-lost'] as const),
];

/**
 * Delivers rows, also over busy and moving regions, a lost connection and a restart: what may or may not be stored is sent
 * again as it is, since a cell that comes twice, with the same time, is one.
 */
export class Delivery {
  readonly #http: Http;
  readonly #resendMs: number;
  #again = 0;
  #remarks: string[] = [];

  constructor(http: Http, resendMs: number) {
    this.#http = http;
    this.#resendMs = resendMs;
  }

  takeRemarks(): string[] {
    const taken = this.#remarks;
    this.#remarks = [];
    return taken;
  }

  /**
   * Sends rows of one table until the server has them.
   * @returns bytes sent, each try
   * @throws AppError of the last try
   */
  async deliver(table: string, rows: Uint8Array, signal: AbortSignal): Promise<number> {
    const backOff = new BackOff(this.#resendMs);
    for (let sent = rows.length; ; sent += rows.length) {
      const failure = await this.#send(table, rows, signal);
      if (failure === null) return sent;
      const { error, afterMs } = failure;
      if (afterMs === 'never' || backOff.over) throw error;
      if (sent === rows.length) this.#remark(error);
      await backOff.pause(afterMs, signal);
    }
  }

  async #send(
    table: string,
    rows: Uint8Array,
    signal: AbortSignal,
  ): Promise<{ error: AppError; afterMs: number | null | 'never' } | null> {
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
      const passes =
        later.has(reply.status) && error.code === 'server-error' && !final.test(error.detail ?? '');
      return { error, afterMs: passes ? reply.retryAfterMs : 'never' };
    } catch (thrown) {
      const error = toAppError(thrown);
      return { error, afterMs: unanswered.includes(error.code) ? null : 'never' };
    }
  }

  /** Told the first, second, fourth, eighth … time. */
  #remark({ message, detail }: AppError): void {
    this.#again += 1;
    if ((this.#again & (this.#again - 1)) !== 0) return;
    const what = this.#again === 1 ? 'Rows are' : `Rows of ${this.#again} requests so far are`;
    this.#remarks.push(`${what} sent again: ${[message, detail].filter(Boolean).join(': ')}`);
  }
}
