import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Handlers } from '../../src-shared/contract/api.ts';
import type { EventSource } from '../../src-shared/contract/server.ts';
import { AppError } from '../../src-shared/errors.ts';
import { createGuard, type Guard } from './guard.ts';
import { securityHeaders } from './securityHeaders.ts';
import { serveSockets } from './sockets.ts';
import { builtRenderer, loadStaticFiles, type StaticFiles } from './staticFiles.ts';

export interface ServeOptions {
  app: { handlers: Handlers; events: EventSource };
  /** 0 takes any free port. */
  port: number;
  /** The built renderer; left out, the one of this installation. */
  rendererFolder?: string;
}

export interface Serving {
  /** With the token: whoever has it is let in. */
  url: string;
  /** An address that lets in once, within a minute: for starting a browser, whose command line others can read. */
  urlOnce(): string;
  port: number;
  /** Ends every connection, then the listening. */
  close(): Promise<void>;
}

const loopback = '127.0.0.1';
const maxConnections = 64;

/**
 * Serves the workbench to a browser on this machine: nothing but 127.0.0.1 is listened on, and the token in the URL is
 * the key. Errors: `not-found` (the renderer is not built), `bad-input` (the port cannot be had).
 */
export async function startServe({
  app,
  port,
  rendererFolder = builtRenderer,
}: ServeOptions): Promise<Serving> {
  const files = await loadStaticFiles(rendererFolder).catch((cause: unknown) => {
    throw new AppError(
      {
        code: 'not-found',
        message: 'The workbench is not built',
        place: { file: rendererFolder },
        hint: 'Run npm start, which builds it, or npm run build.',
      },
      { cause },
    );
  });
  let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    response.destroy();
  const server = createServer(
    { maxHeaderSize: 16_384, headersTimeout: 5000, requestTimeout: 10_000, keepAliveTimeout: 5000 },
    (request, response) => answer(request, response),
  );
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(portError(port, cause)));
    server.listen({ host: loopback, port, exclusive: true }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a TCP address');
  const bound = address.port;
  const guard = createGuard(bound);
  answer = (request, response) => send(request, response, decide(request, guard, files));
  const entrance = `http://${loopback}:${bound}/?token=`;
  const sockets = serveSockets(server, guard, app);

  return {
    url: `${entrance}${guard.token}`,
    urlOnce: () => `${entrance}${guard.issueOnce()}`,
    port: bound,
    async close() {
      sockets.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

function decide({ method, url = '', headers }: IncomingMessage, guard: Guard, files: StaticFiles): Answer {
  if (method !== 'GET' && method !== 'HEAD')
    return plain(405, 'Only GET is answered.', { Allow: 'GET, HEAD' });
  const foreign = guard.checkSource(headers);
  if (foreign) return plain(foreign.status, foreign.reason);

  // Not URL's parser: it would resolve `..` before anybody could refuse it.
  const [path = '', query = ''] = url.split('?', 2);
  const token = new URLSearchParams(query).get('token');
  if (path === '/' && token !== null && guard.isToken(token)) return enter(guard);

  const stranger = guard.checkSession(headers);
  return stranger ? plain(stranger.status, stranger.reason) : files(path);
}

/**
 * Takes the token out of the address bar. A page and not a redirect: the cookie is strict, and a browser would not send it
 * on a redirect of a link clicked elsewhere, e.g. in a terminal that is itself a web page.
 */
function enter(guard: Guard): Answer {
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'Set-Cookie': guard.cookie,
    },
    body:
      '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/">' +
      '<title>Benchberry</title><a href="/">Open Benchberry</a></html>\n',
  };
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers },
    body: `${text}\n`,
  };
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, {
    'Cache-Control': 'no-store',
    ...securityHeaders,
    // A body that nobody asked for is not read.
    ...(request.method === 'GET' || request.method === 'HEAD' ? {} : { Connection: 'close' }),
    ...headers,
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function portError(port: number, cause: Error): AppError {
  return new AppError(
    {
      code: 'bad-input',
      message: `Port ${port} cannot be listened on`,
      place: { host: loopback, port },
      detail: cause.message,
      hint: 'Choose another port with --port, or --port 0 for any free one.',
    },
    { cause },
  );
}
