import { readFile } from 'node:fs/promises';
import net from 'node:net';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { type Connection, createConnection, type SslOptions } from 'mysql2';
import { z } from 'zod';
import { AppError, cancelled, type ErrorPlace } from '../../../src-shared/errors.ts';
import { cancelPatienceMs } from '../postgresql/control.ts';
import { connectionLost } from '../postgresql/errors.ts';
import { type Dialled, placeOf } from './connection.ts';
import { linkError, openError } from './errors.ts';

/** The same on every server, so that rows are refused or stored as they are. Times are UTC by the layout. */
const session =
  "SET SESSION sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'";
const connectMs = 10_000;
/** Of a file that is sent: far below any server's max_allowed_packet. */
const pieceBytes = 256 * 1024;

/** What a statement brought. */
export interface Answer {
  rows: number;
  /** Received, packet headers included. */
  bytes: number;
  /** Milliseconds to the first row; null without one. */
  firstRowMs: number | null;
  /** Only where they were asked for. */
  values: (string | null)[][];
  affected: number;
  warnings: number;
}

const headerSchema = z.object({ affectedRows: z.number(), warningStatus: z.number().default(0) });

export interface Exchange {
  collect?: boolean;
  /** Sent when the server asks for the file of a LOAD DATA LOCAL. */
  upload?: readonly Uint8Array[];
}

/** One connection, a statement at a time. */
export class Link {
  readonly place: ErrorPlace;
  readonly #target: Dialled;
  readonly #connection: Connection;
  readonly #socket: net.Socket;
  #lost: AppError | null = null;
  #pending: ((error: AppError) => void) | null = null;

  private constructor(target: Dialled, database: string | null, connection: Connection, socket: net.Socket) {
    this.#target = target;
    this.place = placeOf(target, database);
    this.#connection = connection;
    this.#socket = socket;
    connection.on('error', (error) => this.#end(error.message));
    socket.on('close', () => this.#end('the server closed the connection'));
  }

  /**
   * @param database null: none
   * @throws AppError `host-not-found`, `connection-refused`, `wrong-password`, `no-database`, `tls-…`, `cancelled`
   */
  static async open(target: Dialled, database: string | null, signal: AbortSignal): Promise<Link> {
    if (signal.aborted) throw cancelled();
    const { host, port, user, password } = target;
    const ssl = await sslOf(target);
    const socket = host.startsWith('/') ? net.connect(host) : net.connect(port, host);
    socket.setNoDelay(true);
    const connection = createConnection({
      ...{ stream: () => socket, host, user, password: password ?? '', connectTimeout: connectMs },
      ...(database !== null && { database }),
      ...(ssl && { ssl }),
      charset: 'utf8mb4',
    });
    const place = placeOf(target, database);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = () => reject(cancelled());
    signal.addEventListener('abort', abort, { once: true });
    connection.on('error', (error) => reject(openError(error, place, password !== null)));
    connection.on('connect', () => resolve());
    try {
      await promise;
    } catch (error) {
      connection.destroy();
      socket.destroy();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
      connection.removeAllListeners('error');
      connection.on('error', () => undefined); // told by `reject` above
    }
    const link = new Link(target, database, connection, socket);
    await link.exchange(session, signal);
    return link;
  }

  /**
   * After an error that the server answered with the link can be used again; after any other it is closed.
   * @throws AppError `server-error` and its kin, `connection-lost`, `cancelled`
   */
  async exchange(
    sql: string,
    signal: AbortSignal,
    { collect = false, upload }: Exchange = {},
  ): Promise<Answer> {
    if (signal.aborted) throw cancelled();
    if (this.#lost !== null) throw this.#lost;
    const start = performance.now();
    const before = this.#socket.bytesRead;
    const answer: Answer = { rows: 0, bytes: 0, firstRowMs: null, values: [], affected: 0, warnings: 0 };
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#pending = reject;
    let cut: NodeJS.Timeout | undefined;
    const abort = () => {
      cut = setTimeout(() => this.#socket.destroy(), cancelPatienceMs);
      this.#kill().catch(() => undefined); // then the timer ends it
    };
    signal.addEventListener('abort', abort, { once: true });
    const query = this.#connection.query({
      sql,
      rowsAsArray: true,
      typeCast: false,
      ...(upload && { infileStreamFactory: () => Readable.from(pieces(upload)) }),
    });
    query.on('error', (error) => reject(linkError(error, this.place)));
    query.on('end', () => resolve());
    query.on('result', (result: unknown) => {
      if (Array.isArray(result)) {
        if (answer.rows === 0) answer.firstRowMs = performance.now() - start;
        answer.rows += 1;
        if (collect) answer.values.push(result.map(textOf));
        return;
      }
      const { affectedRows, warningStatus } = headerSchema.parse(result);
      answer.affected += affectedRows;
      answer.warnings += warningStatus;
    });
    try {
      await promise;
      answer.bytes = this.#socket.bytesRead - before;
      if (signal.aborted) throw cancelled();
      return answer;
    } catch (error) {
      if (!signal.aborted) throw error;
      await this.close();
      throw cancelled();
    } finally {
      clearTimeout(cut);
      this.#pending = null;
      signal.removeEventListener('abort', abort);
    }
  }

  /** Rows as objects, each parsed by `schema`. */
  async rows<T>(
    schema: z.ZodType<T>,
    sql: string,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<T[]> {
    const { values } = await this.exchange(sql, signal, { collect: true });
    return values.map((row) => schema.parse(Object.fromEntries(names.map((name, i) => [name, row[i]]))));
  }

  /** In the server's words: whether, and how, it is encrypted. */
  get encrypted(): boolean {
    return this.#target.tlsMode !== 'disable';
  }

  async close(): Promise<void> {
    this.#lost ??= connectionLost(this.place, 'it is closed');
    if (this.#socket.destroyed) return;
    const gone = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()));
    const timer = setTimeout(() => this.#socket.destroy(), cancelPatienceMs);
    this.#connection.end(() => this.#socket.destroy());
    await gone;
    clearTimeout(timer);
  }

  /** Ends the statement under way, by a connection of its own. */
  async #kill(): Promise<void> {
    const { signal } = new AbortController();
    const other = await Link.open(this.#target, null, signal);
    try {
      await other.exchange(`KILL ${this.#connection.threadId}`, signal);
    } finally {
      await other.close();
    }
  }

  #end(detail: string): void {
    this.#lost ??= connectionLost(this.place, detail);
    this.#pending?.(this.#lost);
  }
}

function* pieces(parts: readonly Uint8Array[]): Generator<Buffer> {
  for (const part of parts)
    for (let from = 0; from < part.length; from += pieceBytes)
      yield Buffer.from(part.buffer, part.byteOffset + from, Math.min(pieceBytes, part.length - from));
}

function textOf(value: unknown): string | null {
  return Buffer.isBuffer(value) ? value.toString('utf8') : null;
}

async function sslOf({ tlsMode, caFile, host }: Dialled): Promise<SslOptions | null> {
  if (tlsMode === 'disable') return null;
  const verify = tlsMode !== 'require';
  try {
    return {
      rejectUnauthorized: verify,
      verifyIdentity: tlsMode === 'verify-full',
      ...(verify && caFile !== '' && { ca: await readFile(caFile, 'utf8') }),
    };
  } catch (error) {
    throw new AppError({
      code: 'bad-input',
      message: 'The CA certificate cannot be read',
      place: { field: 'caFile', file: caFile, host },
      detail: error instanceof Error ? error.message : String(error),
      hint: 'Choose a PEM file that this user can read.',
    });
  }
}
