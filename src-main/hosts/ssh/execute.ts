import { constants } from 'node:os';
import { StringDecoder } from 'node:string_decoder';
import type { ClientChannel } from 'ssh2';
import { AppError, cancelled, toAppError } from '../../../src-shared/errors.ts';
import type { RemoteResult } from '../remote.ts';
import type { Connection } from './connect.ts';
import type { Sudo } from './sudo.ts';
import { terminate } from './terminate.ts';

export interface Execution {
  /** What the login shell is given. */
  command: string;
  /** Written once the command itself runs, then standard input is closed. */
  input: string;
  /** Present when the command begins by asking for root. */
  sudo: Sudo | null;
  /** Standard output as it comes; it is kept and returned as well when `keep` is set. */
  onStdout(text: string): void;
  onStderr(text: string): void;
  keep: boolean;
  signal: AbortSignal | undefined;
  timeoutMs: number | undefined;
}

/** More than this is no answer to anything that is asked here; who wants more reads a stream. */
const mostOutput = 64 * 1024 * 1024;
/** How long a program that was told to end may take for it. apt and dpkg are never killed. */
const patienceMs = 10_000;
/** sudo may be slow (a name that does not resolve), but a question of its own that nobody hears would last for ever. */
const sudoMs = 60_000;

/**
 * Runs one command in a channel of its own, without a terminal.
 * @throws AppError `connection-lost`, `cancelled`, `connection-timeout` when the time given is over, and what sudo says
 */
export async function execute(connection: Connection, request: Execution): Promise<RemoteResult> {
  const { signal, sudo } = request;
  if (connection.ended.aborted) throw toAppError(connection.ended.reason);
  if (signal?.aborted) throw cancelled();
  const channel = await openChannel(connection, request.command);
  return new Promise((resolve, reject) => {
    const out = collector(request.onStdout, request.keep);
    const err = collector(request.onStderr, true);
    let failure: AppError | null = null;
    let patience: NodeJS.Timeout | undefined;
    const finish = (act: () => void) => {
      clearTimeout(patience);
      clearTimeout(limit);
      clearTimeout(silence);
      signal?.removeEventListener('abort', onAbort);
      connection.ended.removeEventListener('abort', onLost);
      act();
    };
    const stop = (error: AppError) => {
      if (failure !== null) return;
      failure = error;
      terminate(connection.client, channel);
      channel.end();
      patience = setTimeout(() => {
        channel.close();
        finish(() => reject(error));
      }, patienceMs);
    };
    const onAbort = () => stop(cancelled());
    const onLost = () => finish(() => reject(toAppError(connection.ended.reason)));
    const limit =
      request.timeoutMs === undefined
        ? undefined
        : setTimeout(() => stop(tooLong(request.timeoutMs ?? 0)), request.timeoutMs);
    const silence = setTimeout(() => {
      if (sudo?.begun() === false) stop(sudo.silent());
    }, sudoMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    connection.ended.addEventListener('abort', onLost, { once: true });
    if (connection.ended.aborted) return onLost();
    if (signal?.aborted) onAbort(); // while the channel was being opened

    channel.on('data', (data: Buffer) => {
      if (out.add(data) > mostOutput) stop(tooMuch());
    });
    channel.stderr.on('data', (data: Buffer) => {
      const rest = sudo === null ? data : sudo.read(data, channel, request.input);
      if (rest.length > 0 && err.add(rest) > mostOutput) stop(tooMuch());
    });
    channel.on('close', (code: number | null | undefined, name: string | undefined) => {
      if (failure !== null) return finish(() => reject(failure));
      if (code === undefined) {
        // The channel goes down with its connection, whose end is told in a moment; if not, nobody knows how it ended.
        patience = setTimeout(() => finish(() => reject(endUnknown())), patienceMs);
        return;
      }
      const result = { code: code ?? signalCode(name), stdout: out.end(), stderr: err.end() };
      finish(() => {
        const refusal = sudo?.refusal(result.code) ?? null;
        if (refusal === null) resolve(result);
        else reject(refusal);
      });
    });
    if (sudo === null) channel.end(request.input);
  });
}

function openChannel(connection: Connection, command: string): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    const onLost = () => reject(toAppError(connection.ended.reason));
    connection.ended.addEventListener('abort', onLost, { once: true });
    connection.client.exec(command, (error, channel) => {
      connection.ended.removeEventListener('abort', onLost);
      if (error === undefined) return resolve(channel);
      const detail = error.message;
      reject(
        connection.ended.aborted
          ? toAppError(connection.ended.reason)
          : new AppError({ code: 'connection-lost', message: 'The host refuses to run a command', detail }),
      );
    });
  });
}

/** Text in pieces whose ends may lie inside a character. */
function collector(tell: (text: string) => void, keep: boolean) {
  const decoder = new StringDecoder('utf8');
  const parts: string[] = [];
  let size = 0;
  const take = (text: string) => {
    if (text === '') return;
    if (keep) parts.push(text);
    tell(text);
  };
  return {
    add(data: Buffer): number {
      size += data.length;
      take(decoder.write(data));
      return keep ? size : 0;
    },
    end(): string {
      take(decoder.end());
      return parts.join('');
    },
  };
}

/** As a shell counts it: 128 and the signal's number. */
function signalCode(name: string | undefined): number {
  const number = Object.entries(constants.signals).find(([key]) => key === name)?.[1];
  return 128 + (number ?? 0);
}

function endUnknown(): AppError {
  return new AppError({
    code: 'connection-lost',
    message: 'A command on the host ended, and the host did not say how',
  });
}

function tooLong(ms: number): AppError {
  return new AppError({
    code: 'connection-timeout',
    message: `A command on the host did not end within ${ms / 1000} s`,
  });
}

function tooMuch(): AppError {
  return new AppError({
    code: 'unsupported',
    message: `A command on the host printed more than ${mostOutput / 1024 / 1024} MB`,
  });
}
