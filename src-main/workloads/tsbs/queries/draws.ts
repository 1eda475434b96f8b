import { fleets } from '../iot/trucks.ts';
import { GoRandom } from '../random/goRandom.ts';

/** From `begin`, included, to `end`, excluded; nanoseconds since 1970. */
export interface Window {
  begin: bigint;
  end: bigint;
}

/** What TSBS draws for its queries, from one stream for each query type. */
export class QueryDraws {
  readonly #random: GoRandom;
  readonly #scale: number;
  readonly #range: Window;

  constructor(seed: number, scale: number, range: Window) {
    this.#random = new GoRandom(seed);
    this.#scale = scale;
    this.#range = range;
  }

  /**
   * A window of that length, in nanoseconds, somewhere in the range.
   * @throws RangeError where the range is not longer than the window
   */
  window(length: bigint): Window {
    const room = this.#range.end - length - this.#range.begin;
    if (room <= 0n) throw new RangeError('the data’s time is not longer than what a query asks for');
    const begin = this.#range.begin + this.#random.bigInt63n(room);
    return { begin, end: begin + length };
  }

  fleet(): string {
    return fleets[this.#random.intn(fleets.length)] ?? '';
  }

  /**
   * Different hosts, or trucks, in the order drawn.
   * @throws RangeError where there are fewer hosts
   */
  hosts(count: number): number[] {
    if (count > this.#scale) throw new RangeError(`${count} hosts asked for, ${this.#scale} there`);
    const chosen = new Set<number>();
    while (chosen.size < count) chosen.add(this.#random.intn(this.#scale));
    return [...chosen];
  }
}
