import { readFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { AppError, cancelled, type ErrorPlace } from '../../../src-shared/errors.ts';
import { formatBytes } from '../../../src-shared/units.ts';
import { connectError, lost } from './errors.ts';

/** How long a host may take to let itself be connected to, ms. */
export const patienceMs = 10_000;

/** Of an answer that is kept: none of a database's is longer by far, and what never ends must not fill the memory. */
export const mostKept = 64 << 20;

/** A server and how it is reached. */
export interface HttpServer {
  host: string;
  port: number;
  tlsMode: 'disable' | 'require' | 'verify-ca' | 'verify-full';
  /** PEM file; empty: the authorities that this computer knows. */
  caFile: string;
}

export interface Reply {
  status: number;
  body: string;
  /** Received, headers left out. */
  bytes: number;
  retryAfterMs: number | null;
  /** Where what was made is. */
  location: string | null;
}

export interface Request {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  body?: readonly Uint8Array[];
  /** Takes the answer as it comes in place of `Reply.body`; only of a 200. */
  onChunk?: (chunk: Buffer) => void;
}

const takesBody = new Set(['POST', 'PUT']);

/** TLS as the server's address wants it; empty without. @throws AppError `bad-input` for a CA file that cannot be read */
export async function tlsOptions({ tlsMode, caFile, host }: HttpServer): Promise<https.AgentOptions> {
  const verify = tlsMode === 'verify-ca' || tlsMode === 'verify-full';
  try {
    return {
      rejectUnauthorized: verify,
      ...(verify && caFile !== '' && { ca: await readFile(caFile) }),
      ...(tlsMode !== 'verify-full' && { checkServerIdentity: () => undefined }),
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

/** One connection to the HTTP port, kept alive: a request at a time. */
export class Http {
  readonly place: ErrorPlace;
  /** A secret goes with each request. */
  readonly signedIn: boolean;
  readonly #server: HttpServer;
  readonly #agent: http.Agent;
  readonly #headers: Record<string, string>;

  private constructor(server: HttpServer, authorization: string | null, agent: http.Agent) {
    this.#server = server;
    this.#agent = agent;
    this.place = { host: server.host, port: server.port };
    this.#headers = authorization === null ? {} : { authorization };
    this.signedIn = authorization !== null;
  }

  /**
   * Nothing is dialled before the first request.
   * @param authorization what signs each request in; null where no secret is known
   */
  static async of(server: HttpServer, authorization: string | null): Promise<Http> {
    const options = { keepAlive: true, maxSockets: 1, keepAliveMsecs: 30_000 };
    const agent =
      server.tlsMode === 'disable'
        ? new http.Agent(options)
        : new https.Agent({ ...options, ...(await tlsOptions(server)) });
    return new Http(server, authorization, agent);
  }

  /**
   * Resolves with whatever is answered.
   * @throws AppError `host-not-found`, `connection-refused`, `connection-timeout`, `tls-…`: nothing was sent;
   * `connection-lost`: it is unknown what the server has made of it; `cancelled`
   */
  send(request: Request, signal: AbortSignal): Promise<Reply> {
    const { method = 'GET', path, headers, body = [], onChunk } = request;
    const { host, port, tlsMode } = this.#server;
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    if (signal.aborted) return Promise.reject(cancelled());
    const length = body.reduce((sum, part) => sum + part.length, 0);
    const client = tlsMode === 'disable' ? http : https;
    const sent = client.request({
      ...{ agent: this.#agent, host: host.replace(/^\[(.*)\]$/, '$1'), port, method, path },
      headers: { ...this.#headers, ...headers, ...(takesBody.has(method) && { 'content-length': length }) },
    });
    let connected = false;
    const timer = setTimeout(() => {
      if (!connected) sent.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
    }, patienceMs);
    const abort = () => sent.destroy();
    signal.addEventListener('abort', abort, { once: true });
    const settle = (done: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      done();
    };
    const fail = (error: Error) =>
      settle(() => {
        if (signal.aborted) reject(cancelled());
        else if (connected) reject(lost(this.place, error.message));
        else reject(connectError(error, this.place, tlsMode !== 'disable'));
      });
    const ready = () => {
      connected = true;
      clearTimeout(timer);
      sent.socket?.setNoDelay(true);
    };
    sent.on('socket', (socket) => {
      if (!socket.connecting) ready();
      else socket.once(tlsMode === 'disable' ? 'connect' : 'secureConnect', ready);
    });
    sent.on('error', fail);
    // The last thing that is heard of a request: of an answer that changes the protocol nothing else is.
    sent.on('close', () => fail(new Error('the server closed the connection')));
    sent.on('response', (response) => {
      const status = response.statusCode ?? 0;
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (onChunk !== undefined && status === 200) return onChunk(chunk);
        parts.push(chunk);
        if (bytes <= mostKept) return;
        fail(new Error(`its answer is longer than ${formatBytes(mostKept)}`));
        sent.destroy();
      });
      response.on('error', fail);
      response.on('end', () => {
        const after = Number(response.headers['retry-after']);
        const retryAfterMs = Number.isFinite(after) ? after * 1000 : null;
        const location = response.headers.location ?? null;
        const text = Buffer.concat(parts).toString('utf8');
        settle(() => resolve({ status, body: text, bytes, retryAfterMs, location }));
      });
    });
    // Some of it may be read, and answered to, before all of it is sent.
    for (const part of body) sent.write(part);
    sent.end();
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}
