/** Statistics of values that depend on those before them, and of lines through values with outliers. */

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
 * How many values the mean of a series is worth, were they independent: n / (1 + 2 Σ ρₖ) (Bartlett 1946), autocorrelations
 * summed up to the first that is not positive. At least 1; n where nothing varies.
 */
export function effectiveSize(values: readonly number[]): number {
  const n = values.length;
  const m = mean(values);
  const centred = values.map((value) => value - m);
  const variance = centred.reduce((sum, value) => sum + value * value, 0);
  if (variance === 0) return n;
  let sum = 0;
  for (let k = 1; k < n; k += 1) {
    let covariance = 0;
    for (let i = k; i < n; i += 1) covariance += (centred[i] ?? 0) * (centred[i - k] ?? 0);
    if (covariance <= 0) break;
    sum += covariance / variance;
  }
  return Math.max(1, n / (1 + 2 * sum));
}

/**
 * Length of a block that holds the correlation: n ÷ its effective size, and n^(1/3) at least (Künsch 1989). The line through
 * the values is taken out before: a trend is what is looked for, and would seem to be correlation without an end.
 */
export function blockLength(values: readonly number[]): number {
  const n = values.length;
  if (n === 0) return 1;
  return Math.max(Math.ceil(n ** (1 / 3)), Math.ceil(n / effectiveSize(withoutLine(values))));
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

const resamples = 999;

/**
 * Ratio of the means of two series, less 1, with its 95 % interval: moving-block bootstrap (Künsch 1989), percentiles of
 * the resampled ratios. The same series give the same interval: the generator's seed is fixed.
 */
export function bootstrapRatio(
  over: readonly number[],
  under: readonly number[],
  block: number,
): { value: number; low: number; high: number } {
  const random = mulberry32(0x5eed);
  const ratios: number[] = [];
  for (let i = 0; i < resamples; i += 1)
    ratios.push(resampledMean(over, block, random) / resampledMean(under, block, random) - 1);
  ratios.sort((a, b) => a - b);
  const at = (p: number) => ratios[Math.round(p * (resamples - 1))] ?? Number.NaN;
  return { value: mean(over) / mean(under) - 1, low: at(0.025), high: at(0.975) };
}

/** Mean of as many values as there are, drawn in blocks of neighbours. */
function resampledMean(values: readonly number[], block: number, random: () => number): number {
  const length = Math.min(block, values.length);
  const blocks = Math.ceil(values.length / length);
  let sum = 0;
  for (let b = 0; b < blocks; b += 1) {
    const start = Math.floor(random() * (values.length - length + 1));
    for (let i = start; i < start + length; i += 1) sum += values[i] ?? 0;
  }
  return sum / (blocks * length);
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

/** Tommy Ettinger's generator of 32 bits: small, and good enough to choose blocks. */
function mulberry32(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
