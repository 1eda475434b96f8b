import type { GoRandom } from './goRandom.ts';

/** Random walks with steps N(0, 1) between 0 and an upper bound, all the same. */
export class BoundedWalks {
  readonly values: Float64Array;
  readonly #steps: Float64Array;
  readonly #highest: number;

  constructor(count: number, highest: number) {
    this.values = new Float64Array(count);
    this.#steps = new Float64Array(Math.min(count, 4096));
    this.#highest = highest;
  }

  /** Draws where the walks from `from` up to `to` begin. */
  begin(random: GoRandom, from: number, to: number): void {
    for (let i = from; i < to; i++) this.values[i] = random.float64() * this.#highest;
  }

  /** One step of each, in order. */
  tick(random: GoRandom): void {
    const { values } = this;
    const steps = this.#steps;
    const highest = this.#highest;
    for (let start = 0; start < values.length; start += steps.length) {
      const count = Math.min(steps.length, values.length - start);
      random.fillNormal(steps, count);
      for (let i = 0; i < count; i++) {
        const next = (values[start + i] as number) + (steps[i] as number);
        values[start + i] = Math.min(highest, Math.max(0, next));
      }
    }
  }
}
