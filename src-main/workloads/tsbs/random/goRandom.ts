import { goLog } from './log.ts';
import { lehmer, seedTable, timeOfSlot, words } from './seedTable.ts';
import { accept, edge, scale, tailStart } from './ziggurat.ts';

const lag = 273;
const feed = words - lag;
const int31Max = 0x7fffffff;
const two31 = 2 ** 31;
const two32 = 2 ** 32;
const two63 = 2 ** 63;
const tailRate = 1 / tailStart;

/**
 * Go's `math/rand` (version 1): the same stream for the same seed, to the bit. 64-bit words are kept as two 32-bit halves;
 * 607 words are made at a time, in place, and then handed out.
 */
export class GoRandom {
  readonly #high = new Int32Array(words);
  readonly #low = new Int32Array(words);
  #next = words;

  /** @param seed any 64-bit integer; numbers that differ by a multiple of 2^31 − 1 give the same stream */
  constructor(seed: number | bigint) {
    let x = Number(BigInt(seed) % 0x7fffffffn);
    if (x < 0) x += int31Max;
    if (x === 0) x = 89482311;
    for (let i = 0; i < 20; i++) x = lehmer(x);
    const table = seedTable();
    for (let i = 0; i < words; i++) {
      const a = lehmer(x);
      const b = lehmer(a);
      x = lehmer(b);
      const word = BigInt.asIntN(64, (BigInt(a) << 40n) ^ (BigInt(b) << 20n) ^ BigInt(x) ^ (table[i] ?? 0n));
      this.#high[timeOfSlot(i)] = Number(word >> 32n);
      this.#low[timeOfSlot(i)] = Number(word & 0xffffffffn);
    }
  }

  /** The next 607 words: y[n] = y[n − 607] + y[n − 273]. */
  #refill(): void {
    this.#add(0, lag, feed);
    this.#add(lag, words, -lag);
    this.#next = 0;
  }

  /** Adds to each word from `from` on, up to `to`, the one that is `distance` further. */
  #add(from: number, to: number, distance: number): void {
    const high = this.#high;
    const low = this.#low;
    for (let i = from; i < to; i++) {
      const added = low[i + distance] as number;
      const sum = ((low[i] as number) + added) | 0;
      const carry = sum >>> 0 < added >>> 0 ? 1 : 0;
      low[i] = sum;
      high[i] = ((high[i] as number) + (high[i + distance] as number) + carry) | 0;
    }
  }

  /** Index of the next word in the two halves. */
  #advance(): number {
    if (this.#next === words) this.#refill();
    return this.#next++;
  }

  /** A raw word, unsigned. */
  uint64(): bigint {
    const n = this.#advance();
    return (BigInt((this.#high[n] as number) >>> 0) << 32n) | BigInt((this.#low[n] as number) >>> 0);
  }

  /** Evenly from [0, 1). */
  float64(): number {
    for (;;) {
      const n = this.#advance();
      // Both terms are exact; the sum rounds once, as Go's conversion of an int64 does.
      const x = (((this.#high[n] as number) & int31Max) * two32 + ((this.#low[n] as number) >>> 0)) / two63;
      if (x !== 1) return x;
    }
  }

  /** Evenly from [0, n), n up to 2^31 − 1. Takes the upper half of the word. */
  intn(n: number): number {
    const max = int31Max - (two31 % n);
    for (;;) {
      const x = (this.#high[this.#advance()] as number) & int31Max;
      if (x <= max) return x % n;
    }
  }

  /** Evenly from [0, n), n up to 2^21, with Go's `Int63n`: takes the whole word, another one than `intn`. */
  int63n(n: number): number {
    const surplus = ((two31 % n) * (two32 % n)) % n;
    for (;;) {
      const i = this.#advance();
      const high = (this.#high[i] as number) & int31Max;
      const low = (this.#low[i] as number) >>> 0;
      const rejected = high === int31Max && two32 - 1 - low < surplus;
      if (!rejected) return ((high % n) * two32 + low) % n;
    }
  }

  /** `int63n` for any positive 64-bit n. */
  bigInt63n(n: bigint): bigint {
    const max = 2n ** 63n - 1n - (2n ** 63n % n);
    for (;;) {
      const x = BigInt.asUintN(63, this.uint64());
      if (x <= max) return x % n;
    }
  }

  /** From the standard normal distribution. */
  normFloat64(): number {
    const one = new Float64Array(1);
    this.fillNormal(one, 1);
    return one[0] as number;
  }

  /** The first `count` numbers of `out` from the standard normal distribution, as that many calls of `normFloat64`. */
  fillNormal(out: Float64Array, count: number): void {
    const high = this.#high;
    const low = this.#low;
    let next = this.#next;
    for (let k = 0; k < count; k++) {
      if (next === words) {
        this.#refill();
        next = 0;
      }
      const j = ((high[next] as number) << 1) | ((low[next] as number) >>> 31);
      next += 1;
      const i = j & 127;
      const x = j * (scale[i] as number);
      if (Math.abs(j) < (accept[i] as number)) out[k] = x;
      else {
        this.#next = next;
        out[k] = this.#slowNormal(j, x);
        next = this.#next;
      }
    }
    this.#next = next;
  }

  /** The three calls in a hundred that the fast test of the ziggurat does not settle. */
  #slowNormal(first: number, product: number): number {
    let j = first;
    let x = product;
    for (;;) {
      const i = j & 127;
      if (Math.abs(j) < (accept[i] as number)) return x;
      if (i === 0) return this.#tail(j > 0);
      const u = Math.fround(this.float64());
      const inner = edge[i] as number;
      const step = Math.fround(u * Math.fround((edge[i - 1] as number) - inner));
      if (Math.fround(inner + step) < Math.fround(Math.exp(-0.5 * x * x))) return x;
      const n = this.#advance();
      j = ((this.#high[n] as number) << 1) | ((this.#low[n] as number) >>> 31);
      x = j * (scale[j & 127] as number);
    }
  }

  #tail(positive: boolean): number {
    for (;;) {
      const x = -goLog(this.float64()) * tailRate;
      const y = -goLog(this.float64());
      if (y + y >= x * x) return positive ? tailStart + x : -tailStart - x;
    }
  }
}
