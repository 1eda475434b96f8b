import { describe, expect, it } from 'vitest';
import { createDraw, type DistributionOptions, randTypes } from './distributions.ts';
import { Random } from './random.ts';

const draws = 400_000;
const usual: DistributionOptions = {
  randType: 'special',
  randSpecIter: 12,
  randSpecPct: 1,
  randSpecRes: 75,
  randParetoH: 0.2,
  randZipfianExp: 0.8,
};

function sample(options: Partial<DistributionOptions>, from: number, to: number, wholeWindow = false) {
  const draw = createDraw(new Random(7, 0), { ...usual, ...options }, wholeWindow);
  return Float64Array.from({ length: draws }, () => draw(from, to)).sort();
}
const quantile = (sorted: Float64Array, q: number) =>
  sorted[Math.floor(q * (sorted.length - 1))] ?? Number.NaN;
const mean = (values: Float64Array) => values.reduce((sum, v) => sum + v, 0) / values.length;
const share = (values: Float64Array, is: (v: number) => boolean) => values.filter(is).length / values.length;

describe('createDraw', () => {
  // Quantiles of 400,000 draws from [1, 10000] of sysbench 1.0.20 itself; between two such samples a quantile of a wide
  // distribution differs by its own standard error, hence the tolerances, in values.
  it.each([
    ['uniform', 4995, [102, 1002, 2498, 4996, 7497, 8993, 9899], 30],
    ['gaussian', 5000, [3080, 3924, 4432, 5001, 5569, 6074, 6916], 12],
    ['special', 5010, [3531, 4790, 4988, 5013, 5038, 5219, 6460], 20],
    ['pareto', 1215, [1, 1, 1, 68, 1245, 4667, 9312], 60],
  ] as const)('%s has the quantiles of sysbench', (randType, average, quantiles, tolerance) => {
    const values = sample({ randType }, 1, 10_000);
    expect(Math.abs(mean(values) - average)).toBeLessThan(tolerance);
    [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99].forEach((q, i) => {
      expect(Math.abs(quantile(values, q) - (quantiles[i] ?? Number.NaN)), `p${q * 100}`).toBeLessThan(
        tolerance,
      );
    });
  });

  it('special hits the upper three quarters of its window with three quarters of the draws', () => {
    const values = sample({ randType: 'special' }, 1, 10_000);
    // 4975 gets a quarter and 5051 a half of what a value between them gets, as measured of sysbench.
    expect(share(values, (v) => v >= 4975 && v <= 5051)).toBeCloseTo(0.757, 2);
    const usualShare = share(values, (v) => v > 4975 && v < 5051) / 75;
    expect(share(values, (v) => v === 4975) / usualShare).toBeCloseTo(0.25, 1);
    expect(share(values, (v) => v === 5051) / usualShare).toBeCloseTo(0.5, 1);
    // Recorded of sysbench for [1, 10]: 400,000 draws.
    const small = sample({ randType: 'special' }, 1, 10);
    [17, 2227, 23_342, 148_628, 223_601, 2160, 25].forEach((n, i) => {
      expect(share(small, (v) => v === i + 2)).toBeCloseTo(n / 400_000, 2);
    });
  });

  it('special of 0.4 hits its whole window, evenly', () => {
    const values = sample({ randType: 'special' }, 1, 10_000, true);
    expect(share(values, (v) => v >= 4950 && v <= 5051)).toBeGreaterThan(0.755);
    const lower = share(values, (v) => v >= 4955 && v < 5000);
    const upper = share(values, (v) => v >= 5000 && v < 5045);
    expect(upper / lower).toBeCloseTo(1, 1);
  });

  it('pareto gives 80 % of the draws to the first 20 %', () => {
    expect(share(sample({ randType: 'pareto' }, 1, 10_000), (v) => v <= 2000)).toBeCloseTo(0.8, 2);
    expect(share(sample({ randType: 'pareto', randParetoH: 0.1 }, 1, 10_000), (v) => v <= 1000)).toBeCloseTo(
      0.9,
      2,
    );
  });

  it.each([0.8, 1, 1.3])('zipfian with exponent %d has P(k) ∝ k^−θ', (randZipfianExp) => {
    const n = 500;
    const values = sample({ randType: 'zipfian', randZipfianExp }, 11, 10 + n);
    const weights = Array.from({ length: n }, (_, i) => (i + 1) ** -randZipfianExp);
    const total = weights.reduce((sum, w) => sum + w, 0);
    let sum = 0;
    for (const k of [1, 2, 3, 10, 50, 200, 500]) {
      const p = (weights[k - 1] ?? 0) / total;
      // five standard errors
      expect(Math.abs(share(values, (v) => v === 10 + k) - p)).toBeLessThan(5 * Math.sqrt(p / draws));
      sum = weights.slice(0, k).reduce((s, w) => s + w, 0) / total;
      expect(Math.abs(share(values, (v) => v <= 10 + k) - sum)).toBeLessThan(0.004);
    }
  });

  it.each(randTypes)('%s stays in its range, whichever it is, and repeats with its seed', (randType) => {
    for (const [from, to] of [
      [1, 1],
      [1, 2],
      [0, 3],
      [5, 1_000_000],
    ] as const) {
      for (const extreme of [{}, { randSpecRes: 100 }, { randSpecRes: 0 }, { randSpecPct: 100 }]) {
        const options = { ...usual, randType, ...extreme };
        const draw = createDraw(new Random(3, 1), options);
        const again = createDraw(new Random(3, 1), options);
        const values = Array.from({ length: 3000 }, () => draw(from, to));
        expect(values.filter((v) => !Number.isInteger(v) || v < from || v > to)).toEqual([]);
        expect(values).toEqual(values.map(() => again(from, to)));
      }
    }
  });
});

describe('Random', () => {
  it('gives every worker a stream of its own', () => {
    const first = (seed: number, stream: number) => new Random(seed, stream).next();
    const seen = new Set<number>();
    for (let seed = 0; seed < 50; seed += 1) for (let w = 0; w < 50; w += 1) seen.add(first(seed, w));
    expect(seen.size).toBe(2500);
  });
  it('is uniform over its bits', () => {
    const random = new Random(1, 0);
    const ones = new Array<number>(32).fill(0);
    for (let i = 0; i < 100_000; i += 1) {
      const value = random.next();
      for (let bit = 0; bit < 32; bit += 1) ones[bit] = (ones[bit] ?? 0) + ((value >>> bit) & 1);
    }
    // five standard deviations of a fair coin
    for (const n of ones) expect(Math.abs(n - 50_000)).toBeLessThan(5 * Math.sqrt(25_000));
  });
});
