/**
 * The 607 words that Go's `math/rand` mixes into every seed, derived from first principles.
 *
 * Source: Mitchell & Reeds' additive lagged Fibonacci generator z[k+607] = z[k] + z[k+334] (mod 2^64), seeded plainly from
 * Lehmer's x ← 48271·x mod (2^31 − 1) and run for 7.8·10^12 steps. Instead of running it, t^N is computed modulo
 * t^607 − t^334 − 1 by square and multiply; its coefficients are the weights of the first 607 words in the N-th and later ones.
 */
export const words = 607;
const lag = 273;
const steps = 7_800_000_000_000;

/** One step of Lehmer's generator; the product stays below 2^53. */
export function lehmer(x: number): number {
  return (48271 * x) % 0x7fffffff;
}

/** Hex digits a coefficient takes in the big number: 607 products of 64-bit words stay below 2^138. */
const slot = 36;

function pack(coefficients: BigUint64Array): bigint {
  const digits: string[] = [];
  for (let i = coefficients.length - 1; i >= 0; i--)
    digits.push((coefficients[i] ?? 0n).toString(16).padStart(slot, '0'));
  return BigInt(`0x${digits.join('')}`);
}

/** Product of two polynomials, coefficients mod 2^64, through one product of two big numbers (Kronecker substitution). */
function multiply(a: BigUint64Array, b: BigUint64Array): BigUint64Array {
  const size = a.length + b.length - 1;
  const digits = (pack(a) * pack(b)).toString(16).padStart(size * slot, '0');
  return BigUint64Array.from({ length: size }, (_, i) => {
    const end = (size - i) * slot;
    return BigInt(`0x${digits.slice(end - 16, end)}`);
  });
}

/** Modulo t^607 − t^334 − 1. */
function reduce(product: BigUint64Array): BigUint64Array {
  for (let d = product.length - 1; d >= words; d--) {
    const c = product[d] ?? 0n;
    product[d - lag] = (product[d - lag] ?? 0n) + c;
    product[d - words] = (product[d - words] ?? 0n) + c;
  }
  return product.slice(0, words);
}

/** Coefficients of t^exponent modulo t^607 − t^334 − 1. */
function powerOfT(exponent: number): BigUint64Array {
  const t = BigUint64Array.of(0n, 1n);
  let power: BigUint64Array = BigUint64Array.of(1n);
  for (const bit of exponent.toString(2)) {
    power = reduce(multiply(power, power));
    if (bit === '1') power = reduce(multiply(power, t));
  }
  return power;
}

/** z[0], z[1], … of the plain seeding with 1. Slot (334 − n) mod 607 of Go's array plays the part of y[n] = z[n + 606]. */
function plainlySeeded(count: number): BigUint64Array {
  let x = 1;
  for (let i = 0; i < 20; i++) x = lehmer(x);
  const z = new BigUint64Array(count);
  for (let i = 0; i < words; i++) {
    const a = lehmer(x);
    const b = lehmer(a);
    x = lehmer(b);
    z[timeOfSlot(i)] = (BigInt(a) << 20n) ^ (BigInt(b) << 10n) ^ BigInt(x);
  }
  for (let k = words; k < count; k++) z[k] = (z[k - words] ?? 0n) + (z[k - lag] ?? 0n);
  return z;
}

/** Position, in order of age (0 is the oldest of 607 words), of slot `i` of Go's state array when it is seeded. */
export function timeOfSlot(i: number): number {
  const feed = words - lag;
  return i < feed ? feed - 1 - i : feed - 1 - i + words;
}

let derived: BigUint64Array | undefined;

/** The table in Go's slot order. Derived once a process (some 0.1 s), then kept. */
export function seedTable(): BigUint64Array {
  derived ??= derive();
  return derived;
}

function derive(): BigUint64Array {
  const weights = powerOfT(steps);
  const z = plainlySeeded(2 * words - 1);
  // Σ weights[j]·z[j + i] is coefficient 606 + i of the product with the weights reversed.
  const product = multiply(weights.slice().reverse(), z);
  const table = new BigUint64Array(words);
  for (let i = 0; i < words; i++) {
    // Word N + i of the sequence is y[n] with n = N + i − 606.
    const n = steps + i - (words - 1);
    table[(((words - lag - n) % words) + words) % words] = product[words - 1 + i] ?? 0n;
  }
  return table;
}
