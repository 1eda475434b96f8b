import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { downsample } from './downsample.ts';
import { gridStep, type Interval, rebin } from './rates.ts';
import { lowerBound, nearest, summarize, upperBound } from './series.ts';

const value = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0, max: 1_000_000 }) },
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
);
const seriesOf = (maxLength: number) =>
  fc.array(fc.tuple(fc.integer({ min: 1, max: 2000 }), value), { maxLength }).map((steps) => {
    let at = 0;
    const x: number[] = [];
    const y: number[] = [];
    for (const [step, v] of steps) {
      at += step;
      x.push(at);
      y.push(v);
    }
    return { x, y };
  });
/** Back to back, as ticks of one phase are. */
const intervals = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 0, max: 1_000_000 })), {
    maxLength: 200,
  })
  .map((steps) => {
    let at = 0;
    return steps.map(([length, sum]): Interval => {
      const fromMs = at;
      at += length;
      return { fromMs, toMs: at, sum };
    });
  });

describe('downsample', () => {
  it('keeps the extremes of the window, makes up nothing, and stays small', () => {
    fc.assert(
      fc.property(seriesOf(600), fc.integer({ min: 1, max: 60 }), (series, buckets) => {
        const to = series.x.at(-1) ?? 1;
        const points = downsample(series, 0, to, buckets);
        const known = new Map(series.x.map((x, i) => [x, series.y[i]]));
        for (const p of points) expect(p.y ?? Number.NaN).toBe(known.get(p.x));
        for (let i = 1; i < points.length; i += 1) {
          expect(points[i]?.x).toBeGreaterThan(points[i - 1]?.x ?? Infinity);
        }
        expect(points.length).toBeLessThanOrEqual(5 * buckets + 2);
        const all = series.y.filter((y) => !Number.isNaN(y));
        const drawn = points.flatMap((p) => (p.y === null ? [] : [p.y]));
        if (all.length > 0) {
          expect(Math.max(...drawn)).toBe(Math.max(...all));
          expect(Math.min(...drawn)).toBe(Math.min(...all));
        }
      }),
    );
  });

  it('shows a gap that is wider than a column as a break', () => {
    const x = Array.from({ length: 1000 }, (_, i) => i);
    const y = x.map((i) => (i >= 400 && i < 600 ? Number.NaN : 5));
    const points = downsample({ x, y }, 0, 999, 20);
    const breaks = points.filter((p) => p.y === null);
    expect(breaks.length).toBeGreaterThan(0);
    expect(breaks.every((p) => p.x >= 400 && p.x < 600)).toBe(true);
  });

  it('keeps one neighbour beyond each edge of a zoom', () => {
    const x = Array.from({ length: 100 }, (_, i) => i * 1000);
    const points = downsample({ x, y: x }, 10_500, 20_500, 400);
    expect(points[0]?.x).toBe(10_000);
    expect(points.at(-1)?.x).toBe(21_000);
  });
});

describe('rates', () => {
  it('gives the mean as the sum over the time, whatever the lengths', () => {
    fc.assert(
      fc.property(intervals, fc.integer({ min: 100, max: 5000 }), (list, step) => {
        fc.pre(list.length > 0);
        const sum = list.reduce((a, b) => a + b.sum, 0);
        const seconds = list.reduce((a, b) => a + b.toMs - b.fromMs, 0) / 1000;
        expect(summarize(rebin(list, step)).mean).toBeCloseTo(sum / seconds, 4);
      }),
    );
  });

  it('conserves counts and time on a grid', () => {
    fc.assert(
      fc.property(intervals, fc.integer({ min: 100, max: 10_000 }), (list, step) => {
        const { y, weight } = rebin(list, step);
        let counted = 0;
        let ms = 0;
        Array.from(y).forEach((rate, i) => {
          const length = weight?.[i] ?? 0;
          if (!Number.isNaN(rate)) counted += (rate * length) / 1000;
          ms += length;
        });
        expect(counted).toBeCloseTo(
          list.reduce((a, b) => a + b.sum, 0),
          3,
        );
        expect(ms).toBe(list.reduce((a, b) => a + b.toMs - b.fromMs, 0));
      }),
    );
  });

  it('counts a short rest with the cell before', () => {
    const { x, y } = rebin(
      [
        { fromMs: 0, toMs: 1000, sum: 100 },
        { fromMs: 1000, toMs: 1020, sum: 20 },
      ],
      1000,
    );
    expect(Array.from(x)).toEqual([500]);
    expect(y[0]).toBeCloseTo(120 / 1.02, 6);
  });

  it('leaves an empty cell as a gap', () => {
    const { y } = rebin(
      [
        { fromMs: 0, toMs: 1000, sum: 4 },
        { fromMs: 3000, toMs: 4000, sum: 6 },
      ],
      1000,
    );
    expect(Array.from(y)).toEqual([4, Number.NaN, 6]);
  });

  it('has no gap where a stretch is longer than a cell, as of a thinned run', () => {
    const tens = [0, 10_000, 20_000].map((fromMs) => ({ fromMs, toMs: fromMs + 10_000, sum: 50 }));
    const line = rebin(tens, 1000);
    expect([Array.from(line.x), Array.from(line.y)]).toEqual([
      [5500, 15_500, 25_500],
      [5, 5, 5],
    ]);
    const [first, , third] = tens;
    expect(Array.from(rebin(first && third ? [first, third] : [], 1000).y)).toEqual([5, Number.NaN, 5]);
  });

  it('chooses a step that fits', () => {
    expect(gridStep(300_000, 400)).toBe(1000);
    expect(gridStep(3_600_000, 400)).toBe(10_000);
    expect(gridStep(4_000_000_000, 400)).toBe(10_800_000);
  });
});

describe('series', () => {
  it('finds bounds as a scan does', () => {
    fc.assert(
      fc.property(seriesOf(60), fc.integer({ min: 0, max: 50_000 }), ({ x }, at) => {
        expect(lowerBound(x, at)).toBe(x.filter((v) => v < at).length);
        expect(upperBound(x, at)).toBe(x.filter((v) => v <= at).length);
      }),
    );
  });

  it('finds the nearest value as a scan does', () => {
    fc.assert(
      fc.property(seriesOf(60), fc.integer({ min: 0, max: 50_000 }), (series, at) => {
        const distances = series.x.flatMap((x, i) =>
          Number.isNaN(series.y[i] ?? Number.NaN) ? [] : [Math.abs(x - at)],
        );
        const found = nearest(series, at);
        if (distances.length === 0) expect(found).toBe(-1);
        else expect(Math.abs((series.x[found] ?? Number.NaN) - at)).toBe(Math.min(...distances));
      }),
    );
    expect(nearest({ x: [0, 1000], y: [1, 2] }, 5000, 1000)).toBe(-1);
  });

  it('leaves gaps out and gives no mean without weights', () => {
    const s = summarize({ x: [1, 2, 3, 4], y: [5, Number.NaN, 1, Number.NaN] });
    expect(s).toEqual({ min: 1, mean: Number.NaN, max: 5, last: 1, count: 2 });
    expect(summarize({ x: [1, 2, 3], y: [1, 2, 3] }, 2, 2)).toMatchObject({ min: 2, max: 2, count: 1 });
  });
});
