import { setTimeout as pause } from 'node:timers/promises';
import { cancelled } from '../../../src-shared/errors.ts';

const firstMs = 50;
const longestMs = 2000;
/** A server may ask for longer pauses, up to this. */
const longestAskedMs = 10_000;

/** Pauses between two tries of one batch: each twice as long as the one before, until the time for it is over. */
export class BackOff {
  readonly #deadline: number;
  #nextMs = firstMs;

  constructor(forMs: number) {
    this.#deadline = performance.now() + forMs;
  }

  /** Whether the time is over. */
  get over(): boolean {
    return performance.now() + this.#nextMs >= this.#deadline;
  }

  /** @param askedMs what the server has asked for */
  async pause(askedMs: number | null, signal: AbortSignal): Promise<void> {
    const ms = Math.max(this.#nextMs, Math.min(askedMs ?? 0, longestAskedMs));
    this.#nextMs = Math.min(this.#nextMs * 2, longestMs);
    await pause(ms, undefined, { signal }).catch(() => {
      throw cancelled();
    });
  }
}
