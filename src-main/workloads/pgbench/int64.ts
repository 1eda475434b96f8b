import { AppError } from '../../../src-shared/errors.ts';

/**
 * A signed 64-bit integer in normal form: a number where it is safe (|x| < 2^53), else a bigint. Two are equal exactly when
 * `===` says so, and what usual scripts compute stays a number: no garbage.
 */
export type Int64 = number | bigint;

const least = -(2n ** 63n);
const most = 2n ** 63n - 1n;
const safe = BigInt(Number.MAX_SAFE_INTEGER);

/** @param x within 64 bits */
export function normalInt(x: bigint): Int64 {
  return x <= safe && x >= -safe ? Number(x) : x;
}

/** The lower 64 bits, signed, in normal form. */
export function wrapInt(x: bigint): Int64 {
  return normalInt(BigInt.asIntN(64, x));
}

export function fitsInt64(x: bigint): boolean {
  return x >= least && x <= most;
}

/** @throws AppError named after the operation, in pgbench's words, where the sum is beyond 64 bits */
export function addInt(a: Int64, b: Int64): Int64 {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return ranged(BigInt(a) + BigInt(b), 'add');
}
export function subtractInt(a: Int64, b: Int64): Int64 {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return ranged(BigInt(a) - BigInt(b), 'sub');
}
export function multiplyInt(a: Int64, b: Int64): Int64 {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0; // never −0
  }
  return ranged(BigInt(a) * BigInt(b), 'mul');
}
/** Towards zero. */
export function divideInt(a: Int64, b: Int64): Int64 {
  if (b === 0) throw failed('division by zero');
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0;
  return ranged(BigInt(a) / BigInt(b), 'div');
}
/** With the sign of the dividend. */
export function remainderInt(a: Int64, b: Int64): Int64 {
  if (b === 0) throw failed('division by zero');
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  return normalInt(BigInt(a) % BigInt(b));
}
/** Shifts by the lower six bits of the count, as processors do; `>>` keeps the sign. */
export function shiftLeft(a: Int64, count: Int64): Int64 {
  return wrapInt(BigInt(a) << (BigInt(count) & 63n));
}
export function shiftRight(a: Int64, count: Int64): Int64 {
  return normalInt(BigInt(a) >> (BigInt(count) & 63n));
}

/** A failure inside an expression, in pgbench's words. */
export function failed(message: string): AppError {
  return new AppError({ code: 'bad-input', message });
}

function ranged(x: bigint, operation: 'add' | 'sub' | 'mul' | 'div'): Int64 {
  if (!fitsInt64(x)) throw failed(`bigint ${operation} out of range`);
  return normalInt(x);
}
