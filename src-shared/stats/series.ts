/** Time series on the elapsed axis, as columns: what charts draw and legends sum up. */

export interface Series {
  /** Milliseconds, not falling. */
  readonly x: ArrayLike<number>;
  /** NaN where there is nothing: drawn as a gap, left out of every statistic. */
  readonly y: ArrayLike<number>;
  /**
   * Length of each interval, ms. Present only where a mean over time has a meaning: rates and utilisations. With it the
   * mean is Σ(y·weight) ÷ Σ weight, which for rates is the sum of what was counted over the sum of the time.
   */
  readonly weight?: ArrayLike<number> | undefined;
}

export interface SeriesSummary {
  min: number;
  /** NaN where the series has no weights: a mean of percentiles says nothing. */
  mean: number;
  max: number;
  last: number;
  /** Values that were not gaps. */
  count: number;
}

/** Index of the first element that is not below `at`; the length where all are. `x` must not fall. */
export function lowerBound(x: ArrayLike<number>, at: number): number {
  let low = 0;
  let high = x.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((x[middle] ?? Number.NaN) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index one past the last element that is not above `at`. */
export function upperBound(x: ArrayLike<number>, at: number): number {
  let low = 0;
  let high = x.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((x[middle] ?? Number.NaN) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Figures of the points with `from` ≤ x ≤ `to`; all NaN where there are none. */
export function summarize(series: Series, from = -Infinity, to = Infinity): SeriesSummary {
  const { x, y, weight } = series;
  const end = upperBound(x, to);
  const result = { min: Number.NaN, mean: Number.NaN, max: Number.NaN, last: Number.NaN, count: 0 };
  let sum = 0;
  let total = 0;
  for (let i = lowerBound(x, from); i < end; i += 1) {
    const value = y[i] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    if (!(result.min <= value)) result.min = value;
    if (!(result.max >= value)) result.max = value;
    result.last = value;
    result.count += 1;
    const w = weight?.[i] ?? 0;
    sum += value * w;
    total += w;
  }
  if (total > 0) result.mean = sum / total;
  return result;
}

/** Index of the point nearest to `at`, gaps left out; −1 where there is none within `tolerance` ms. */
export function nearest(series: Series, at: number, tolerance = Infinity): number {
  const { x, y } = series;
  const start = lowerBound(x, at);
  let best = -1;
  let distance = tolerance;
  const consider = (i: number): boolean => {
    const d = Math.abs((x[i] ?? Number.NaN) - at);
    if (d > distance) return true;
    if (Number.isNaN(y[i] ?? Number.NaN)) return false;
    best = i;
    distance = d;
    return true;
  };
  for (let i = start; i < x.length; i += 1) if (consider(i)) break;
  for (let i = start - 1; i >= 0; i -= 1) if (consider(i)) break;
  return best;
}
