import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { nowNs, nsPerMs } from './clock.ts';

/** A turn of the event loop that takes no longer did nothing but look at the clock. */
const idleTurnNs = 50_000;

/**
 * Waits for points in time to some µs. Timers are good to about a millisecond; the rest is spent turning the event loop,
 * which goes on serving other connections. Those turns would look like work to the event-loop utilisation, so they are
 * added up and taken off it.
 */
export class Pacer {
  #idleNs = 0;
  #turning = false;

  /** Never returns early. @returns false when the signal was aborted instead */
  async until(atNs: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const wholeMs = Math.floor((atNs - nowNs()) / nsPerMs) - 1;
    if (wholeMs > 0) {
      try {
        await sleep(wholeMs, undefined, { signal });
      } catch {
        return false; // the only way it rejects: aborted
      }
    }
    let last = nowNs();
    // One of several waiting in the same loop counts the turns they share.
    const counts = !this.#turning;
    if (counts) this.#turning = true;
    while (last < atNs && !signal.aborted) {
      await nextTurn();
      const now = nowNs();
      if (counts && now - last < idleTurnNs) this.#idleNs += now - last;
      last = now;
    }
    if (counts) this.#turning = false;
    return !signal.aborted;
  }

  /** Nanoseconds spent in idle turns since the last call. */
  takeIdleNs(): number {
    const idle = this.#idleNs;
    this.#idleNs = 0;
    return idle;
  }
}

/**
 * Seconds between the starts of a worker's batches: whole steps from `min`, below `max`, each as likely, as TSBS draws
 * them. Mulberry32; the same seed and worker give the same intervals.
 */
export function intervalDraws(
  intervals: readonly { min: number; max: number }[],
  worker: number,
  seed: number,
): () => number {
  const range = intervals[Math.min(worker, intervals.length - 1)];
  if (range === undefined) return () => 0;
  const steps = Math.max(1, Math.ceil(range.max - range.min));
  let state = (Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul(worker + 1, 0x85ebca6b)) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return range.min + Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * steps);
  };
}
