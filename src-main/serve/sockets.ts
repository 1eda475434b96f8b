import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Handlers } from '../../src-shared/contract/api.ts';
import { maxRequestBytes, socketPath } from '../../src-shared/contract/bridge.ts';
import type { Channel } from '../../src-shared/contract/channel.ts';
import { type EventSource, serveApi } from '../../src-shared/contract/server.ts';
import type { Guard } from './guard.ts';

const maxSockets = 16;
/** A client that reads no more than this behind is dropped, so that it cannot fill the memory of the core. */
const maxBacklogBytes = 64 * 1024 * 1024;
const pingMs = 30_000;

/** The contract over WebSockets on the given HTTP server. */
export function serveSockets(
  server: Server,
  guard: Guard,
  app: { handlers: Handlers; events: EventSource },
): { close(): void } {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxRequestBytes,
    perMessageDeflate: false,
    clientTracking: true,
  });
  const answered = new WeakSet<WebSocket>();

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    const refusal = guard.checkUpgrade(request.headers);
    if (refusal) refuse(stream, refusal.status, refusal.reason);
    else if (request.url !== socketPath) refuse(stream, 404, 'There is nothing at this address.');
    else if (sockets.clients.size >= maxSockets) refuse(stream, 503, 'Too many windows are open.');
    else accept(request, stream, head);
  });

  function accept(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    sockets.handleUpgrade(request, stream, head, (socket) => {
      answered.add(socket);
      socket.on('pong', () => answered.add(socket));
      serveApi(toChannel(socket), app.handlers, app.events);
    });
  }

  const heartbeat = setInterval(() => {
    for (const socket of sockets.clients) {
      if (!answered.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, pingMs);
  heartbeat.unref();

  return {
    close() {
      clearInterval(heartbeat);
      for (const socket of sockets.clients) {
        socket.close(1001, 'Benchberry is closing');
        // A client that does not answer the goodbye must not hold the server.
        setTimeout(() => socket.terminate(), 1000).unref();
      }
      sockets.close();
    },
  };
}

function toChannel(socket: WebSocket): Channel {
  return {
    send(text) {
      if (socket.bufferedAmount > maxBacklogBytes) socket.terminate();
      else socket.send(text);
    },
    listen(onMessage, onClose) {
      socket.on('message', (data, isBinary) => {
        if (isBinary) socket.close(1003, 'Text only');
        else onMessage(data.toString());
      });
      // An oversized or malformed frame: ws closes the socket itself.
      socket.on('error', () => socket.terminate());
      socket.once('close', onClose);
    },
    close: () => socket.close(1008, 'Not a request of the contract'),
  };
}

const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  503: 'Service Unavailable',
};

function refuse(stream: Duplex, status: number, reason: string): void {
  stream.end(
    `HTTP/1.1 ${status} ${phrases[status]}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(reason)}\r\n\r\n${reason}`,
  );
}
