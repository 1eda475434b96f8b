/** Bytes of ASCII text, appended to one block at a time; the caller takes a block before it can overflow. */
export class AsciiWriter {
  readonly #blockBytes: number;
  #block: Buffer;
  #length = 0;

  /** @param blockBytes room for everything that is appended between two calls of `take` */
  constructor(blockBytes: number) {
    this.#blockBytes = blockBytes;
    this.#block = Buffer.allocUnsafe(blockBytes);
  }

  get length(): number {
    return this.#length;
  }

  /** What was appended since the last call. The block is the caller's. */
  take(): Buffer {
    const taken = this.#block.subarray(0, this.#length);
    this.#block = Buffer.allocUnsafe(this.#blockBytes);
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
    let at = this.#length;
    for (let i = 0; i < source.length; i++) block[at++] = source[i] as number;
    this.#length = at;
  }

  text(text: string): void {
    this.#length += this.#block.write(text, this.#length, 'latin1');
  }

  /** A whole number; fast below a thousand. */
  integer(n: number): void {
    if (!(n >= 0 && n < 1000)) {
      this.text(BigInt(n).toString());
      return;
    }
    const block = this.#block;
    const tens = (n / 10) | 0;
    const hundreds = (n / 100) | 0;
    if (n >= 100) block[this.#length++] = 48 + hundreds;
    if (n >= 10) block[this.#length++] = 48 + (tens - 10 * hundreds);
    block[this.#length++] = 48 + (n - 10 * tens);
  }

  /** The fewest digits that give the same number, never with an exponent; `124`, not `124.0`. */
  double(n: number): void {
    this.text(positional(n));
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
