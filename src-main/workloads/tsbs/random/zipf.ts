import type { GoRandom } from './goRandom.ts';
import { goLog } from './log.ts';

/**
 * Whole numbers k from 0 to `most` with a likelihood proportional to (v + k)^−q, as Go's `rand.Zipf` draws them. Source: W.
 * Hörmann and G. Derflinger, "Rejection-Inversion to Generate Variates from Monotone Discrete Distributions", 1996.
 *
 * Go's own `exp` may differ from the engine's in the last bit; that changes a draw only where it falls within 10^−14 of the
 * border between two numbers.
 */
export class Zipf {
  readonly #random: GoRandom;
  readonly #q: number;
  readonly #v: number;
  readonly #top: number;
  readonly #span: number;
  readonly #squeeze: number;

  /** @param q over 1. @param v at least 1 */
  constructor(random: GoRandom, q: number, v: number, most: number) {
    this.#random = random;
    this.#q = q;
    this.#v = v;
    this.#top = this.#integral(most + 0.5);
    this.#span = this.#integral(0.5) - Math.exp(goLog(v) * -q) - this.#top;
    this.#squeeze = 1 - this.#inverse(this.#integral(1.5) - Math.exp(-q * goLog(v + 1)));
  }

  next(): number {
    for (;;) {
      const u = this.#top + this.#random.float64() * this.#span;
      const x = this.#inverse(u);
      const k = Math.floor(x + 0.5);
      if (k - x <= this.#squeeze) return k;
      if (u >= this.#integral(k + 0.5) - Math.exp(-goLog(k + this.#v) * this.#q)) return k;
    }
  }

  /** Of (v + x)^−q, up to a constant. */
  #integral(x: number): number {
    const rest = 1 - this.#q;
    return Math.exp(rest * goLog(this.#v + x)) * (1 / rest);
  }

  #inverse(y: number): number {
    const rest = 1 - this.#q;
    return Math.exp((1 / rest) * goLog(rest * y)) - this.#v;
  }
}
