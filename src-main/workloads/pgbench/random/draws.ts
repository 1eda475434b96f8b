import type { Int64 } from '../int64.ts';
import { addInt, normalInt, subtractInt } from '../int64.ts';
import type { Xoroshiro } from './xoroshiro.ts';

/**
 * pgbench's random functions. `from` and `to` are both included, `from` ≤ `to`, and to − from + 1 fits 63 bits; what the
 * parameters may be is checked by the callers.
 */

export function uniform(random: Xoroshiro, from: Int64, to: Int64): Int64 {
  const span = subtractInt(to, from);
  if (typeof span === 'number') return addInt(from, random.upTo(span));
  return normalInt(BigInt(from) + random.upToBig(span));
}

/** @param parameter above 0: the density at the end of the range is exp(−parameter) of that at its start */
export function exponential(random: Xoroshiro, from: Int64, to: Int64, parameter: number): Int64 {
  const cut = Math.exp(-parameter);
  const u = 1 - random.double();
  return placed(from, to, -Math.log(cut + (1 - cut) * u) / parameter);
}

/** Box–Muller, drawn again outside [−parameter, parameter). @param parameter at least 2 */
export function gaussian(random: Xoroshiro, from: Int64, to: Int64, parameter: number): Int64 {
  let z: number;
  do {
    const u1 = 1 - random.double();
    const u2 = 1 - random.double();
    z = Math.sqrt(-2 * Math.log(u1)) * Math.sin(2 * Math.PI * u2);
  } while (z < -parameter || z >= parameter);
  return placed(from, to, (z + parameter) / (parameter * 2));
}

/** Rejection after Devroye, Non-Uniform Random Variate Generation (1986), p. 550. @param s 1.001 to 1000 */
export function zipfian(random: Xoroshiro, from: Int64, to: Int64, s: number): Int64 {
  const n = sizeOf(from, to);
  if (n <= 1) return from;
  const b = 2 ** (s - 1);
  for (;;) {
    const u = random.double();
    const v = random.double();
    const x = Math.floor(u ** (-1 / (s - 1)));
    const t = (1 + 1 / x) ** (s - 1);
    if ((v * x * (t - 1)) / (b - 1) <= t / b && x <= n)
      return Number.isSafeInteger(x) ? addInt(from, x - 1) : normalInt(BigInt(from) + BigInt(x) - 1n);
  }
}

/** from + ⌊r · size⌋, r in [0, 1). */
function placed(from: Int64, to: Int64, r: number): Int64 {
  const offset = Math.trunc(sizeOf(from, to) * r);
  return Number.isSafeInteger(offset) ? addInt(from, offset) : normalInt(BigInt(from) + BigInt(offset));
}

/** to − from + 1, rounded to a double only once. */
function sizeOf(from: Int64, to: Int64): number {
  return Number(addInt(subtractInt(to, from), 1));
}
