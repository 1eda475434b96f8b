import net from 'node:net';
import tls from 'node:tls';
import { cancelled } from '../../../src-shared/errors.ts';
import { connectError, lost } from './errors.ts';
import { type HttpServer, patienceMs, tlsOptions } from './http.ts';

// A plain connection to a server, for protocols that are lines of text.

/** Resolves when the system has taken it all. */
export function written(socket: net.Socket, texts: readonly Uint8Array[]): Promise<void> {
  return new Promise((resolve, reject) => {
    if (texts.length === 0) resolve();
    const gone = () => reject(new Error('it is closed'));
    socket.once('close', gone);
    socket.cork();
    texts.forEach((text, i) => {
      socket.write(text, (error) => {
        if (error) reject(error);
        else if (i === texts.length - 1) {
          socket.off('close', gone);
          resolve();
        }
      });
    });
    socket.uncork();
  });
}

/**
 * A connection that is up, without delay.
 * @throws AppError `host-not-found`, `connection-refused`, `connection-timeout`, `tls-…`, `connection-lost`, `cancelled`
 */
export async function connectSocket(server: HttpServer, signal: AbortSignal): Promise<net.Socket> {
  if (signal.aborted) throw cancelled();
  const { host, port, tlsMode } = server;
  const place = { host, port };
  const encrypted = tlsMode !== 'disable';
  const socket = encrypted
    ? tls.connect({ host, port, ...(await tlsOptions(server)) })
    : net.connect({ host, port });
  return new Promise((resolve, reject) => {
    const late = () => socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
    const timer = setTimeout(late, patienceMs);
    const abort = () => socket.destroy();
    const settle = (done: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.off('error', failed).off('close', closed);
      done();
    };
    const failed = (error: Error) =>
      settle(() => reject(signal.aborted ? cancelled() : connectError(error, place, encrypted)));
    const closed = () => settle(() => reject(signal.aborted ? cancelled() : lost(place, 'it ended at once')));
    signal.addEventListener('abort', abort, { once: true });
    socket.once('error', failed).once('close', closed);
    socket.once(encrypted ? 'secureConnect' : 'connect', () => {
      socket.setNoDelay(true);
      settle(() => resolve(socket));
    });
  });
}

/** Ends a connection once all is sent, and by force where the other side does not end it too. */
export async function endSocket(socket: net.Socket): Promise<void> {
  if (socket.destroyed) return;
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const timer = setTimeout(() => socket.destroy(), patienceMs);
  socket.end();
  await gone;
  clearTimeout(timer);
}
