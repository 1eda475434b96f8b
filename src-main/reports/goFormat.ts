/** Numbers as Go prints them: TSBS's lines are read by scripts that compare text. */

/**
 * Go's `%.<digits>f`. JavaScript's `toFixed` rounds the exact value too, but an exact half away from zero where Go takes
 * the even neighbour: 0.125 is `0.12` in Go and `0.13` in JavaScript. A double is such a half exactly when
 * x·2^(digits+1) is an odd integer.
 * @param x finite, |x| < 1e21
 * @param digits 0 to 20
 */
export function goFixed(x: number, digits: number): string {
  const scaled = Math.abs(x) * 2 ** (digits + 1);
  if (!Number.isInteger(scaled) || scaled % 2 !== 1) return x.toFixed(digits);
  const doubled = BigInt(scaled) * 5n ** BigInt(digits); // |x|·10^digits = doubled / 2, doubled odd
  const below = (doubled - 1n) / 2n;
  const even = below % 2n === 0n ? below : below + 1n;
  const text = even.toString().padStart(digits + 1, '0');
  const sign = x < 0 ? '-' : '';
  if (digits === 0) return sign + text;
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/**
 * Go's `%E` of a count: six decimals, half to even, exponent of at least two digits: `1.120143E+07`.
 * @param count a whole number, 0 or more, at most 2^53 − 1
 */
export function goExponent(count: number): string {
  const digits = String(count);
  let exponent = digits.length - 1;
  let mantissa: string;
  if (digits.length <= 7) {
    mantissa = digits.padEnd(7, '0');
  } else {
    const unit = 10n ** BigInt(digits.length - 7);
    let head = BigInt(count) / unit;
    const twiceRest = (BigInt(count) % unit) * 2n;
    if (twiceRest > unit || (twiceRest === unit && head % 2n === 1n)) head += 1n;
    mantissa = head.toString();
    if (mantissa.length === 8) {
      mantissa = mantissa.slice(0, 7);
      exponent += 1;
    }
  }
  return `${mantissa.slice(0, 1)}.${mantissa.slice(1)}E+${String(exponent).padStart(2, '0')}`;
}
