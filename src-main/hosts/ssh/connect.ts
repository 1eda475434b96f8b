import { connect as connectTcp, type Socket } from 'node:net';
import ssh2, { type AuthenticationType, type Client } from 'ssh2';
import { AppError, cancelled } from '../../../src-shared/errors.ts';
import type { Credentials } from './credentials.ts';
import type { Endpoint } from './endpoint.ts';
import { connectionError, lostError } from './failures.ts';

/** One SSH connection, signed in. */
export interface Connection {
  readonly client: Client;
  /** Aborted with an AppError as its reason as soon as the connection is gone. */
  readonly ended: AbortSignal;
  close(): Promise<void>;
}

export interface ConnectOptions {
  endpoint: Endpoint;
  /** Sees the host's key in wire form before anything is said; what it throws ends the attempt. */
  verify(key: Buffer): void;
  /** null: hang up after the key was seen. */
  credentials: Credentials | null;
  /** Types of host keys to ask for first. */
  preferredKeyTypes: readonly string[];
  signal: AbortSignal;
}

const connectTimeoutMs = 15_000;
/** A Pi 1 to 3 under load takes its time for the key exchange. */
const handshakeTimeoutMs = 40_000;
/** Notices a pulled cable after 40 s. */
const keepalive = { keepaliveInterval: 10_000, keepaliveCountMax: 3 };

/**
 * @throws AppError `host-not-found`, `connection-refused`, `connection-timeout`, `connection-lost`, `wrong-password`,
 *   `sign-in-refused`, `cancelled`, or what `verify` throws
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { endpoint, signal, credentials } = options;
  if (signal.aborted) throw cancelled();
  const socket = await openSocket(endpoint, signal);
  const client = new ssh2.Client();
  const ended = new AbortController();
  return new Promise<Connection>((resolve, reject) => {
    let failure: AppError | null = null;
    const seen = { password: false, methods: [] as readonly AuthenticationType[] };
    const fail = (error: AppError) => {
      failure ??= error;
      client.destroy();
    };
    const abort = () => fail(cancelled());
    signal.addEventListener('abort', abort, { once: true });
    client.on('error', (error) => {
      failure ??= connectionError(error, endpoint, seen);
    });
    client.on('close', () => {
      signal.removeEventListener('abort', abort);
      const reason = failure ?? lostError(endpoint);
      reject(reason); // of no effect once it was up
      ended.abort(reason);
    });
    client.on('ready', () => {
      signal.removeEventListener('abort', abort);
      resolve({ client, ended: ended.signal, close: () => close(client, ended.signal) });
    });
    try {
      client.connect({
        sock: socket,
        username: endpoint.user,
        readyTimeout: handshakeTimeoutMs,
        ...keepalive,
        algorithms: { serverHostKey: preferring(options.preferredKeyTypes) },
        hostVerifier: (key: Buffer) => {
          try {
            options.verify(key);
            return true;
          } catch (error) {
            failure = error instanceof AppError ? error : connectionError(error, endpoint, seen);
            return false;
          }
        },
        authHandler: (left: readonly AuthenticationType[] | null, _partial, next) => {
          if (left === null) return next({ type: 'none', username: endpoint.user });
          seen.methods = left;
          const method = credentials?.(left) ?? null;
          if (method === null) return false;
          seen.password = method.type === 'password' || method.type === 'keyboard-interactive';
          next(method);
        },
      });
    } catch (error) {
      fail(connectionError(error, endpoint, seen));
    }
  });
}

/** A socket of our own: a name that is resolved anew each time, a limit of time, and a way to stop. */
function openSocket(endpoint: Endpoint, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host: endpoint.host, port: endpoint.port, noDelay: true });
    const settle = (error: unknown) => {
      socket.removeAllListeners();
      socket.setTimeout(0);
      signal.removeEventListener('abort', abort);
      if (error === null) return resolve(socket);
      socket.on('error', () => socket.destroy()); // already told
      socket.destroy();
      reject(error instanceof AppError ? error : connectionError(error, endpoint));
    };
    const abort = () => settle(cancelled());
    signal.addEventListener('abort', abort, { once: true });
    socket.setTimeout(connectTimeoutMs, () =>
      settle(
        Object.assign(new Error(`no answer within ${connectTimeoutMs / 1000} s`), { code: 'ETIMEDOUT' }),
      ),
    );
    socket.once('connect', () => settle(null));
    socket.once('error', settle);
  });
}

function close(client: Client, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (ended.aborted) return resolve();
    ended.addEventListener('abort', () => resolve(), { once: true });
    client.end();
    // A peer that is gone never answers the goodbye.
    setTimeout(() => client.destroy(), 2000).unref();
  });
}

/** The negotiation takes the first common one, so a known type must come first: OpenSSH does the same. */
function preferring(types: readonly string[]) {
  const algorithms = types.flatMap((type) =>
    type === 'ssh-rsa' ? ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'] : [type],
  );
  const known = algorithms.filter((a): a is (typeof hostKeyAlgorithms)[number] =>
    hostKeyAlgorithms.some((h) => h === a),
  );
  return { append: [], remove: known, prepend: known };
}

const hostKeyAlgorithms = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
] as const;
