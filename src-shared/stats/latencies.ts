import type { LatencyCells, LatencyHeat } from '../model/latencies.ts';

/** All values of several histograms as one: the only way in which percentiles may be put together. */
export function mergeCells(parts: readonly LatencyCells[]): LatencyCells {
  const counts = new Map<number, number>();
  for (const part of parts)
    part.us.forEach((us, i) => {
      counts.set(us, (counts.get(us) ?? 0) + (part.counts[i] ?? 0));
    });
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return { us: sorted.map(([us]) => us), counts: sorted.map(([, count]) => count) };
}

export function cellCountOf({ counts }: Pick<LatencyCells, 'counts'>): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * The latency that at least `share` of the values reach at most: the upper end of the first cell at which as many are
 * counted, as HdrHistogram has it; NaN without values.
 * @param share 0 to 1
 */
export function percentileOf(cells: LatencyCells, share: number): number {
  // Rounded first: 0.9999 × 10,000 is a little above 9,999 in binary.
  const wanted = Math.max(1, Math.ceil(Number((share * cellCountOf(cells)).toPrecision(12))));
  let seen = 0;
  for (const [i, count] of cells.counts.entries()) {
    seen += count;
    if (seen >= wanted) return cells.us[i] ?? Number.NaN;
  }
  return Number.NaN;
}

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
export function percentileSpectrum(cells: LatencyCells): SpectrumPoint[] {
  const count = cellCountOf(cells);
  if (count === 0) return [];
  const points: SpectrumPoint[] = [];
  for (let step = 0; ; step += 1) {
    const half = Math.floor(step / perHalf);
    const share = 1 - 0.5 ** half + (0.5 ** (half + 1) * (step % perHalf)) / perHalf;
    const odds = 1 / (1 - share);
    if (odds >= count) break;
    points.push({ share, odds, us: percentileOf(cells, share) });
  }
  const highest = cells.us.at(-1) ?? Number.NaN;
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
