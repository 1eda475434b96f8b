import { cancelled, type ErrorPlace } from '../../../src-shared/errors.ts';
import { loadApplicationName } from '../driver.ts';
import type { Dialled } from './connection.ts';
import { cancelPatienceMs } from './control.ts';
import { placeOf } from './dial.ts';
import { connectionLost, type ServerErrorFields, serverError } from './errors.ts';
import { cancelStatement, type Login, login } from './login.ts';
import { type Exchange, ReplyParser } from './replies.ts';

/**
 * The measured connection. pg dials and logs in; from then on this class reads and writes the socket itself, because
 * - a row that is only counted is then a length to hop over: pg's parser makes a string of every value, which for
 *   100,000 rows of 12 columns took 0.08 s of CPU even with a handler that ignored them, against 0.02 s here, and
 * - a whole batch goes out at once, its statement included, so that a COPY takes one round trip. pg-copy-streams waits
 *   for the server's go-ahead first, a second round trip per batch, which counts on a network (on loopback the two need
 *   the same CPU and time). The protocol allows not to wait: what follows a failed COPY is ignored by the server.
 */
export class Wire {
  readonly #target: Dialled;
  readonly #login: Login;
  readonly #place: ErrorPlace;
  readonly #replies = new ReplyParser();
  #expected = 1;
  #closed = false;
  #settle: ((end: Error | null) => void) | null = null;
  #lastError: ServerErrorFields | null = null;

  private constructor(target: Dialled, database: string, opened: Login) {
    this.#target = target;
    this.#login = opened;
    this.#place = placeOf(target, database);
    const { socket } = opened;
    socket.removeAllListeners('data');
    socket.on('data', (chunk: Buffer) => {
      this.#replies.push(chunk);
      if (this.#replies.error !== null) this.#lastError = this.#replies.error;
      if (this.#replies.ready >= this.#expected) this.#settle?.(null);
    });
    socket.on('error', (error) => this.#end(error.message));
    socket.on('close', () => this.#end('the server closed the connection'));
  }

  static async open(target: Dialled, database: string, signal: AbortSignal): Promise<Wire> {
    return new Wire(target, database, await login(target, database, signal, loadApplicationName));
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
    if (signal.aborted) throw cancelled();
    if (this.#closed) throw connectionLost(this.#place, this.#lastError?.message ?? 'it is closed');
    const { socket, key } = this.#login;
    this.#replies.start(collect);
    this.#expected = syncs;
    this.#lastError = null;
    let cut: NodeJS.Timeout | undefined;
    const abort = () => {
      cut = setTimeout(() => socket.destroy(), cancelPatienceMs);
      cancelStatement(this.#target, key).catch(() => undefined); // then the timer ends it
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        this.#settle = (end) => (end === null ? resolve() : reject(end));
        socket.cork();
        for (const message of messages) socket.write(message);
        socket.uncork();
      });
    } catch (error) {
      await this.close();
      throw signal.aborted ? cancelled() : error;
    } finally {
      this.#settle = null;
      clearTimeout(cut);
      signal.removeEventListener('abort', abort);
    }
    if (signal.aborted) await this.close();
    if (signal.aborted) throw cancelled();
    if (this.#replies.error !== null) throw serverError(this.#replies.error, this.#place);
    return this.#replies.result();
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

  #end(detail: string): void {
    this.#closed = true;
    const said = this.#lastError?.message;
    this.#settle?.(connectionLost(this.#place, said ? `${said}; ${detail}` : detail));
  }
}
