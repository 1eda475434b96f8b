import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LatencyCells } from '../model/latencies.ts';
import { mergedQuantileRatio, quantileInterval, quantileRatio } from './latencyInterval.ts';
import { mulberry32 } from './random.ts';
import { changeWithin } from './within.ts';

function normal(random: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
/** Rates around a level, each second taking over a share of the one before. */
function rates(level: number, phi: number, n: number, gauss: () => number): number[] {
  let x = gauss() / Math.sqrt(1 - phi * phi);
  return Array.from({ length: n }, () => {
    x = phi * x + gauss();
    return level * (1 + 0.05 * x * Math.sqrt(1 - phi * phi));
  });
}
/** Whole values as a histogram of its own cells. */
function cells(values: readonly number[]): LatencyCells {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return { us: sorted.map(([us]) => us), counts: sorted.map(([, count]) => count) };
}
/** Latencies of so many seconds, exponential around a mean that holds for `stretch` seconds at a time. */
function seconds(
  mean: number,
  n: number,
  each: number,
  stretch: number,
  random: () => number,
): LatencyCells[] {
  let level = mean;
  return Array.from({ length: n }, (_, second) => {
    if (second % stretch === 0) level = mean * (stretch > 1 ? 0.5 + random() : 1);
    return cells(Array.from({ length: each }, () => Math.ceil(-Math.log(1 - random()) * level)));
  });
}

describe('two runs alone', () => {
  it('are told apart by a change that is larger than their noise, and by none that is not', () => {
    const gauss = normal(mulberry32(3));
    const slow = rates(1000, 0.5, 300, gauss);
    const change = changeWithin(slow, rates(1100, 0.5, 300, gauss));
    expect(change?.low).toBeGreaterThan(0.05);
    expect(change?.high).toBeLessThan(0.15);
  });
  it('are claimed to differ in about one of twenty where they do not, whatever a second takes over from the last', () => {
    const gauss = normal(mulberry32(11));
    // 400 pairs: 5 % ± 3.3 standard errors of 1.1 % each.
    for (const phi of [0, 0.6]) {
      let claimed = 0;
      for (let pair = 0; pair < 200; pair += 1) {
        const change = changeWithin(rates(1000, phi, 150, gauss), rates(1000, phi, 150, gauss));
        if (change && (change.low > 0 || change.high < 0)) claimed += 1;
      }
      expect(claimed / 200).toBeLessThan(0.1);
    }
  });
  it('say nothing below two minutes, nor where what one second is says all of the next', () => {
    const gauss = normal(mulberry32(5));
    expect(changeWithin(rates(1000, 0, 119, gauss), rates(1000, 0, 300, gauss))).toBeNull();
    expect(changeWithin(rates(1000, 0.97, 130, gauss), rates(1000, 0.97, 130, gauss))).toBeNull();
  });
});

describe('the interval of a percentile', () => {
  it('is about that of order statistics where values know nothing of each other', () => {
    const found = quantileInterval(seconds(10_000, 120, 50, 1, mulberry32(1)), 0.5);
    // Median of 6,000 exponential values of mean 10 ms: 10 · ln 2, its standard error 10 ÷ √6,000 (David & Nagaraja 2003).
    const error = 10_000 / Math.sqrt(6000);
    expect(found?.value).toBeGreaterThan(10_000 * Math.LN2 - 4 * error);
    expect(found?.value).toBeLessThan(10_000 * Math.LN2 + 4 * error);
    const width = (found?.high ?? 0) - (found?.low ?? 0);
    expect(width / (2 * 1.96 * error)).toBeGreaterThan(0.8);
    expect(width / (2 * 1.96 * error)).toBeLessThan(1.6);
  });
  it('is wider where latencies come in stretches', () => {
    const width = (stretch: number) => {
      const found = quantileInterval(seconds(10_000, 240, 50, stretch, mulberry32(2)), 0.5);
      return ((found?.high ?? 0) - (found?.low ?? 0)) / (found?.value ?? 1);
    };
    expect(width(10)).toBeGreaterThan(2 * width(1));
  });
  it('is not given with fewer than ten values beyond it', () => {
    const few = seconds(1000, 120, 8, 1, mulberry32(4));
    expect(quantileInterval(few, 0.999)).toBeNull();
    expect(quantileInterval(few, 0.95)).not.toBeNull();
  });
  it('makes a ratio that lies in its interval and turns round with the runs', () => {
    const [a, b] = [seconds(10_000, 120, 50, 1, mulberry32(6)), seconds(12_000, 120, 50, 1, mulberry32(7))];
    const there = quantileRatio(a, b, 0.95);
    const back = quantileRatio(b, a, 0.95);
    expect(there?.low).toBeGreaterThan(1);
    expect(there?.high).toBeLessThan(1.5);
    expect((back?.ratio ?? 0) * (there?.ratio ?? 0)).toBeCloseTo(1, 9);
    expect((back?.low ?? 0) * (there?.high ?? 0)).toBeCloseTo(1, 9);
  });
});

describe('percentiles of merged histograms', () => {
  it('are those of all values together, and their interval holds the ratio', () => {
    const values = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 20, maxLength: 60 });
    const runs = fc.array(values, { minLength: 4, maxLength: 5 });
    const plain = (all: number[][], share: number) => {
      const sorted = all.flat().sort((x, y) => x - y);
      return sorted[Math.ceil(Number((share * sorted.length).toPrecision(12))) - 1] ?? Number.NaN;
    };
    fc.assert(
      fc.property(runs, runs, fc.constantFrom(0.5, 0.95, 0.99), (base, side, share) => {
        const found = mergedQuantileRatio(base.map(cells), side.map(cells), share);
        expect(found.ratio).toBe(plain(side, share) / plain(base, share));
        expect(found.low).toBeLessThanOrEqual(found.ratio);
        expect(found.high).toBeGreaterThanOrEqual(found.ratio);
      }),
      { numRuns: 10 },
    );
  });
});
