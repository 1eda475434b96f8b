import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addBuckets,
  bucketMs,
  bucketOf,
  bucketPercentile,
  noBuckets,
  toBuckets,
  usedBuckets,
} from './logBuckets.ts';

describe('buckets', () => {
  it('have sysbench’s values near 1 ms', () => {
    const values = Array.from({ length: 8 }, (_, i) => bucketMs(bucketOf(0.92) + i).toFixed(3));
    expect(values).toEqual(['0.920', '0.937', '0.954', '0.971', '0.989', '1.007', '1.025', '1.044']);
  });
  it('cover 1 µs to 100 s', () => {
    expect(bucketOf(0.000_01)).toBe(0);
    expect(bucketMs(0)).toBe(0.001);
    expect(bucketOf(1e9)).toBe(1023);
    expect(bucketMs(1023).toFixed(2)).toBe('100000.00');
  });
  it('stand for what falls into them to 0.92 %', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 100_000, noNaN: true }), (ms) => {
        expect(Math.abs(bucketMs(bucketOf(ms)) / ms - 1)).toBeLessThan(0.0092);
      }),
    );
  });
});

describe('addBuckets', () => {
  it('is the histogram of all', () => {
    const cells = fc.array(fc.tuple(fc.double({ min: 0.001, max: 1e5, noNaN: true }), fc.nat(20)));
    fc.assert(
      fc.property(fc.array(cells), (parts) => {
        expect(addBuckets(parts.map(toBuckets))).toEqual(toBuckets(parts.flat()));
      }),
    );
    expect(addBuckets([])).toEqual(noBuckets);
    expect([...usedBuckets(noBuckets)]).toEqual([]);
  });
});

describe('bucketPercentile', () => {
  it('takes the bucket in which the wanted number is reached', () => {
    // 19 values of 1 ms and one of 10 ms: floor(20 · 0.95 + 0.5) = 19 are in the first.
    const twenty = toBuckets([
      [1, 19],
      [10, 1],
    ]);
    expect(bucketPercentile(twenty, 95).toFixed(2)).toBe('1.01');
    expect(bucketPercentile(twenty, 99).toFixed(2)).toBe('10.09');
    expect(bucketPercentile(twenty, 100).toFixed(2)).toBe('10.09');
    expect(bucketPercentile(toBuckets([[200_000, 3]]), 95).toFixed(2)).toBe('100000.00');
    expect(bucketPercentile(noBuckets, 95).toFixed(2)).toBe('0.00');
  });
});
