import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapRatio, mean, median, theilSen } from './robust.ts';

const values = fc.array(fc.double({ min: 1, max: 1000, noNaN: true }), { minLength: 2, maxLength: 80 });
/** Values around 100 that do not know each other. */
const noise = (n: number, seed: number) =>
  Array.from({ length: n }, (_, i) => 100 + 10 * Math.sin((i + 1) * (i + seed) * 12.9898));

describe('the middle value', () => {
  it('has as many values below as above', () => {
    fc.assert(
      fc.property(values, (all) => {
        const m = median(all);
        expect(all.filter((v) => v < m).length).toBeLessThanOrEqual(all.length / 2);
        expect(all.filter((v) => v > m).length).toBeLessThanOrEqual(all.length / 2);
      }),
    );
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, Number.NaN]);
  });
});

describe('the line of Theil and Sen', () => {
  it('is the line itself where there is one, whatever a few outliers do', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -50, max: 50, noNaN: true }),
        fc.integer({ min: 15, max: 60 }),
        fc.integer({ min: 0, max: 14 }),
        (slope, n, wild) => {
          const line = Array.from({ length: n }, (_, i) => 5 + slope * i);
          line[wild] = 1e6;
          const found = theilSen(line);
          expect(found.slope).toBeCloseTo(slope, 6);
          expect(found.low).toBeLessThanOrEqual(found.slope);
          expect(found.high).toBeGreaterThanOrEqual(found.slope);
        },
      ),
    );
  });
  it("agrees with a textbook's interval", () => {
    // The cloud seeding of Hollander & Wolfe, slopes by hand; of five values Kendall's reach is 8 of the ten slopes.
    const found = theilSen([1.26, 1.27, 1.12, 1.16, 1.03]);
    const slopes = [0.01, -0.07, -0.1 / 3, -0.0575, -0.15, -0.055, -0.08, 0.04, -0.045, -0.13].sort(
      (a, b) => a - b,
    );
    expect(found.slope).toBeCloseTo(((slopes[4] ?? 0) + (slopes[5] ?? 0)) / 2, 9);
    expect([found.low, found.high].map((v) => Number(v.toFixed(4)))).toEqual([-0.15, 0.04]);
  });
});

describe('the bootstrap of a ratio', () => {
  it('holds the ratio, is the same each time, and is the wider the more the values scatter', () => {
    fc.assert(
      fc.property(values, values, fc.integer({ min: 1, max: 8 }), (over, under, block) => {
        const found = bootstrapRatio(over, under, block);
        expect(found.value).toBeCloseTo(mean(over) / mean(under) - 1, 9);
        expect(found.low).toBeLessThanOrEqual(found.high);
        expect(bootstrapRatio(over, under, block)).toEqual(found);
      }),
      { numRuns: 20 },
    );
    const flat = bootstrapRatio(Array(50).fill(110), Array(50).fill(100), 5);
    expect([flat.low, flat.high]).toEqual([flat.value, flat.value]);
  });
  it('has an interval about as wide as the normal one where values are independent', () => {
    const a = noise(400, 1);
    const b = noise(400, 7);
    const sd = Math.sqrt(mean(a.map((v) => (v - mean(a)) ** 2)));
    const normal = 2 * 1.96 * Math.SQRT2 * (sd / Math.sqrt(400) / 100);
    const { low, high } = bootstrapRatio(a, b, 1);
    expect(high - low).toBeGreaterThan(normal * 0.85);
    expect(high - low).toBeLessThan(normal * 1.15);
  });
});
