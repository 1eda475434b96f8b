import { readFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { AppError, cancelled, type ErrorPlace } from '../../../src-shared/errors.ts';
import type { Dialled } from './connection.ts';
import { connectionLost, connectionTimeout, dialError, notPostgresql, tlsError } from './errors.ts';

/** How long a host may take to answer each step, ms. */
export const patienceMs = 10_000;

/** Asks for TLS: length 8, code 80877103. */
const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

export interface Dial {
  socket: net.Socket;
  encrypted: boolean;
  takeOver: TakeOver;
}

/**
 * Gives all bytes that come from now on to `taker` instead of to listeners of `data`. A chunk's memory is used again after
 * the call.
 */
export type TakeOver = (taker: (chunk: Buffer) => void) => void;

/** Bytes read at once. */
const readBytes = 65_536;

export function placeOf(target: Dialled, database?: string): ErrorPlace {
  const place: ErrorPlace = { host: target.host };
  if (!target.host.startsWith('/')) place.port = target.port;
  if (database !== undefined) place.database = database;
  return place;
}

/**
 * Opens a socket to the server and settles whether it is encrypted, as libpq does it: `prefer` goes on unencrypted where
 * the server has no TLS or its handshake fails.
 * @throws AppError `host-not-found`, `connection-refused`, `connection-timeout`, `tls-…`, `not-postgresql`
 */
export async function dial(target: Dialled, signal: AbortSignal): Promise<Dial> {
  if (target.tlsMode === 'disable' || target.host.startsWith('/')) return dialPlain(target, signal);
  const plain = await dialPlain(target, signal);
  const { socket } = plain;
  try {
    const answer = await askForTls(socket, target, signal);
    if (answer === 'S') return encryptedDial(await encrypt(socket, target, signal), target);
  } catch (error) {
    socket.destroy();
    const handshakeFailed = error instanceof AppError && error.code === 'tls-unavailable';
    if (handshakeFailed && target.tlsMode === 'prefer') {
      return dialPlain(target, signal);
    }
    throw error;
  }
  if (target.tlsMode === 'prefer') return plain;
  socket.destroy();
  throw new AppError({
    code: 'tls-unavailable',
    message: 'The server offers no TLS',
    place: placeOf(target),
    hint: 'Switch ssl on in the server’s postgresql.conf, or switch TLS off for a network you trust.',
  });
}

/**
 * A socket that reads into one buffer, again and again: node's streams would take a new one, and four calls more, for each
 * answer, a fifth of the CPU of a short transaction. Until it is taken over it behaves like any other.
 */
async function dialPlain(target: Dialled, signal: AbortSignal): Promise<Dial> {
  const buffer = Buffer.allocUnsafeSlow(readBytes);
  let take: (chunk: Buffer) => void = (chunk) => socket.emit('data', Buffer.from(chunk));
  const callback = (bytes: number) => {
    take(buffer.subarray(0, bytes));
    return true;
  };
  const socket: net.Socket = await connect(target, signal, { buffer, callback });
  return {
    socket,
    encrypted: false,
    takeOver(taker) {
      take = guarded(socket, target, taker);
    },
  };
}

/** A socket whose bytes the library that encrypts reads. */
function encryptedDial(socket: tls.TLSSocket, target: Dialled): Dial {
  return {
    socket,
    encrypted: true,
    takeOver(taker) {
      socket.removeAllListeners('data');
      socket.on('data', guarded(socket, target, taker));
    },
  };
}

/**
 * The taker of what comes, so that what cannot be read ends this connection. It may come from anybody: without it an
 * answer with a wrong length would end the whole process.
 */
export function guarded(
  socket: net.Socket,
  target: Dialled,
  taker: (chunk: Buffer) => void,
): (chunk: Buffer) => void {
  return (chunk) => {
    try {
      taker(chunk);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      socket.destroy(connectionLost(placeOf(target), `what the server sent cannot be read: ${detail}`));
    }
  };
}

/** Waits for one of the socket's outcomes; on abort or timeout the socket is destroyed. */
function outcome<T>(
  socket: net.Socket,
  signal: AbortSignal,
  late: () => AppError,
  listen: (resolve: (value: T) => void, reject: (error: Error) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const finish = (act: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      stopListening();
      act();
    };
    const fail = (error: Error) =>
      finish(() => {
        socket.destroy();
        reject(error);
      });
    const abort = () => fail(cancelled());
    const timer = setTimeout(() => fail(late()), patienceMs);
    const stopListening = listen((value) => finish(() => resolve(value)), fail);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

function connect(target: Dialled, signal: AbortSignal, onread: net.OnReadOpts): Promise<net.Socket> {
  const { host, port } = target;
  const place = placeOf(target);
  const socket = host.startsWith('/')
    ? net.connect({ path: path.posix.join(host, `.s.PGSQL.${port}`), onread })
    : net.connect({ host, port, noDelay: true, onread });
  // a socket that is given up may still report an error after its listeners are gone
  socket.on('error', () => undefined);
  const late = () => connectionTimeout(place, `no answer within ${patienceMs / 1000} s`);
  return outcome(socket, signal, late, (resolve, reject) => {
    const connected = () => resolve(socket);
    const failed = (error: Error) => reject(dialError(error, place));
    socket.once('connect', connected).once('error', failed);
    return () => socket.off('connect', connected).off('error', failed);
  });
}

function askForTls(socket: net.Socket, target: Dialled, signal: AbortSignal): Promise<'S' | 'N'> {
  const place = placeOf(target);
  const late = () =>
    notPostgresql(place, `it accepted the connection and stayed silent for ${patienceMs / 1000} s`);
  return outcome(socket, signal, late, (resolve, reject) => {
    const answered = (data: Buffer) => {
      const text = data.toString('latin1');
      if (text === 'S' || text === 'N') resolve(text);
      else reject(notPostgresql(place, `it answered ${JSON.stringify(text.slice(0, 60))}`));
    };
    const ended = () => reject(notPostgresql(place, 'it closed the connection without an answer'));
    socket.once('data', answered).once('end', ended).once('error', ended);
    socket.write(sslRequest);
    return () => socket.off('data', answered).off('end', ended).off('error', ended);
  });
}

async function encrypt(socket: net.Socket, target: Dialled, signal: AbortSignal): Promise<tls.TLSSocket> {
  const { host, tlsMode, caFile } = target;
  const place = placeOf(target);
  const verify = tlsMode === 'verify-ca' || tlsMode === 'verify-full';
  const secured = tls.connect({
    socket,
    host,
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
    ...(verify && caFile !== '' ? { ca: await readCa(caFile) } : {}),
    rejectUnauthorized: verify,
    ...(tlsMode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  });
  secured.on('error', () => undefined);
  const late = () => tlsError(new Error(`the handshake took over ${patienceMs / 1000} s`), place);
  return outcome(secured, signal, late, (resolve, reject) => {
    const done = () => resolve(secured);
    const failed = (error: Error) => reject(tlsError(error, place));
    const ended = () => reject(tlsError(new Error('the server ended the handshake'), place));
    secured.once('secureConnect', done).once('error', failed).once('close', ended);
    return () => secured.off('secureConnect', done).off('error', failed).off('close', ended);
  });
}

async function readCa(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new AppError({
      code: 'bad-input',
      message: 'The CA certificate cannot be read',
      place: { field: 'caFile', file },
      detail: error instanceof Error ? error.message : String(error),
      hint: 'Choose a PEM file that this user can read.',
    });
  }
}
