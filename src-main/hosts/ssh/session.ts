import { cancelled, toAppError } from '../../../src-shared/errors.ts';
import type { Host, HostKey } from '../../../src-shared/model/host.ts';
import { forLoginShell } from '../quote.ts';
import type { RemoteOptions, RemoteResult } from '../remote.ts';
import { type Connection, connect } from './connect.ts';
import { gatherCredentials } from './credentials.ts';
import { resolveEndpoint } from './endpoint.ts';
import { execute } from './execute.ts';
import { preferredTypes, verifyKey } from './hostKey.ts';
import { createSudo } from './sudo.ts';

export type HostAddress = Pick<Host, 'name' | 'address' | 'port' | 'user' | 'auth'>;

export interface Access {
  /** null: none is known; the call that needs it fails with `password-needed`. Asked again at each sign-in and sudo. */
  secret(kind: 'login' | 'sudo'): Promise<string | null>;
  /** The pinned key; null leaves it to known_hosts. */
  trusted: HostKey | null;
}

/** sshd allows ten sessions for a connection, and counts one that has just ended for a moment longer. */
const mostChannels = 5;
/** sshd counts failures of an address and turns it away; slower than this it never does. */
const pauseAfterFailureMs = 2_000;
const pauseAfterRefusalMs = 10_000;

export interface Session {
  /** The connection, a new one if the last is gone. */
  connected(signal: AbortSignal | undefined): Promise<Connection>;
  run(script: string, options: Ways): Promise<RemoteResult>;
  close(): Promise<void>;
}

export interface Ways extends RemoteOptions {
  onStdout?: (text: string) => void;
  keep?: boolean;
}

/** The one connection to a host, opened when it is needed. */
export function createSession(host: HostAddress, access: Access): Session {
  let opening: Promise<Connection> | null = null;
  let current: Connection | null = null;
  let notBefore = 0;
  const life = new AbortController();
  const slots = createSlots(mostChannels);

  const open = async (): Promise<Connection> => {
    await pause(notBefore - Date.now(), life.signal);
    try {
      const endpoint = await resolveEndpoint(host);
      const credentials = await gatherCredentials(host, endpoint, () => access.secret('login'));
      current = await connect({
        endpoint,
        credentials,
        verify: (key) => verifyKey(key, access.trusted, endpoint),
        preferredKeyTypes: preferredTypes(access.trusted, endpoint),
        signal: life.signal,
      });
      return current;
    } catch (error) {
      const { code } = toAppError(error);
      const refused = code === 'wrong-password' || code === 'sign-in-refused';
      notBefore = Date.now() + (refused ? pauseAfterRefusalMs : pauseAfterFailureMs);
      throw error;
    }
  };
  const session: Session = {
    async connected(signal) {
      if (life.signal.aborted) throw cancelled('The connection was closed');
      if (current !== null && !current.ended.aborted) return current;
      opening ??= open().finally(() => {
        opening = null;
      });
      // Others may wait for the same sign-in: who gives up leaves it to them.
      return signal === undefined ? opening : orAborted(opening, signal);
    },
    async run(script, options) {
      const connection = await session.connected(options.signal);
      const asRoot = options.root === true && host.user !== 'root';
      const sudo = asRoot ? createSudo(host.user, await access.secret('sudo')) : null;
      const release = await slots.take();
      try {
        return await execute(connection, {
          command: forLoginShell(sudo === null ? script : sudo.wrap(script)),
          input: options.input ?? '',
          sudo,
          onStdout: (text) => {
            options.onStdout?.(text);
            options.onOutput?.(text);
          },
          onStderr: (text) => options.onOutput?.(text),
          keep: options.keep ?? true,
          signal: options.signal,
          timeoutMs: options.timeoutMs,
        });
      } finally {
        release();
      }
    },
    async close() {
      life.abort();
      await current?.close();
    },
  };
  return session;
}

function createSlots(free: number) {
  const waiting: (() => void)[] = [];
  return {
    async take(): Promise<() => void> {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return () => {
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      };
    },
  };
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(cancelled());
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** @throws AppError `cancelled` */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(cancelled());
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(cancelled());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
