const two20 = 2 ** 20;
const two32 = 2 ** 32;
const two52 = 2 ** -52;
const mask64 = 0xffff_ffff_ffff_ffffn;

/**
 * xoroshiro128** (Blackman and Vigna) as PostgreSQL's programs use it: the same stream for the same seed, to the bit. 64-bit
 * words are kept as two 32-bit halves, so that drawing makes no garbage.
 */
export class Xoroshiro {
  #s0High = 0;
  #s0Low = 0;
  #s1High = 0;
  #s1Low = 0;
  /** Halves of the word last drawn, unsigned. */
  #high = 0;
  #low = 0;

  /** @param seed any integer; its lower 64 bits count */
  constructor(seed: number | bigint) {
    const [first, second] = splitMix(BigInt(seed));
    // The all-zero state would stay zero; the constants are those that PostgreSQL puts in its place.
    const zero = first === 0n && second === 0n;
    this.#s0High = high(zero ? 0x5851f42d4c957f2dn : first);
    this.#s0Low = low(zero ? 0x5851f42d4c957f2dn : first);
    this.#s1High = high(zero ? 0x14057b7ef767814fn : second);
    this.#s1Low = low(zero ? 0x14057b7ef767814fn : second);
  }

  /** The next word, in `#high` and `#low`. */
  #advance(): void {
    const aHigh = this.#s0High;
    const aLow = this.#s0Low;
    // rotl(a * 5, 7) * 9
    let product = aLow * 5;
    let pLow = product >>> 0;
    let pHigh = (Math.imul(aHigh, 5) + Math.floor(product / two32)) >>> 0;
    const rHigh = ((pHigh << 7) | (pLow >>> 25)) >>> 0;
    const rLow = ((pLow << 7) | (pHigh >>> 25)) >>> 0;
    product = rLow * 9;
    pLow = product >>> 0;
    pHigh = (Math.imul(rHigh, 9) + Math.floor(product / two32)) >>> 0;
    this.#high = pHigh;
    this.#low = pLow;
    // b = s0 ^ s1; s0 = rotl(s0, 24) ^ b ^ (b << 16); s1 = rotl(b, 37)
    const bHigh = this.#s1High ^ aHigh;
    const bLow = this.#s1Low ^ aLow;
    this.#s0High = (((aHigh << 24) | (aLow >>> 8)) ^ bHigh ^ ((bHigh << 16) | (bLow >>> 16))) >>> 0;
    this.#s0Low = (((aLow << 24) | (aHigh >>> 8)) ^ bLow ^ (bLow << 16)) >>> 0;
    this.#s1High = ((bLow << 5) | (bHigh >>> 27)) >>> 0;
    this.#s1Low = ((bHigh << 5) | (bLow >>> 27)) >>> 0;
  }

  /** A whole 64-bit word. */
  word(): bigint {
    this.#advance();
    return (BigInt(this.#high) << 32n) | BigInt(this.#low);
  }

  /** Uniform in [0, 1), from the top 52 bits. */
  double(): number {
    this.#advance();
    return (this.#high * two20 + (this.#low >>> 12)) * two52;
  }

  /**
   * Uniform in [0, span], both ends included: the top bits of a word, drawn again while they are beyond the span.
   * @param span a whole number, 0 to 2^53 − 1; 0 draws nothing
   */
  upTo(span: number): number {
    if (span <= 0) return 0;
    if (span < two32) {
      const shift = Math.clz32(span);
      for (;;) {
        this.#advance();
        const value = this.#high >>> shift;
        if (value <= span) return value;
      }
    }
    const spanHigh = Math.floor(span / two32);
    const shift = Math.clz32(spanHigh); // 11 or more
    for (;;) {
      this.#advance();
      const value =
        (this.#high >>> shift) * two32 + (((this.#high << (32 - shift)) | (this.#low >>> shift)) >>> 0);
      if (value <= span) return value;
    }
  }

  /** As `upTo`, for any span below 2^64. */
  upToBig(span: bigint): bigint {
    if (span <= 0n) return 0n;
    const shift = BigInt(64 - span.toString(2).length);
    for (;;) {
      const value = this.word() >> shift;
      if (value <= span) return value;
    }
  }

  /** The state becomes the other's: a retry draws again what the first try drew. */
  copyFrom(other: Xoroshiro): void {
    this.#s0High = other.#s0High;
    this.#s0Low = other.#s0Low;
    this.#s1High = other.#s1High;
    this.#s1Low = other.#s1Low;
  }
}

/** The first two outputs of SplitMix64 (Steele, Lea, Flood 2014). */
function splitMix(seed: bigint): [bigint, bigint] {
  const step = 0x9e3779b97f4a7c15n;
  return [mixed(seed + step), mixed(seed + 2n * step)];
}
function mixed(word: bigint): bigint {
  let z = word & mask64;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask64;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask64;
  return z ^ (z >> 31n);
}

function high(word: bigint): number {
  return Number(word >> 32n);
}
function low(word: bigint): number {
  return Number(word & 0xffff_ffffn);
}
