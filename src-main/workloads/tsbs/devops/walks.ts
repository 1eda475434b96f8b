import type { GoRandom } from '../random/goRandom.ts';

/** A random walk: each step is drawn from a normal distribution and added. */
export interface Walk {
  mean: number;
  deviation: number;
  low: number;
  high: number;
  start: number;
  /** Adds the step's size, whatever its sign. */
  rising: boolean;
}

const unbounded = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, start: 0 };

/** TSBS's monotonic walk with steps N(mean, 1), from 0. */
export const rising = (mean: number): Walk => ({ ...unbounded, mean, deviation: 1, rising: true });
/** TSBS's walk without bounds, steps N(mean, 1), from 0. */
export const free = (mean: number): Walk => ({ ...unbounded, mean, deviation: 1, rising: false });
/** TSBS's clamped walk with steps N(mean, 1). */
export const clamped = (mean: number, low: number, high: number, start: number): Walk => ({
  ...{ mean, deviation: 1, low, high, start },
  rising: false,
});

/** The walks of all hosts: the same ones for each, of which some may have bounds and steps of the host's own. */
export class Walks {
  readonly values: Float64Array;
  readonly #walks: readonly Walk[];
  /** Walks whose deviation and upper bound are the host's. */
  readonly #owned: { first: number; count: number };
  readonly #bounds: Float64Array;
  readonly #steps: Float64Array;

  /** @param owned a run of the walks whose upper bound is the host's, and whose deviation is a 64th of it */
  constructor(hosts: number, walks: readonly Walk[], owned: { first: number; count: number }) {
    this.#walks = walks;
    this.#owned = owned;
    this.#bounds = new Float64Array(hosts);
    this.#steps = new Float64Array(walks.length);
    this.values = new Float64Array(hosts * walks.length);
    for (let host = 0; host < hosts; host++)
      for (let i = 0; i < walks.length; i++) this.values[host * walks.length + i] = walks[i]?.start ?? 0;
  }

  get perHost(): number {
    return this.#walks.length;
  }

  bound(host: number, high: number): void {
    this.#bounds[host] = high;
  }

  /** One step of every walk of every host, in order; one normal number each. */
  tick(random: GoRandom): void {
    const walks = this.#walks;
    const values = this.values;
    const steps = this.#steps;
    const count = walks.length;
    const { first, count: owned } = this.#owned;
    for (let host = 0; host < this.#bounds.length; host++) {
      const bound = this.#bounds[host] as number;
      random.fillNormal(steps, count);
      for (let i = 0; i < count; i++) {
        const walk = walks[i] as Walk;
        const own = i >= first && i < first + owned;
        const step = (steps[i] as number) * (own ? bound / 64 : walk.deviation) + walk.mean;
        const at = host * count + i;
        const next = (values[at] as number) + (walk.rising ? Math.abs(step) : step);
        const high = own ? bound : walk.high;
        values[at] = Math.min(high, Math.max(walk.low, next));
      }
    }
  }
}
