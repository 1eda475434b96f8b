/**
 * A thread's share of a Poisson process, as pgbench's `-R` and sysbench's `--rate` have it: gaps are drawn from the
 * exponential distribution, rounded to whole microseconds. The clock never waits for what is late, so that a backlog is
 * worked off as fast as it goes. Several threads together are again a Poisson process, of the sum of their rates.
 */
export class Arrivals {
  readonly #meanUs: number;
  #state: number;
  #atNs: number;

  /**
   * @param perSecond of this thread
   * @param startNs when the clock starts; the first arrival is a gap later
   */
  constructor(perSecond: number, startNs: number, seed: number, thread: number) {
    this.#meanUs = 1e6 / perSecond;
    this.#atNs = startNs;
    this.#state = (Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul(thread + 1, 0x85ebca6b)) | 0;
  }

  /** The next arrival, on the clock of `startNs`. */
  next(): number {
    this.#atNs += Math.floor(-Math.log(1 - this.#uniform()) * this.#meanUs + 0.5) * 1000;
    return this.#atNs;
  }

  /** Arrivals to be expected since the last one that was taken: those that nobody is free for. */
  waiting(nowNs: number): number {
    return Math.max(0, Math.floor((nowNs - this.#atNs) / 1000 / this.#meanUs));
  }

  /** Mulberry32, twice for 53 bits: in [0, 1). */
  #uniform(): number {
    return (this.#bits() * 2 ** 21 + (this.#bits() >>> 11)) / 2 ** 53;
  }
  #bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }
}
