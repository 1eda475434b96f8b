import type { LatencyHeat } from '../model/latencies.ts';
import { countOf, type Histogram, quantile } from './histogram.ts';

/** A point of the spectrum: `share` of all values are at most `us`. */
export interface SpectrumPoint {
  share: number;
  /** 1 ÷ (1 − share): 1 for 0 %, 10 for 90 %, 100 for 99 %. The x axis of HdrHistogram's plots. */
  odds: number;
  us: number;
}

/** Points in each half of the distance to 100 %, as `PercentileIterator` of HdrHistogram takes five. */
const perHalf = 5;

/**
 * The spectrum of percentiles: the distance to 100 % halved again and again, each half in five steps, up to the last
 * percentile that single values tell of; the highest value stands at the odds of one in all.
 */
export function percentileSpectrum(histogram: Histogram): SpectrumPoint[] {
  const count = countOf(histogram);
  if (count === 0) return [];
  const points: SpectrumPoint[] = [];
  for (let step = 0; ; step += 1) {
    const half = Math.floor(step / perHalf);
    const share = 1 - 0.5 ** half + (0.5 ** (half + 1) * (step % perHalf)) / perHalf;
    const odds = 1 / (1 - share);
    if (odds >= count) break;
    points.push({ share, odds, us: quantile(histogram, share) });
  }
  const highest = histogram.us.at(-1) ?? Number.NaN;
  return [...points, { share: 1 - 1 / count, odds: count, us: highest }];
}

/** Several runs over each other, each from its own start. All have stretches of the same length. */
export function mergeHeat(parts: readonly LatencyHeat[]): LatencyHeat | null {
  const [first] = parts;
  if (first === undefined) return null;
  const columns = new Map<number, Map<number, number>>();
  for (const { at, bands } of parts.flatMap((part) => part.columns)) {
    const column = columns.get(at) ?? new Map<number, number>();
    for (const { band, count } of bands) column.set(band, (column.get(band) ?? 0) + count);
    columns.set(at, column);
  }
  return {
    stepMs: first.stepMs,
    columns: [...columns]
      .sort(([a], [b]) => a - b)
      .map(([at, bands]) => ({
        at,
        bands: [...bands].sort(([a], [b]) => a - b).map(([band, count]) => ({ band, count })),
      })),
  };
}
