import http from 'node:http';
import type { Duplex } from 'node:stream';
import { afterEach } from 'vitest';
import { z } from 'zod';
import { httpTo } from './connection.ts';
import type { Http } from './http.ts';

const closers: (() => void)[] = [];

/** A connection, for one test, to a server that answers everything so. */
export async function serving(
  answer: http.RequestListener,
  upgrade?: (request: http.IncomingMessage, socket: Duplex) => void,
): Promise<Http> {
  const server = http.createServer(answer);
  if (upgrade) server.on('upgrade', upgrade);
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const link = await httpTo({
    ...{ host: '127.0.0.1', port, user: '', tlsMode: 'disable', caFile: '', password: null },
  });
  closers.push(() => {
    link.close();
    server.closeAllConnections();
    server.close();
  });
  return link;
}
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Such a server that gives these answers, one after the other, and then always the last; with what is told of each request. */
export async function answering(
  answers: [number, string][],
  last: string,
  told: (request: http.IncomingMessage) => string,
): Promise<{ link: Http; heard: string[] }> {
  const heard: string[] = [];
  const left = [...answers];
  const link = await serving((request, response) => {
    heard.push(told(request));
    const [status, text] = left.shift() ?? [200, last];
    request.resume();
    request.on('end', () => response.writeHead(status).end(text));
  });
  return { link, heard };
}
