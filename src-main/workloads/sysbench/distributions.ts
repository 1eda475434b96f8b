import type { Random } from './random.ts';

export const randTypes = ['special', 'uniform', 'gaussian', 'pareto', 'zipfian'] as const;

/** sysbench's `--rand-*` options. */
export interface DistributionOptions {
  randType: (typeof randTypes)[number];
  /** Uniform numbers that a bell-shaped one is the mean of. */
  randSpecIter: number;
  /** `special`: width of the window at the centre, percent of the range. */
  randSpecPct: number;
  /** `special`: percent of the draws that fall into the window. */
  randSpecRes: number;
  /** `pareto`: share h of the range gets share 1 − h of the draws. */
  randParetoH: number;
  /** `zipfian`: exponent theta. */
  randZipfianExp: number;
}

/** A whole number in [from, to], both ends included. */
export type Draw = (from: number, to: number) => number;

/**
 * sysbench's distributions. Formulas: sysbench 1.0.20, `zipfian` of the development version.
 * @param wholeWindow sysbench 0.4: `special` hits its whole window; 1.0 draws once for both decisions, so that only the
 * upper part of the window is ever hit
 */
export function createDraw(random: Random, options: DistributionOptions, wholeWindow = false): Draw {
  const { randType, randSpecIter, randSpecPct, randSpecRes, randParetoH, randZipfianExp } = options;

  function bell(): number {
    let sum = 0;
    for (let i = 0; i < randSpecIter; i += 1) sum += random.uniform();
    return sum / randSpecIter;
  }

  switch (randType) {
    case 'uniform':
      return (from, to) => random.between(from, to);
    case 'gaussian':
      return (from, to) => from + Math.floor(bell() * (to - from + 1));
    case 'special': {
      // of 100 percent nothing is left for the bell, and the division says so
      const spread = randSpecRes >= 100 ? Number.POSITIVE_INFINITY : 100 / (100 - randSpecRes);
      return (from, to) => {
        const t = to - from;
        const u = random.uniform();
        if (u * spread < 1) return from + Math.floor(t * bell());
        const width = (t * randSpecPct) / 100;
        const at = wholeWindow ? random.uniform() : u;
        return Math.min(to, from + Math.floor(at * (width + 1) + t / 2 - width / 2));
      };
    }
    case 'pareto': {
      const power = Math.log(randParetoH) / Math.log(1 - randParetoH);
      return (from, to) => from + Math.floor((to - from + 1) * random.uniform() ** power);
    }
    case 'zipfian':
      return zipfian(random, randZipfianExp);
  }
}

/**
 * P(k-th value) ∝ k^−theta by rejection-inversion: W. Hörmann, G. Derflinger, "Rejection-inversion to generate variates
 * from monotone discrete distributions", ACM TOMACS 6(3), 1996. The constants of a range are kept until another is asked for.
 */
function zipfian(random: Random, theta: number): Draw {
  /** Integral of x^−theta from 1, up to a constant. */
  const h = (x: number) => {
    const log = Math.log(x);
    return expm1Ratio((1 - theta) * log) * log;
  };
  const hInverse = (x: number) => Math.exp(log1pRatio(Math.max(-1, x * (1 - theta))) * x);
  const density = (x: number) => Math.exp(-theta * Math.log(x));
  const low = h(1.5) - 1;
  const sure = 2 - hInverse(h(2.5) - density(2));
  let values = 0;
  let high = 0;
  return (from, to) => {
    const n = to - from + 1;
    if (n !== values) {
      values = n;
      high = h(n + 0.5);
    }
    for (;;) {
      const u = high + random.uniform() * (low - high);
      const x = hInverse(u);
      const k = Math.min(n, Math.max(1, Math.floor(x + 0.5)));
      if (k - x <= sure || u >= h(k + 0.5) - density(k)) return from + k - 1;
    }
  };
}

/** (e^x − 1) / x, also near 0. */
function expm1Ratio(x: number): number {
  return Math.abs(x) > 1e-8 ? Math.expm1(x) / x : 1 + x / 2;
}
/** ln(1 + x) / x, also near 0. */
function log1pRatio(x: number): number {
  return Math.abs(x) > 1e-8 ? Math.log1p(x) / x : 1 - x / 2;
}
