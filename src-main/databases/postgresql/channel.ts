import { AppError, cancelled, type ErrorPlace } from '../../../src-shared/errors.ts';
import { loadApplicationName } from '../driver.ts';
import type { Dialled } from './connection.ts';
import { cancelPatienceMs } from './control.ts';
import { placeOf } from './dial.ts';
import { connectionLost, type ServerErrorFields } from './errors.ts';
import { cancelStatement, type Login, login } from './login.ts';
import { ReplyParser, type ReplyTaker } from './replies.ts';

/**
 * A measured connection's socket. pg dials and logs in; from then on this class reads and writes the socket itself,
 * because
 * - a row that is only counted is then a length to hop over: pg's parser makes a string of every value, which for
 *   100,000 rows of 12 columns took 0.08 s of CPU even with a handler that ignored them, against 0.02 s here, and
 * - what belongs together goes out at once: a batch with its COPY statement, a statement's Bind, Execute and Sync. A COPY
 *   then takes one round trip; pg-copy-streams waits for the server's go-ahead first, a second one per batch, which
 *   counts on a network. The protocol allows not to wait: what follows a failed COPY is ignored by the server.
 */
export class Channel {
  readonly place: ErrorPlace;
  readonly replies: ReplyParser;
  readonly #target: Dialled;
  readonly #login: Login;
  #expected = 0;
  /** Between `start` and the answer. */
  #busy = false;
  #abandoned = false;
  #cut: NodeJS.Timeout | undefined;
  #closed = false;
  #resolve: (() => void) | null = null;
  #reject: ((error: Error) => void) | null = null;
  #lastError: ServerErrorFields | null = null;

  private constructor(target: Dialled, database: string, opened: Login, taker: ReplyTaker) {
    this.#target = target;
    this.#login = opened;
    this.place = placeOf(target, database);
    this.replies = new ReplyParser(taker);
    opened.takeOver((chunk) => {
      this.replies.push(chunk);
      if (this.replies.error !== null) this.#lastError = this.replies.error;
      if (this.#expected > 0 && this.replies.ready >= this.#expected) this.#settle(null);
    });
    opened.socket.on('error', (error) =>
      this.#end((error instanceof AppError ? error.detail : null) ?? error.message),
    );
    opened.socket.on('close', () => this.#end('the server closed the connection'));
  }

  static async open(
    target: Dialled,
    database: string,
    taker: ReplyTaker,
    signal: AbortSignal,
  ): Promise<Channel> {
    const opened = await login(target, database, signal, loadApplicationName);
    return new Channel(target, database, opened, taker);
  }

  get closed(): boolean {
    return this.#closed;
  }
  /** Process id of the server's backend. */
  get backendPid(): number {
    return this.#login.key.processID;
  }
  /** What a call on a closed connection gets. */
  lost(): Error {
    if (this.#abandoned) return cancelled();
    return connectionLost(this.place, this.#lastError?.message ?? 'it is closed');
  }

  /** What is sent next is answered by what comes from now on. */
  start(): void {
    this.replies.start();
    this.#expected = 0;
    this.#busy = true;
  }

  /** Sends; the memory must stay as it is until the server has answered to it. */
  write(message: Uint8Array): void {
    this.#login.socket.write(message);
  }
  /** Sends together. */
  writeAll(messages: readonly Uint8Array[]): void {
    const { socket } = this.#login;
    socket.cork();
    for (const message of messages) socket.write(message);
    socket.uncork();
  }
  /** Sends and resolves when the socket has taken it all, or is gone. */
  written(messages: readonly Uint8Array[]): Promise<void> {
    const { socket } = this.#login;
    return new Promise((resolve) => {
      socket.cork();
      messages.forEach((message, i) => {
        if (i === messages.length - 1) socket.write(message, () => resolve());
        else socket.write(message);
      });
      socket.uncork();
    });
  }

  /**
   * Resolves with `result` once so many ReadyForQuery have come since `start`.
   * @throws AppError `connection-lost`, `cancelled`
   */
  answered<T>(syncs: number, result: T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#expected = syncs;
      this.#resolve = () => resolve(result);
      this.#reject = reject;
      if (this.#closed) this.#settle(this.lost());
      else if (this.replies.ready >= syncs) this.#settle(null);
    });
  }

  /**
   * Gives the connection up: what is under way is cancelled on the server, cut off where that does not end it, and then
   * the connection is closed. Whoever waits, or asks later, gets `cancelled`.
   */
  abandon(): void {
    if (this.#abandoned || this.#closed) return;
    this.#abandoned = true;
    if (!this.#busy) {
      void this.close();
      return;
    }
    const { socket, key } = this.#login;
    this.#cut = setTimeout(() => socket.destroy(), cancelPatienceMs);
    cancelStatement(this.#target, key).catch(() => undefined); // then the timer ends it
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { socket, client } = this.#login;
    const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    if (socket.destroyed) return;
    client.connection.end();
    const timer = setTimeout(() => socket.destroy(), cancelPatienceMs);
    await gone;
    clearTimeout(timer);
  }

  #settle(error: Error | null): void {
    const resolve = this.#resolve;
    const reject = this.#reject;
    this.#resolve = null;
    this.#reject = null;
    this.#expected = 0;
    this.#busy = false;
    if (this.#abandoned) {
      clearTimeout(this.#cut);
      void this.close().then(() => reject?.(cancelled()));
    } else if (error === null) {
      this.#lastError = null;
      resolve?.();
    } else reject?.(error);
  }

  #end(detail: string): void {
    this.#closed = true;
    const said = this.#lastError?.message;
    this.#settle(connectionLost(this.place, said ? `${said}; ${detail}` : detail));
  }
}
