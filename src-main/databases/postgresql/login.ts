import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import pg from 'pg';
import { z } from 'zod';
import { AppError, cancelled } from '../../../src-shared/errors.ts';
import type { Dialled } from './connection.ts';
import { type Dial, dial, guarded, patienceMs, placeOf, type TakeOver } from './dial.ts';
import { connectionLost, notPostgresql, serverError } from './errors.ts';

/** A connection that has logged in. */
export interface Login {
  client: pg.Client;
  socket: Socket;
  takeOver: TakeOver;
  /** What a cancel request needs. */
  key: { processID: number; secretKey: number };
}

const keySchema = z.object({ processID: z.int(), secretKey: z.int() });

/**
 * Connects and logs in. `prefer` tries once more without TLS where the server lets nobody in with it, as libpq does.
 * @param application name that the server shows the session by
 * @throws AppError, see `dial`; and `wrong-password`, `password-needed`, `no-database`, `no-permission`, `tls-required`
 */
export async function login(
  target: Dialled,
  database: string,
  signal: AbortSignal,
  application = 'benchberry',
): Promise<Login> {
  const line = await dial(target, signal);
  try {
    return await authenticate(line, target, database, signal, application);
  } catch (error) {
    line.socket.destroy();
    const shutOut = error instanceof AppError && error.code === 'no-permission';
    if (!shutOut || !line.encrypted || target.tlsMode !== 'prefer') throw error;
  }
  const second = await dial({ ...target, tlsMode: 'disable' }, signal);
  try {
    return await authenticate(second, target, database, signal, application);
  } catch (error) {
    second.socket.destroy();
    throw error;
  }
}

async function authenticate(
  line: Dial,
  target: Dialled,
  database: string,
  signal: AbortSignal,
  application: string,
): Promise<Login> {
  const { socket } = line;
  const place = placeOf(target, database);
  // pg dials by itself; this socket is connected already, so its connect() only says so
  socket.connect = () => {
    queueMicrotask(() => socket.emit('connect'));
    return socket;
  };
  const client = new pg.Client({
    stream: () => socket,
    ssl: false,
    host: target.host,
    port: target.port,
    user: target.user,
    database,
    application_name: application,
    client_encoding: 'UTF8',
    password: () => {
      if (target.password !== null) return target.password;
      throw new AppError({
        code: 'password-needed',
        message: 'The server asks for a password and none is known',
        place,
        hint: 'Enter the password of this user.',
        secret: 'database',
      });
    },
  });
  // errors outside a statement (the server ends an idle connection) show at the next statement
  client.on('error', () => undefined);

  let heard = false;
  let strange: AppError | null = null;
  const timer = setTimeout(() => {
    strange = heard
      ? connectionLost(place, `the login took over ${patienceMs / 1000} s`)
      : notPostgresql(place, `it accepted the connection and stayed silent for ${patienceMs / 1000} s`);
    socket.destroy(strange);
  }, patienceMs);
  const abort = () => socket.destroy(cancelled());
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    const connecting = client.connect();
    guardListener(socket, target);
    socket.prependOnceListener('data', (chunk: Buffer) => {
      heard = true;
      // the first answer is an authentication request, an error, or a protocol offer
      if ('REv'.includes(String.fromCharCode(chunk[0] ?? 0))) return;
      strange = notPostgresql(place, `it answered ${JSON.stringify(chunk.toString('latin1', 0, 60))}`);
      socket.destroy(strange);
    });
    await connecting;
    return { client, socket, takeOver: line.takeOver, key: keySchema.parse(client) };
  } catch (error) {
    if (signal.aborted) throw cancelled();
    if (strange !== null) throw strange;
    if (!heard) throw notPostgresql(place, 'it closed the connection without an answer');
    throw loginError(error, line, target, database);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** pg has just begun to listen, as the only one. */
function guardListener(socket: Socket, target: Dialled): void {
  const [listener, ...more] = socket.listeners('data');
  if (listener === undefined || more.length > 0) throw new Error('pg does not listen, or not alone');
  socket.removeAllListeners('data');
  socket.on(
    'data',
    guarded(socket, target, (chunk) => void Reflect.apply(listener, socket, [chunk])),
  );
}

function loginError(error: unknown, line: Dial, target: Dialled, database: string): AppError {
  const place = placeOf(target, database);
  if (error instanceof AppError) return error;
  if (error instanceof pg.DatabaseError) {
    const wantsTls = error.code === '28000' && /no encryption|SSL off/.test(error.message);
    if (wantsTls && !line.encrypted && target.tlsMode === 'disable') {
      return new AppError({
        code: 'tls-required',
        message: 'The server does not take unencrypted connections from here',
        place,
        detail: error.message,
        hint: 'Set TLS to “Encrypted if the server can” or stricter.',
      });
    }
    return serverError(error, place);
  }
  return connectionLost(place, error instanceof Error ? error.message : String(error));
}

/** The cipher in the words of this computer's TLS library; null where the connection is not encrypted. */
export function cipherOf(socket: Socket): string | null {
  if (!(socket instanceof TLSSocket)) return null;
  return `${socket.getProtocol() ?? 'TLS'} ${socket.getCipher().standardName}`;
}

/** Asks the server to stop what this connection is doing; resolves when the request is delivered. */
export async function cancelStatement(target: Dialled, key: Login['key']): Promise<void> {
  const { socket } = await dial(target, AbortSignal.timeout(patienceMs));
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(80_877_102, 4);
  request.writeInt32BE(key.processID, 8);
  request.writeInt32BE(key.secretKey, 12);
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
    socket.resume();
    socket.end(request);
  });
}
