import { AppError, toAppError } from '../../../src-shared/errors.ts';
import type { Remote } from '../remote.ts';
import { pause, type Session } from './session.ts';

/** A Pi 3 starts from its card in 40 to 90 s. */
const patienceMs = 180_000;
/** Between tries, in ms; the last goes on. A host that is still starting refuses sign-ins, and those are counted. */
const pauses = [3_000, 3_000, 5_000, 5_000, 8_000, 10_000];

/**
 * Restarts the host. That it did is proved by its boot id, not by an answer.
 * @throws AppError `no-permission`, `connection-timeout` when it does not come back, `cancelled`, what `run` throws
 */
export async function reboot(remote: Remote, session: Session, signal: AbortSignal): Promise<void> {
  const before = await bootId(remote, signal);
  const connection = await session.connected(signal);
  await order(remote, signal);
  await ended(connection.ended, signal);
  const end = Date.now() + patienceMs;
  let last: AppError | null = null;
  for (let i = 0; Date.now() < end; i++) {
    await pause(pauses[Math.min(i, pauses.length - 1)] ?? 0, signal);
    try {
      if ((await bootId(remote, signal)) !== before) return;
    } catch (error) {
      last = toAppError(error);
      // Its key changes at no restart, and an abort is an abort; all else is a host that is not up yet.
      if (['cancelled', 'host-key-changed', 'host-key-unknown', 'password-needed'].includes(last.code))
        throw error;
    }
  }
  throw new AppError({
    code: 'connection-timeout',
    message: `The host did not come back within ${patienceMs / 1000} s of its restart`,
    place: { host: remote.address },
    detail: last?.message,
    hint: 'Look at the board: does its green light blink? A cable and a screen tell more',
  });
}

async function order(remote: Remote, signal: AbortSignal): Promise<void> {
  try {
    const result = await remote.run(['systemctl', 'reboot'], { root: true, signal });
    // A signal ends the command when the host is quicker than its answer.
    if (result.code === 0 || result.code > 128) return;
    throw new AppError({
      code: 'server-error',
      message: 'The host refuses to restart',
      place: { host: remote.address },
      detail: result.stderr.trim() || `exit code ${result.code}`,
    });
  } catch (error) {
    if (toAppError(error).code !== 'connection-lost') throw error;
  }
}

async function bootId(remote: Remote, signal: AbortSignal): Promise<string> {
  return (await remote.run(['cat', '/proc/sys/kernel/random/boot_id'], { signal })).stdout.trim();
}

/** The old connection falls, by a goodbye of the host or by the keepalive. */
function ended(connection: AbortSignal, signal: AbortSignal): Promise<void> {
  const either = AbortSignal.any([connection, signal]);
  return new Promise((resolve, reject) => {
    const settle = () => (connection.aborted ? resolve() : reject(toAppError(signal.reason)));
    if (either.aborted) settle();
    else either.addEventListener('abort', settle, { once: true });
  });
}
