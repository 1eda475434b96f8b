/** Of one store; what is beyond it is written out again each time. */
const mostBytes = 32 * 1024 * 1024;

/** Short pieces of bytes by number, one behind the other in one buffer: a million devices cost no object each. */
export class KeptBytes {
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;
  #bytes = Buffer.allocUnsafeSlow(64 * 1024);
  #length = 0;

  constructor(count: number) {
    this.#starts = new Float64Array(count).fill(-1);
    this.#ends = new Float64Array(count);
  }

  /** Bytes of a piece; -1 where it is not kept. */
  sizeOf(index: number): number {
    const start = this.#starts[index] ?? -1;
    return start < 0 ? -1 : (this.#ends[index] ?? start) - start;
  }

  /** Keeps a text as UTF-8; false where there is no more room. */
  keep(index: number, text: string): boolean {
    const needed = this.#length + text.length * 3;
    if (needed > mostBytes) return false;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#starts[index] = this.#length;
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
    this.#ends[index] = this.#length;
    return true;
  }

  /** Copies a kept piece and returns its size. */
  copy(index: number, to: Buffer, at: number): number {
    return this.#bytes.copy(to, at, this.#starts[index], this.#ends[index]);
  }
}
