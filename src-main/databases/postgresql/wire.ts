import { cancelled } from '../../../src-shared/errors.ts';
import { Channel } from './channel.ts';
import type { Dialled } from './connection.ts';
import { serverError } from './errors.ts';
import { type Exchange, ExchangeTaker } from './exchange.ts';

/** The measured connection of loads and queries: one exchange at a time, an error of the server is thrown. */
export class Wire {
  readonly #channel: Channel;
  readonly #taker: ExchangeTaker;

  private constructor(channel: Channel, taker: ExchangeTaker) {
    this.#channel = channel;
    this.#taker = taker;
  }

  static async open(target: Dialled, database: string, signal: AbortSignal): Promise<Wire> {
    const taker = new ExchangeTaker();
    return new Wire(await Channel.open(target, database, taker, signal), taker);
  }

  /**
   * Sends messages and waits for as many ReadyForQuery as `syncs` says. After an error that the server answered with, the
   * connection can be used again; after any other it is closed.
   * @throws AppError as `serverError` names them, `connection-lost`, `cancelled`
   */
  async exchange(
    messages: readonly Uint8Array[],
    syncs: number,
    signal: AbortSignal,
    collect = false,
  ): Promise<Exchange> {
    const channel = this.#channel;
    const taker = this.#taker;
    if (signal.aborted) throw cancelled();
    if (channel.closed) throw channel.lost();
    const before = channel.replies.bytes;
    const abort = () => channel.abandon();
    signal.addEventListener('abort', abort, { once: true });
    try {
      channel.start();
      taker.start(collect);
      channel.writeAll(messages);
      await channel.answered(syncs, undefined);
    } catch (error) {
      await channel.close();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
    const { error, bytes } = channel.replies;
    if (error !== null) throw serverError(error, channel.place);
    const { rows, tags, values, firstRowAt } = taker;
    return { rows, bytes: bytes - before, tags, values, firstRowAt };
  }

  close(): Promise<void> {
    return this.#channel.close();
  }
}
