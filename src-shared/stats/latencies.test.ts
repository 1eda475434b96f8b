import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LatencyCells } from '../model/latencies.ts';
import { cellCountOf, mergeCells, mergeHeat, percentileOf, percentileSpectrum } from './latencies.ts';

/** One cell a value. */
function cellsOf(values: readonly number[]): LatencyCells {
  return mergeCells(values.map((us) => ({ us: [us], counts: [1] })));
}

describe('percentiles of cells', () => {
  const cells: LatencyCells = { us: [10, 20, 1000], counts: [90, 9, 1] };
  test('the cell in which as many are reached', () => {
    expect([0, 0.5, 0.9, 0.901, 0.99, 0.991, 1].map((share) => percentileOf(cells, share))).toEqual([
      10, 10, 10, 20, 20, 1000, 1000,
    ]);
    expect(percentileOf({ us: [], counts: [] }, 0.5)).toBeNaN();
    expect(percentileOf({ us: [1, 2], counts: [9999, 1] }, 0.9999)).toBe(1);
    expect(cellCountOf(cells)).toBe(100);
  });
  test('are those of the sorted values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 0, max: 100 }),
        (values, percent) => {
          const sorted = [...values].sort((a, b) => a - b);
          const rank = Math.max(1, Math.ceil((percent * values.length) / 100));
          expect(percentileOf(cellsOf(values), percent / 100)).toBe(sorted[rank - 1]);
        },
      ),
    );
  });
  test('merging is as if all had been in one', () => {
    const values = fc.array(fc.integer({ min: 1, max: 50 }));
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(mergeCells([cellsOf(a), cellsOf(b)])).toEqual(cellsOf([...a, ...b]));
      }),
    );
  });
});

describe('the spectrum', () => {
  test('halves the distance to 100 % in five steps, up to one in all', () => {
    const points = percentileSpectrum({ us: [1, 2, 3], counts: [50, 49, 1] });
    // HdrHistogram's own table of 100 values with five ticks a half begins 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.55 …
    const shares = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.775];
    expect(points.slice(0, 12).map(({ share }) => Number(share.toFixed(6)))).toEqual(shares);
    expect(points.at(-1)).toEqual({ share: 0.99, odds: 100, us: 3 });
    expect(points.filter(({ odds }) => odds >= 100)).toHaveLength(1);
  });
  test('never falls, and ends at the highest value', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1e6 }), { minLength: 1, maxLength: 300 }), (values) => {
        const points = percentileSpectrum(cellsOf(values));
        for (const [i, { us, odds }] of points.entries()) {
          expect(us).toBeGreaterThanOrEqual(points[i - 1]?.us ?? 0);
          expect(odds).toBeGreaterThanOrEqual(points[i - 1]?.odds ?? 0);
        }
        expect(points.at(-1)?.us).toBe(Math.max(...values));
      }),
    );
  });
  test('of nothing has no point, of one value one', () => {
    expect(percentileSpectrum({ us: [], counts: [] })).toEqual([]);
    expect(percentileSpectrum({ us: [7], counts: [1] })).toEqual([{ share: 0, odds: 1, us: 7 }]);
  });
});

test('heat of several runs is added up, column by column and band by band', () => {
  const heat = (at: number, band: number, count: number) => ({
    stepMs: 1000,
    columns: [{ at, bands: [{ band, count }] }],
  });
  const merged = mergeHeat([heat(1, 30, 5), heat(0, 20, 1), heat(1, 30, 2), heat(1, 10, 1)]);
  expect(merged).toEqual({
    stepMs: 1000,
    columns: [
      { at: 0, bands: [{ band: 20, count: 1 }] },
      {
        at: 1,
        bands: [
          { band: 10, count: 1 },
          { band: 30, count: 7 },
        ],
      },
    ],
  });
  expect(mergeHeat([])).toBeNull();
});
