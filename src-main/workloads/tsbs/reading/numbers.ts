/** Powers of ten that a double holds exactly. */
const exactPowers = Float64Array.from({ length: 23 }, (_, i) => 10 ** i);
const mostDigits = 15;

const minus = 45;
const point = 46;
const zero = 48;

/**
 * Reads numbers out of bytes, without a text where a double can be computed exactly: up to 15 digits, with a division by an
 * exact power of ten, are correctly rounded (W. D. Clinger, "How to Read Floating Point Numbers Accurately", 1990).
 */
export class NumberReader {
  /** What the last call found; NaN where there was nothing. */
  value = 0;
  /** Whether it had no decimal point. */
  whole = true;

  /** @returns where the number ends: the byte there is not part of it; −1 for a sign or a point alone */
  read(block: Buffer, from: number): number {
    let at = from;
    let byte = block[at] as number;
    const negative = byte === minus;
    if (negative) byte = block[++at] as number;
    let value = 0;
    let digits = 0;
    while (byte >= zero && byte <= zero + 9) {
      value = value * 10 + (byte - zero);
      digits += 1;
      byte = block[++at] as number;
    }
    this.whole = byte !== point;
    if (byte === point) {
      let decimals = 0;
      byte = block[++at] as number;
      while (byte >= zero && byte <= zero + 9) {
        value = value * 10 + (byte - zero);
        decimals += 1;
        byte = block[++at] as number;
      }
      if (decimals === 0 || digits === 0) return -1;
      digits += decimals;
      if (digits <= mostDigits) value /= exactPowers[decimals] as number;
    }
    if (digits === 0) {
      this.value = Number.NaN;
      return negative ? -1 : at;
    }
    if (digits > mostDigits) this.value = Number(block.toString('latin1', from, at));
    else this.value = negative ? -value : value;
    return at;
  }
}

/** Reads a time in nanoseconds since 1970 as milliseconds and nanoseconds within. */
export class TimeReader {
  ms = 0;
  nanos = 0;

  /** @returns where it ends; −1 for no such time */
  read(block: Buffer, from: number): number {
    let at = from;
    const negative = block[at] === minus;
    if (negative) at += 1;
    const first = at;
    while ((block[at] as number) >= zero && (block[at] as number) <= zero + 9) at += 1;
    const digits = at - first;
    if (digits === 0 || digits > 19) return -1;
    const split = Math.max(first, at - 6);
    let ms = 0;
    for (let i = first; i < split; i++) ms = ms * 10 + ((block[i] as number) - zero);
    let nanos = 0;
    for (let i = split; i < at; i++) nanos = nanos * 10 + ((block[i] as number) - zero);
    const borrows = negative && nanos > 0;
    this.ms = (negative ? -ms : ms) - (borrows ? 1 : 0) + 0;
    this.nanos = borrows ? 1_000_000 - nanos : nanos;
    return at;
  }
}
