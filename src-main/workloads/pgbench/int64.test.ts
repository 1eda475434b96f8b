import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addInt,
  divideInt,
  type Int64,
  multiplyInt,
  normalInt,
  remainderInt,
  shiftLeft,
  shiftRight,
  subtractInt,
} from './int64.ts';

const least = -(2n ** 63n);
const most = 2n ** 63n - 1n;
const edges = [0n, 1n, -1n, least, most, 2n ** 53n, -(2n ** 53n), 2n ** 53n - 1n, 2n ** 31n];
const int64 = fc.oneof(
  fc.bigInt({ min: least, max: most }),
  fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }),
  fc.bigInt({ min: -100n, max: 100n }),
  fc.constantFrom(...edges),
);

/** The exact result, or what pgbench says where there is none of 64 bits. */
function outcome(compute: () => Int64 | bigint): bigint | string {
  try {
    const result = compute();
    if (typeof result === 'number' && !Number.isSafeInteger(result)) return 'not exact';
    if (Object.is(result, -0)) return 'minus zero';
    return BigInt(result);
  } catch (error) {
    return error instanceof Error ? error.message : 'no error';
  }
}
function within(result: bigint, name: string): bigint | string {
  return result < least || result > most ? `bigint ${name} out of range` : result;
}

describe('64-bit integers', () => {
  it('are computed exactly, and are errors beyond 64 bits', () => {
    fc.assert(
      fc.property(int64, int64, (x, y) => {
        const a = normalInt(x);
        const b = normalInt(y);
        expect(outcome(() => addInt(a, b))).toBe(within(x + y, 'add'));
        expect(outcome(() => subtractInt(a, b))).toBe(within(x - y, 'sub'));
        expect(outcome(() => multiplyInt(a, b))).toBe(within(x * y, 'mul'));
        expect(outcome(() => divideInt(a, b))).toBe(y === 0n ? 'division by zero' : within(x / y, 'div'));
        expect(outcome(() => remainderInt(a, b))).toBe(y === 0n ? 'division by zero' : x % y);
        expect(outcome(() => shiftLeft(a, b))).toBe(BigInt.asIntN(64, x << (y & 63n)));
        expect(outcome(() => shiftRight(a, b))).toBe(x >> (y & 63n));
      }),
      { numRuns: 2000 },
    );
  });
});
