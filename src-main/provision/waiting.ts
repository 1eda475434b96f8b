import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, cancelled, toAppError } from '../../src-shared/errors.ts';

/** How long a host may be away: a cable that is put back, a restart by somebody else. */
const patienceMs = 180_000;
/** Slower than sshd's limit for tries that come to nothing. */
const pauseMs = 5_000;
const away = ['connection-lost', 'connection-refused', 'connection-timeout'];

/**
 * Tries again while the host is away. Only for what may be done twice.
 * @throws AppError the last one when it stays away, any other at once
 */
export async function patient<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  const end = Date.now() + patienceMs;
  for (;;) {
    try {
      return await act();
    } catch (thrown) {
      const error = toAppError(thrown);
      if (!away.includes(error.code) || Date.now() > end) throw error;
      await pause(pauseMs, signal);
    }
  }
}

const lockPatienceMs = 15 * 60_000;
const lockPauseMs = 2_000;

/** @throws AppError `connection-timeout` after a quarter of an hour, `cancelled` */
export async function waitUntil(
  signal: AbortSignal,
  what: string,
  holds: () => Promise<boolean>,
): Promise<void> {
  const end = Date.now() + lockPatienceMs;
  while (!(await holds())) {
    if (Date.now() > end) {
      throw new AppError({ code: 'connection-timeout', message: `Waited in vain for ${what}` });
    }
    await pause(lockPauseMs, signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? cancelled() : error;
  }
}
