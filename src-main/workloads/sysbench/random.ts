/**
 * xoshiro128** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2018), seeded by splitmix32: whole
 * 32-bit steps, which JavaScript does without big numbers. Each worker has its own stream of the run's seed.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /**
   * @param seed the run's
   * @param stream the worker's number; streams of one seed are independent of each other
   */
  constructor(seed: number, stream: number) {
    let state = (Math.imul(seed % 2 ** 32, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b)) | 0;
    const next = () => {
      state = (state + 0x9e3779b9) | 0;
      let t = state ^ (state >>> 16);
      t = Math.imul(t, 0x21f0aaad);
      t ^= t >>> 15;
      t = Math.imul(t, 0x735a2d97);
      return t ^ (t >>> 15);
    };
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#d = next() | 1; // all zeros would stay all zeros
  }

  /** A whole number of 32 bits, from 0. */
  next(): number {
    const b = this.#b;
    const times5 = Math.imul(b, 5);
    const result = Math.imul((times5 << 7) | (times5 >>> 25), 9);
    this.#c ^= this.#a;
    this.#d ^= b;
    this.#b = b ^ this.#c;
    this.#a ^= this.#d;
    this.#c ^= b << 9;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result >>> 0;
  }

  /** Uniform in [0, 1), 53 bits. */
  uniform(): number {
    return ((this.next() >>> 5) * 0x4000000 + (this.next() >>> 6)) / 0x20000000000000;
  }

  /** Uniform whole number in [from, to], both ends included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.uniform() * (to - from + 1));
  }
}
