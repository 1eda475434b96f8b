import { nowNs } from './clock.ts';
import { Metronome } from './metronome.ts';

/** Waits for points in time to some tens of microseconds, of any number of workers in a thread. */
export class Pacer {
  readonly #stopping: AbortSignal;
  /** In the order of their times. */
  readonly #waiting: { atNs: number; resolve: (come: boolean) => void }[] = [];
  #metronome: Metronome | null = null;

  /** @param stopping ends all waiting, now and later */
  constructor(stopping: AbortSignal) {
    this.#stopping = stopping;
    stopping.addEventListener('abort', () => {
      for (const { resolve } of this.#waiting.splice(0)) resolve(false);
    });
  }

  /** Never resolves early. @returns false when it was ended instead */
  until(atNs: number): Promise<boolean> {
    if (this.#stopping.aborted) return Promise.resolve(false);
    if (nowNs() >= atNs) return Promise.resolve(true);
    return new Promise((resolve) => {
      const later = this.#waiting.findIndex((other) => other.atNs > atNs);
      this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, { atNs, resolve });
      if (this.#waiting[0]?.atNs === atNs) this.#arm();
    });
  }

  /** Lets those begin whose time has come: cheaper and sooner than the thread that ticks, for whoever is awake anyway. */
  look(now: number): void {
    const next = this.#waiting[0];
    if (next !== undefined && next.atNs <= now) this.#release(now);
  }

  async close(): Promise<void> {
    await this.#metronome?.close();
  }

  #arm(): void {
    const next = this.#waiting[0];
    if (next === undefined) return;
    this.#metronome ??= new Metronome(() => this.#release(nowNs()));
    this.#metronome.set(next.atNs);
  }

  #release(now: number): void {
    const due = this.#waiting.findIndex(({ atNs }) => atNs > now);
    for (const { resolve } of this.#waiting.splice(0, due < 0 ? this.#waiting.length : due)) resolve(true);
    this.#arm();
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
