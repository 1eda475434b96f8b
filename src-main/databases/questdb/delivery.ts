import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { type AppError, type ErrorCode, toAppError } from '../../../src-shared/errors.ts';
import { BackOff } from '../http/backOff.ts';
import { refusal } from '../http/errors.ts';
import type { Http } from '../http/http.ts';
import type { Block } from '../postgresql/batch.ts';
import type { Layout } from './loadOptions.ts';

const gzip = promisify(zlib.gzip);

/** A table's rows of a batch. */
export interface Part {
  table: number;
  block: Block;
}

/** `untaken`: the server has none of it. `unknown`: it may have all, or those of some tables. */
type Outcome =
  | { kind: 'stored' }
  | { kind: 'refused'; error: AppError }
  | { kind: 'untaken' | 'unknown'; error: AppError; afterMs: number | null };

/** Overloaded: the server, or a proxy before it, says so before it looks at the rows. */
const overload = new Set([429, 503]);
/** A commit that failed, or a proxy that has lost the server behind it. */
const uncertain = new Set([500, 502, 504]);
/** Nothing was sent. */
const unreached: readonly ErrorCode[] = ['connection-refused', 'connection-timeout', 'host-not-found'];

/** What is wanted of a batch that may or may not be stored: those of its parts that are not. */
export type FindMissing = (parts: readonly Part[], signal: AbortSignal) => Promise<Part[]>;

/** Delivers batches: each once, also over an overload, a lost connection and a restart of the server. */
export class Delivery {
  readonly #http: Http;
  readonly #layout: Layout;
  readonly #findMissing: FindMissing;
  #again = 0;
  #remarks: string[] = [];

  constructor(http: Http, layout: Layout, findMissing: FindMissing) {
    this.#http = http;
    this.#layout = layout;
    this.#findMissing = findMissing;
  }

  takeRemarks(): string[] {
    const taken = this.#remarks;
    this.#remarks = [];
    return taken;
  }

  /**
   * Sends the parts as one request until the server has them.
   * @returns bytes sent, each try
   * @throws AppError of the last try
   */
  async deliver(parts: readonly Part[], signal: AbortSignal): Promise<number> {
    const backOff = new BackOff(this.#layout.resendMs);
    let left = parts;
    let sent = 0;
    let unknown = false;
    let tries = 0;
    for (;;) {
      const outcome = await this.#outcome(async () => {
        if (unknown) left = await this.#findMissing(left, signal);
        unknown = false;
        if (left.length === 0) return { kind: 'stored' };
        const body = await this.#body(left);
        sent += body.reduce((sum, part) => sum + part.length, 0);
        return this.#send(body, signal);
      });
      tries += 1;
      if (outcome.kind === 'stored') return sent;
      if (outcome.kind === 'refused') throw outcome.error;
      unknown ||= outcome.kind === 'unknown';
      if (backOff.over || (unknown && !this.#canRepeat)) throw outcome.error;
      if (tries === 1) this.#remark(outcome.error);
      await backOff.pause(outcome.afterMs, signal);
    }
  }

  /** Rows that were in the table before may look like those of the batch. */
  get #canRepeat(): boolean {
    return this.#layout.deduplicate || this.#layout.made;
  }

  async #body(parts: readonly Part[]): Promise<Uint8Array[]> {
    const texts = parts.map(({ block }) => block.bytes.subarray(0, block.length));
    return this.#layout.gzip ? [await gzip(Buffer.concat(texts), { level: 1 })] : texts;
  }

  async #send(body: readonly Uint8Array[], signal: AbortSignal): Promise<Outcome> {
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      ...(this.#layout.gzip && { 'content-encoding': 'gzip' }),
    };
    const reply = await this.#http.send(
      { method: 'POST', path: '/write?precision=n', headers, body },
      signal,
    );
    const { status, retryAfterMs: afterMs } = reply;
    if (status === 204 || status === 200) return { kind: 'stored' };
    const error = refusal(status, reply.body, this.#http.place, this.#http.signedIn);
    if (overload.has(status)) return { kind: 'untaken', error, afterMs };
    if (uncertain.has(status) && error.code === 'server-error') return { kind: 'unknown', error, afterMs };
    return { kind: 'refused', error };
  }

  /** What a try came to, also where it was an exception. */
  async #outcome(attempt: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await attempt();
    } catch (thrown) {
      const error = toAppError(thrown);
      if (unreached.includes(error.code)) return { kind: 'untaken', error, afterMs: null };
      if (error.code === 'connection-lost') return { kind: 'unknown', error, afterMs: null };
      return { kind: 'refused', error };
    }
  }

  /** Told the first, second, fourth, eighth … time. */
  #remark({ message, detail }: AppError): void {
    this.#again += 1;
    if ((this.#again & (this.#again - 1)) !== 0) return;
    const what = this.#again === 1 ? 'A batch is' : `${this.#again} batches so far are`;
    this.#remarks.push(`${what} sent again: ${[message, detail].filter(Boolean).join(': ')}`);
  }
}
