const zero = 48;
const minus = 45;
const point = 46;
const billion = 1_000_000_000;
const shortBytes = 24;
const decimals = 5;
const decimalFactor = 10 ** decimals;
/** Below it a whole number has 14 digits at most. */
const mostScaled = 1e14;

/** Bytes of ASCII text, appended to one block at a time; the caller takes a block before it can overflow. */
export class AsciiWriter {
  #block: Buffer;
  /** Where the next block goes; what was taken before lies in the other one. */
  #spare: Buffer;
  #length = 0;

  /** @param blockBytes room for everything that is appended between two calls of `take` */
  constructor(blockBytes: number) {
    this.#block = Buffer.allocUnsafeSlow(blockBytes);
    this.#spare = Buffer.allocUnsafeSlow(blockBytes);
  }

  get length(): number {
    return this.#length;
  }

  /** What was appended since the last call. It is the caller's until something is appended after the next call. */
  take(): Buffer {
    const taken = this.#block.subarray(0, this.#length);
    [this.#block, this.#spare] = [this.#spare, this.#block];
    this.#length = 0;
    return taken;
  }

  /** Forgets what was appended after the block had that length. */
  cut(length: number): void {
    this.#length = length;
  }

  byte(code: number): void {
    this.#block[this.#length++] = code;
  }

  bytes(source: Uint8Array): void {
    const block = this.#block;
    const at = this.#length;
    // The call of `set` costs as much as some tens of bytes in a loop.
    if (source.length > shortBytes) block.set(source, at);
    else for (let i = 0; i < source.length; i++) block[at + i] = source[i] as number;
    this.#length = at + source.length;
  }

  text(text: string): void {
    this.#length += this.#block.write(text, this.#length, 'latin1');
  }

  /** A whole number up to 2^53; below a thousand without a loop. */
  integer(n: number): void {
    if (n < 0) {
      this.byte(minus);
      this.integer(-n);
      return;
    }
    if (n >= 1000) {
      this.#large(n);
      return;
    }
    const block = this.#block;
    const tens = (n / 10) | 0;
    const hundreds = (n / 100) | 0;
    if (n >= 100) block[this.#length++] = zero + hundreds;
    if (n >= 10) block[this.#length++] = zero + (tens - 10 * hundreds);
    block[this.#length++] = zero + (n - 10 * tens);
  }

  /**
   * The fewest digits that give the same number, never with an exponent; `124`, not `124.0`. Numbers that have five decimals
   * at most need no text: of at most 15 digits no two give the same double, so theirs are the fewest.
   */
  double(n: number): void {
    const scaled = Math.round(n * decimalFactor);
    const size = Math.abs(scaled);
    if (size < mostScaled && scaled / decimalFactor === n) this.#decimals(scaled < 0, size);
    else this.text(positional(n));
  }

  #decimals(negative: boolean, scaled: number): void {
    const whole = Math.floor(scaled / decimalFactor);
    let rest = scaled - whole * decimalFactor;
    if (negative) this.byte(minus);
    this.integer(whole);
    if (rest === 0) return;
    this.byte(point);
    let count = decimals;
    while (rest % 10 === 0) {
      rest /= 10;
      count -= 1;
    }
    this.#digits(rest, count);
  }

  #large(n: number): void {
    if (n < billion) {
      let count = 4;
      for (let power = 10_000; n >= power; power *= 10) count += 1;
      this.#digits(n, count);
      return;
    }
    const high = Math.floor(n / billion);
    this.integer(high);
    this.#digits(n - high * billion, 9);
  }

  /** So many digits, zeros in front included, of a number below 10^9. */
  #digits(n: number, count: number): void {
    const block = this.#block;
    let rest = n | 0;
    for (let at = this.#length + count - 1; at >= this.#length; at--) {
      const tens = (rest / 10) | 0;
      block[at] = zero + (rest - 10 * tens);
      rest = tens;
    }
    this.#length += count;
  }
}

/** A number's shortest digits without an exponent. */
export function positional(n: number): string {
  const text = String(n);
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.slice(sign.length).split('.');
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
}
