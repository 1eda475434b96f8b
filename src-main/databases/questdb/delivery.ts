import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { type AppError, toAppError } from '../../../src-shared/errors.ts';
import { refusal } from '../http/errors.ts';
import type { Http } from '../http/http.ts';
import { type Fate, fateOf, fateOfError, Resending } from '../http/resending.ts';
import type { Block } from '../postgresql/batch.ts';
import type { Layout } from './loadOptions.ts';

const gzip = promisify(zlib.gzip);

/** A table's rows of a batch. */
export interface Part {
  table: number;
  block: Block;
}

/** Of a try that was not stored; null where it was. */
type Outcome = { fate: Fate; error: AppError; afterMs: number | null } | null;

/** What is wanted of a batch that may or may not be stored: those of its parts that are not. */
export type FindMissing = (parts: readonly Part[], signal: AbortSignal) => Promise<Part[]>;

/** Delivers batches: each once, also over an overload, a lost connection and a restart of the server. */
export class Delivery {
  readonly #http: Http;
  readonly #layout: Layout;
  readonly #findMissing: FindMissing;
  readonly #resending: Resending;

  constructor(http: Http, layout: Layout, findMissing: FindMissing) {
    this.#http = http;
    this.#layout = layout;
    this.#findMissing = findMissing;
    this.#resending = new Resending(layout.resendMs, 'Batches');
  }

  takeRemarks(): string[] {
    return this.#resending.takeRemarks();
  }

  /**
   * Sends the parts as one request until the server has them.
   * @returns bytes sent, each try
   * @throws AppError of the last try
   */
  async deliver(parts: readonly Part[], signal: AbortSignal): Promise<number> {
    let left = parts;
    let sent = 0;
    let unknown = false;
    await this.#resending.until(async () => {
      const outcome = await this.#outcome(async () => {
        if (unknown) left = await this.#findMissing(left, signal);
        unknown = false;
        if (left.length === 0) return null;
        const body = await this.#body(left);
        sent += body.reduce((sum, part) => sum + part.length, 0);
        return this.#send(body, signal);
      });
      if (outcome === null) return null;
      const { fate, error, afterMs } = outcome;
      unknown ||= fate === 'unknown';
      return { error, later: fate !== 'refused' && (!unknown || this.#canRepeat), afterMs };
    }, signal);
    return sent;
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
    if (reply.status === 204 || reply.status === 200) return null;
    const error = refusal(reply.status, reply.body, this.#http.place, this.#http.signedIn);
    return { fate: fateOf(reply, error), error, afterMs: reply.retryAfterMs };
  }

  /** What a try came to, also where it was an exception. */
  async #outcome(attempt: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await attempt();
    } catch (thrown) {
      const error = toAppError(thrown);
      return { fate: fateOfError(error), error, afterMs: null };
    }
  }
}
