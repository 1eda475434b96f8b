/** Statistics of values that depend on those before them, and of lines through values with outliers. */

import { normalCdf, studentQuantile } from './distributions.ts';
import { mulberry32 } from './random.ts';

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The middle value, or the mean of the two middle ones; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * Length of a block that holds the correlation of a series: Politis & White (2004, Econometric Reviews 23), for moving blocks,
 * as corrected by Patton, Politis & White (2009): (3/2 · G² ÷ S²)^(1/3) · n^(1/3), S the long-run variance and G its sum of
 * |k|·γₖ, both with a flat-top window that ends where autocorrelations are no longer told from 0. At least n^(1/3) (Künsch
 * 1989), at most 3·√n and a third of the series. The line through the values is taken out before: a trend is what is looked
 * for, and would seem to be correlation without an end.
 */
export function blockLength(values: readonly number[]): number {
  const n = values.length;
  if (n < 3) return 1;
  const most = Math.ceil(Math.min(3 * Math.sqrt(n), n / 3));
  return Math.min(most, Math.max(Math.ceil(n ** (1 / 3)), Math.ceil(politisWhite(withoutLine(values)))));
}

function politisWhite(centred: readonly number[]): number {
  const n = centred.length;
  const covariance = (k: number) => {
    let sum = 0;
    for (let i = k; i < n; i += 1) sum += (centred[i] ?? 0) * (centred[i - k] ?? 0);
    return sum / n;
  };
  const variance = covariance(0);
  if (variance === 0) return 1;
  const window = 2 * lastCorrelation((k) => covariance(k) / variance, n);
  let longRun = variance;
  let weighted = 0;
  for (let k = 1; k <= window; k += 1) {
    const flatTop = k <= window / 2 ? 1 : 2 * (1 - k / window);
    longRun += 2 * flatTop * covariance(k);
    weighted += 2 * flatTop * k * covariance(k);
  }
  return longRun > 0 ? ((1.5 * weighted ** 2) / longRun ** 2) ** (1 / 3) * n ** (1 / 3) : 1;
}

/** The lag after which five autocorrelations in a row (more of long series) are within chance, 2·√(log₁₀ n ÷ n); 1 at least. */
function lastCorrelation(correlation: (k: number) => number, n: number): number {
  const inRow = Math.max(5, Math.ceil(Math.sqrt(Math.log10(n))));
  const most = Math.ceil(Math.sqrt(n)) + inRow;
  const chance = 2 * Math.sqrt(Math.log10(n) / n);
  let quiet = 0;
  for (let k = 1; k <= most && k < n; k += 1) {
    quiet = Math.abs(correlation(k)) < chance ? quiet + 1 : 0;
    if (quiet === inRow) return Math.max(1, k - inRow);
  }
  return Math.max(1, Math.floor(Math.min(most, n - 1) / 2));
}

/** What is left of values when the least-squares line through them is taken out. */
function withoutLine(values: readonly number[]): number[] {
  const middle = (values.length - 1) / 2;
  const m = mean(values);
  let covariance = 0;
  let variance = 0;
  values.forEach((value, i) => {
    covariance += (i - middle) * (value - m);
    variance += (i - middle) ** 2;
  });
  const slope = variance > 0 ? covariance / variance : 0;
  return values.map((value, i) => value - m - slope * (i - middle));
}

const resamples = 1999;

/** A series without what each value takes over from the one before. */
export interface Whitened {
  mean: number;
  /** Share that is taken over, 0 to 0.97. */
  phi: number;
  /** What is left, around 0; one less than there are values. */
  residuals: number[];
}

/**
 * Takes the autocorrelation of lag 1 out of a series, that estimate being corrected for its bias downward, (1 + 4φ) ÷ n
 * (Kendall 1954). A negative one stays in: it makes intervals too wide, not too narrow.
 */
export function whitened(values: readonly number[]): Whitened {
  const m = mean(values);
  const centred = values.map((value) => value - m);
  const squares = centred.reduce((sum, value) => sum + value * value, 0);
  const products = centred.reduce((sum, value, i) => sum + value * (centred[i - 1] ?? 0), 0);
  const found = squares > 0 ? products / squares : 0;
  const phi = Math.min(0.97, Math.max(0, found + (1 + 4 * found) / values.length));
  const residuals = centred.slice(1).map((value, i) => value - phi * (centred[i] ?? 0));
  const middle = mean(residuals);
  return { mean: m, phi, residuals: residuals.map((residual) => residual - middle) };
}

/** How many independent values the mean of a series is worth: n·(1 − φ) ÷ (1 + φ), that of an autoregression. */
export function effectiveSize({ phi, residuals }: Whitened): number {
  return ((residuals.length + 1) * (1 - phi)) / (1 + phi);
}

/**
 * Ratio of the means of two series, less 1, with its 95 % interval: a moving-block bootstrap (Künsch 1989) of what is left when
 * the autocorrelation of lag 1 is taken out, which is put in again afterwards (post-blackening: Davison & Hinkley 1997,
 * section 8.2.3). Blocks of the series itself lose the correlation at their ends, and come out too narrow by half where it is
 * strong. Percentiles of the resampled ratios; of few blocks these are too narrow too: the tails are cut where Student's t for as
 * many blocks has its 2.5 %, widened by √(k ÷ (k − 1)) (Hesterberg 2015, section 5.2). The same series give the same
 * interval: the generator's seed is fixed.
 */
export function bootstrapRatio(
  over: readonly number[],
  under: readonly number[],
  block: number,
): { value: number; low: number; high: number } {
  const random = mulberry32(0x5eed);
  const [above, below] = [whitened(over), whitened(under)];
  const ratios: number[] = [];
  for (let i = 0; i < resamples; i += 1)
    ratios.push(resampledMean(above, block, random) / resampledMean(below, block, random) - 1);
  ratios.sort((a, b) => a - b);
  const at = (p: number) => ratios[Math.round(p * (resamples - 1))] ?? Number.NaN;
  const sizes = [over.length / block, under.length / block, effectiveSize(above), effectiveSize(below)];
  const blocks = Math.max(2, Math.floor(Math.min(...sizes)));
  const reach = Math.sqrt(blocks / (blocks - 1)) * studentQuantile(0.05, 2 * (blocks - 1));
  const tail = normalCdf(-reach);
  return { value: mean(over) / mean(under) - 1, low: at(tail), high: at(1 - tail) };
}

/** The mean of the series, were its residuals those drawn: as many as there are, in blocks of neighbours. */
function resampledMean({ mean: m, phi, residuals }: Whitened, block: number, random: () => number): number {
  const length = Math.min(block, residuals.length);
  if (length === 0) return m;
  const blocks = Math.ceil(residuals.length / length);
  let sum = 0;
  for (let b = 0; b < blocks; b += 1) {
    const start = Math.floor(random() * (residuals.length - length + 1));
    for (let i = start; i < start + length; i += 1) sum += residuals[i] ?? 0;
  }
  return m + sum / (blocks * length) / (1 - phi);
}

/**
 * Slope per step of the line through values at 0, 1, 2 …: the median of the slopes of all pairs (Theil 1950), and its
 * 95 % interval by Kendall's variance (Sen 1968, no ties). Needs two values.
 */
export function theilSen(values: readonly number[]): { slope: number; low: number; high: number } {
  const n = values.length;
  const slopes: number[] = [];
  for (let i = 0; i < n; i += 1)
    for (let j = i + 1; j < n; j += 1) slopes.push(((values[j] ?? 0) - (values[i] ?? 0)) / (j - i));
  slopes.sort((a, b) => a - b);
  const reach = 1.959964 * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const at = (index: number) => slopes[Math.min(slopes.length - 1, Math.max(0, index))] ?? Number.NaN;
  return {
    slope: median(slopes),
    low: at(Math.floor((slopes.length - reach) / 2) - 1),
    high: at(Math.ceil((slopes.length + reach) / 2)),
  };
}
