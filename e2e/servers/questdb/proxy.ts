import { once } from 'node:events';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';

/** What becomes of a request with rows: `drop-after` is lost once the server has answered it. */
export type Fate = 'pass' | 'overload' | 'too-many' | 'drop-before' | 'drop-after';

export interface FaultyProxy {
  port: number;
  /** Requests with rows so far, by what became of them. */
  fates: Record<Fate, number>;
  close(): Promise<void>;
}

/** Of a server: which requests have rows, and what it answers with 503. */
export interface Ways {
  isRows(request: http.IncomingMessage): boolean;
  overloaded: string;
}
const questdb: Ways = {
  isRows: ({ url }) => url?.startsWith('/write') ?? false,
  overloaded: 'overloaded\n',
};

/** Stands before a server's HTTP port and lets go wrong what `fate` says of the n-th request with rows, from 0 on. */
export async function startProxy(
  port: number,
  fate: (n: number) => Fate,
  { isRows, overloaded }: Ways = questdb,
): Promise<FaultyProxy> {
  const fates: FaultyProxy['fates'] = {
    pass: 0,
    overload: 0,
    'too-many': 0,
    'drop-before': 0,
    'drop-after': 0,
  };
  let rows = 0;
  const server = http.createServer(async (request, response) => {
    const hasRows = isRows(request);
    const now = hasRows ? fate(rows++) : 'pass';
    if (hasRows) fates[now] += 1;
    const body = await buffer(request);
    if (now === 'overload') {
      response.writeHead(503, { 'content-type': 'text/plain' }).end(overloaded);
      return;
    }
    if (now === 'too-many') {
      response.writeHead(429, { 'retry-after': '0' }).end();
      return;
    }
    if (now === 'drop-before') {
      request.socket.destroy();
      return;
    }
    const { host: _, ...headers } = request.headers;
    const forwarded = http.request({
      ...{ host: '127.0.0.1', port, method: request.method, path: request.url, headers, agent: false },
    });
    forwarded.on('error', () => request.socket.destroy());
    forwarded.on('response', async (answer) => {
      const text = await buffer(answer);
      if (now === 'drop-after') request.socket.destroy();
      else {
        const { 'content-type': type = 'application/json', location } = answer.headers;
        const told = { 'content-type': type, ...(location !== undefined && { location }) };
        response.writeHead(answer.statusCode ?? 502, told).end(text);
      }
    });
    forwarded.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    fates,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
