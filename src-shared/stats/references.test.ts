import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalCdf, studentP, studentQuantile } from './distributions.ts';
import { holm } from './holm.ts';
import { leastP, mannWhitney } from './mannWhitney.ts';
import { expandedTail, geometricMean, ratioOfMeans, welchP } from './ratio.ts';
import { blockLength } from './robust.ts';

// Expected values are of Python 3.11 with numpy 2.4.6, scipy 1.17.1, statsmodels 0.15.0 and arch 8.0.0
// (python3 -m venv v && v/bin/pip install numpy scipy statsmodels arch), each made by the line in the comment above it, after
//   import numpy as np, scipy.stats as st, itertools
const a = [103.1, 98.4, 101.2, 99.9, 100.7];
const b = [110.4, 108.9, 112.3, 107.7, 109.5];
const c = [101.5, 99.2, 104.8, 98.8, 102.0, 100.1];

const figures = fc.array(fc.double({ min: 50, max: 150, noNaN: true }), { minLength: 2, maxLength: 8 });

describe('distributions', () => {
  it('agree with scipy', () => {
    // [st.norm.cdf(z) for z in (-6, -1.959963984540054, -0.5, 0, 0.3, 1.2, 2.5, 5)]
    const cdf = [
      9.865876450376946e-10, 0.025, 0.3085375387259869, 0.5, 0.6179114221889526, 0.8849303297782918,
      0.9937903346742238, 0.9999997133484281,
    ];
    for (const [i, z] of [-6, -1.959963984540054, -0.5, 0, 0.3, 1.2, 2.5, 5].entries())
      expect(Math.abs(normalCdf(z) / (cdf[i] ?? 0) - 1)).toBeLessThan(1e-11);
    // [2*st.t.sf(t, df) for t, df in ((2, 8), (3.1, 4.5), (0.2, 1), (12, 7.3), (4, 40))]
    const p = [
      0.08051623795726262, 0.030915544673734058, 0.8743340836219978, 4.55578522957055e-6,
      0.00026591239566669807,
    ];
    for (const [i, [t, df]] of (
      [
        [2, 8],
        [3.1, 4.5],
        [0.2, 1],
        [12, 7.3],
        [4, 40],
      ] as const
    ).entries())
      expect(Math.abs(studentP(t, df) / (p[i] ?? 0) - 1)).toBeLessThan(1e-9);
    // [st.t.ppf(0.975, df) for df in (1, 2.5, 4, 8, 30, 200)]
    const quantiles = [
      12.706204736174694, 3.5746548420036817, 2.7764451051977934, 2.306004135204166, 2.0422724563012378,
      1.9718962236339088,
    ];
    for (const [i, df] of [1, 2.5, 4, 8, 30, 200].entries())
      expect(studentQuantile(0.05, df)).toBeCloseTo(quantiles[i] ?? 0, 9);
  });
});

describe('the test of Mann and Whitney', () => {
  it('agrees with scipy, exact and for larger samples', () => {
    // st.mannwhitneyu(b, a, method='exact'), st.mannwhitneyu(c, a, method='exact')
    expect(mannWhitney(b, a)).toEqual({ u: 25, p: expect.closeTo(0.007936507936507936, 12) });
    expect(mannWhitney(c, a)).toEqual({ u: 17, p: expect.closeTo(0.7922077922077921, 12) });
    // x = [i for i in range(1, 41)]; y = [i + 7.5 for i in range(1, 41)]; st.mannwhitneyu(y, x, method='asymptotic')
    const x = Array.from({ length: 40 }, (_, i) => i + 1);
    const y = x.map((value) => value + 7.5);
    expect(mannWhitney(y, x)).toEqual({ u: 1072, p: expect.closeTo(0.008988007122138847, 12) });
    // st.mannwhitneyu([v//3 for v in range(1, 41)], [v//4 for v in range(1, 36)], method='asymptotic')
    const yTied = x.map((value) => Math.floor(value / 3));
    const xTied = x.slice(0, 35).map((value) => Math.floor(value / 4));
    expect(mannWhitney(yTied, xTied)).toEqual({ u: 949, p: expect.closeTo(0.00809235155857653, 12) });
  });
  it('counts out ties, where scipy has no exact answer', () => {
    // def tied(side, base): r = st.rankdata(side + base); n = len(side); w = sum(r[:n])
    //   s = [sum(t) for t in itertools.combinations(r, n)]; lo = np.mean([v <= w + 1e-9 for v in s])
    //   hi = np.mean([v >= w - 1e-9 for v in s]); return w - n*(n+1)/2, min(1, 2*min(lo, hi))
    expect(mannWhitney([1, 2, 2, 4, 5], [2, 7, 8, 9, 4])).toEqual({ u: 4.5, p: expect.closeTo(1 / 9, 12) });
    expect(mannWhitney([5, 5, 6, 7], [4, 4, 5, 5, 3])).toEqual({ u: 18, p: expect.closeTo(2 / 21, 12) });
    expect(mannWhitney([3, 3], [3, 3, 3])).toEqual({ u: 3, p: 1 });
  });
  it('knows what it can say at best: of three against three nothing, of four against four something', () => {
    // Lehmann (1975), table B: 2 ÷ C(n + m, n).
    expect([leastP(3, 3), leastP(4, 4), leastP(5, 5), leastP(1, 5), leastP(2, 8)]).toEqual(
      [0.1, 2 / 70, 2 / 252, 2 / 6, 2 / 45].map((p) => expect.closeTo(p, 12)),
    );
  });
  it('is the same whichever sample comes first and whatever order-keeping is done to the values', () => {
    fc.assert(
      fc.property(figures, figures, (left, right) => {
        const { u, p } = mannWhitney(left, right);
        const turned = mannWhitney(right, left);
        expect(turned.u).toBe(left.length * right.length - u);
        expect(turned.p).toBeCloseTo(p, 12);
        const doubled = mannWhitney(
          left.map((v) => 2 * v),
          right.map((v) => 2 * v),
        );
        expect(doubled).toEqual({ u, p });
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
      }),
      { numRuns: 50 },
    );
  });
});

describe('means', () => {
  it("Welch's test of the logarithms agrees with scipy", () => {
    // st.ttest_ind(np.log(b), np.log(a), equal_var=False), st.ttest_ind(np.log(c), np.log(a), equal_var=False)
    expect(Math.abs(welchP(a, b) / 3.410434179145114e-5 - 1)).toBeLessThan(1e-9);
    expect(welchP(a, c)).toBeCloseTo(0.7442249165638574, 10);
    expect([welchP([7, 7], [7, 7]), welchP([7, 7], [8, 8])]).toEqual([1, 0]);
  });
  it('the geometric mean agrees with scipy', () => {
    // st.gmean([3.0, 7.5, 20.0, 1.2])
    expect(geometricMean([3, 7.5, 20, 1.2])).toBeCloseTo(4.82057051366791, 12);
  });
  it("Holm's adjustment agrees with statsmodels", () => {
    // multipletests([0.01, 0.04, 0.03, 0.005, 0.5], method='holm')[1]
    expect(holm([0.01, 0.04, 0.03, 0.005, 0.5])).toEqual(
      [0.04, 0.09, 0.09, 0.025, 0.5].map((p) => expect.closeTo(p, 12)),
    );
    expect([holm([]), holm([0.3])]).toEqual([[], [0.3]]);
  });
  it('Holm never makes a p smaller, keeps their order, and 1 is the most', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }), (ps) => {
        const adjusted = holm(ps);
        for (const [i, p] of ps.entries()) {
          expect(adjusted[i]).toBeGreaterThanOrEqual(p);
          expect(adjusted[i]).toBeLessThanOrEqual(1);
          for (const [j, q] of ps.entries())
            if (q < p) expect(adjusted[j] ?? 0).toBeLessThanOrEqual(adjusted[i] ?? 0);
        }
      }),
    );
  });
});

describe('the interval of a ratio', () => {
  it('cuts its tails where numpy and scipy do', () => {
    // v = [np.var(s, ddof=1)/len(s)/np.mean(s)**2 for s in (base, side)]; n = [len(base), len(side)]
    // df = sum(v)**2/sum(vi**2/(ni-1) for vi, ni in zip(v, n))
    // k = np.sqrt(sum(vi*ni/(ni-1) for vi, ni in zip(v, n))/sum(v)); st.norm.cdf(-k*st.t.ppf(0.975, df))
    expect(expandedTail(a, b)).toBeCloseTo(0.004917109424528137, 10);
    expect(expandedTail(a, c)).toBeCloseTo(0.006200673813795861, 10);
  });
  it('is close to that of every possible draw', () => {
    // A, B = a[:4], b[:4]; ma, mb = (np.array([np.mean(t) for t in itertools.product(s, repeat=4)]) for s in (A, B))
    // r = (mb[:, None]/ma[None, :]).ravel(); np.mean(B)/np.mean(A), np.quantile(r, tail), np.quantile(r, 1 - tail)
    const { ratio, low, high } = ratioOfMeans(a.slice(0, 4), b.slice(0, 4));
    expect(ratio).toBeCloseTo(1.091157476403378, 12);
    expect(Math.abs(low - 1.0572687224669604)).toBeLessThan(0.002);
    expect(Math.abs(high - 1.1273095418881294)).toBeLessThan(0.002);
  });
  it('holds the ratio, is the same each time, scales with the figures, and shrinks to a point without noise', () => {
    fc.assert(
      fc.property(figures, figures, fc.constantFrom(0.5, 4), (base, side, factor) => {
        const found = ratioOfMeans(base, side);
        expect(found.low).toBeLessThanOrEqual(found.ratio * (1 + 1e-12));
        expect(found.high).toBeGreaterThanOrEqual(found.ratio * (1 - 1e-12));
        expect(ratioOfMeans(base, side)).toEqual(found);
        const scaled = ratioOfMeans(
          base,
          side.map((v) => v * factor),
        );
        expect(scaled.low).toBeCloseTo(found.low * factor, 9);
        expect(scaled.high).toBeCloseTo(found.high * factor, 9);
      }),
      { numRuns: 10 },
    );
    expect(ratioOfMeans([100, 100, 100], [110, 110])).toEqual({ ratio: 1.1, low: 1.1, high: 1.1 });
  });
});

describe('the length of blocks', () => {
  /** The series e_t + phi · x_(t−1) of a linear congruential generator, as the Python below makes it. */
  function series(phi: number, n: number, seed: number): number[] {
    let state = BigInt(seed);
    let x = 0;
    return Array.from({ length: n }, () => {
      state = (1_103_515_245n * state + 12_345n) % 2n ** 31n;
      x = phi * x + Number(state) / 2 ** 31 - 0.5;
      return x;
    });
  }
  it('is that of Politis and White, as numpy has it, and the cube root of the length at least', () => {
    // s = seed; each: s = (1103515245*s + 12345) % 2**31; x = phi*x + s/2**31 - 0.5
    // t = np.arange(n); v = v - np.polyval(np.polyfit(t, v, 1), t); R = np.array([np.dot(v[k:], v[:n-k])/n for k in range(n)])
    // K = max(5, int(np.ceil(np.sqrt(np.log10(n))))); c = 2*np.sqrt(np.log10(n)/n); lam = lambda t: 1 if t <= .5 else 2*(1-t)
    // M = 2*max(1, next(m for m in range(n-K) if all(abs(R[m+1:m+K+1]/R[0]) < c)))
    // g = R[0] + sum(2*lam(k/M)*R[k] for k in range(1, M+1)); G = sum(2*lam(k/M)*k*R[k] for k in range(1, M+1))
    // (2*G**2/(4/3*g**2))**(1/3)*n**(1/3): 0.452, 7.287, 25.913 (arch, which takes one lag more: 0.452, 8.175, 26.361)
    expect(blockLength(series(0, 200, 1))).toBe(Math.ceil(200 ** (1 / 3)));
    expect(blockLength(series(0.6, 300, 7))).toBe(8);
    expect(blockLength(series(0.85, 600, 3))).toBe(26);
  });
  it('does not take a trend for correlation', () => {
    const flat = series(0, 300, 5);
    const rising = flat.map((value, i) => value + i / 50);
    expect(blockLength(rising)).toBe(blockLength(flat));
  });
  it('holds one value at least and a third of the series at most', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1, max: 1000, noNaN: true }), { maxLength: 80 }), (all) => {
        expect(blockLength(all)).toBeGreaterThanOrEqual(1);
        expect(blockLength(all)).toBeLessThanOrEqual(Math.max(1, Math.ceil(all.length / 3)));
      }),
    );
  });
});
