import type { LatencyCells } from '../model/latencies.ts';
import { studentQuantile } from './distributions.ts';
import { cellCountOf, mergeCells, percentileOf } from './latencies.ts';
import { mulberry32 } from './random.ts';
import { alpha, expandedTail, percentiles, type RatioInterval } from './ratio.ts';
import { blockLength } from './robust.ts';

const resamples = 1999;
/** Below so many values beyond a percentile there is no telling how far it is off. */
const leastBeyond = 10;
/** Blocks of seconds below which their variance is not known (Chandy, Schifano & Yan 2024). */
const leastBlocks = 10;

/** All values of a recording; three percentiles are read of each, and more than once. */
export function totalOf(seconds: readonly LatencyCells[]): LatencyCells {
  const known = totals.get(seconds) ?? mergeCells(seconds);
  totals.set(seconds, known);
  return known;
}
const totals = new WeakMap<readonly LatencyCells[], LatencyCells>();

/**
 * A percentile of one recording with its 95 % interval: Woodruff (1952, JASA 47), the interval of the share of values above
 * it, read back through the distribution. Of independent values the share's variance would be the binomial one, and the
 * interval that of order statistics; latencies come in stretches, so it is taken from blocks of seconds (batch means of a
 * ratio, Student's t over the blocks), and is the binomial one at least.
 * @param seconds the histogram of each second, in their order
 * @param share 0.99 for p99
 * @returns null with fewer than ten values beyond it, or too few seconds
 */
export function quantileInterval(
  seconds: readonly LatencyCells[],
  share: number,
): { value: number; low: number; high: number } | null {
  const all = totalOf(seconds);
  const n = cellCountOf(all);
  const value = percentileOf(all, share);
  if (n * Math.min(share, 1 - share) < leastBeyond) return null;
  const parts = seconds.map((second) => ({ above: countAbove(second, value), n: cellCountOf(second) }));
  const above = parts.reduce((sum, part) => sum + part.above, 0) / n;
  // What each second adds to the share, were all seconds as busy: its values above, less what is to be expected of its count.
  const residues = parts.map((part) => part.above - above * part.n);
  const block = blockLength(residues);
  const blocks = Math.floor(residues.length / block);
  if (blocks < leastBlocks) return null;
  const sums = Array.from({ length: blocks }, (_, b) =>
    residues.slice(b * block, (b + 1) * block).reduce((sum, residue) => sum + residue, 0),
  );
  const spread = (sums.reduce((sum, s) => sum + s * s, 0) / (blocks - 1)) * (residues.length / block);
  const sd = Math.sqrt(Math.max(spread / n ** 2, (share * (1 - share)) / n));
  const reach = studentQuantile(alpha, blocks - 1) * sd;
  const [from, to] = [share - reach, share + reach];
  if (from * n < 1 || (1 - to) * n < 1) return null;
  return { value, low: percentileOf(all, from), high: percentileOf(all, to) };
}

/**
 * Ratio of a percentile in two recordings, from the interval of each: MOVER for ratios on the logarithms (Zou & Donner 2008,
 * Statistics in Medicine 27; Newcombe 1998). Null where either interval is.
 */
export function quantileRatio(
  base: readonly LatencyCells[],
  side: readonly LatencyCells[],
  share: number,
): RatioInterval | null {
  const [under, over] = [quantileInterval(base, share), quantileInterval(side, share)];
  if (under === null || over === null || under.low <= 0 || over.low <= 0) return null;
  const log = Math.log(over.value / under.value);
  const down = Math.hypot(Math.log(over.value / over.low), Math.log(under.high / under.value));
  const up = Math.hypot(Math.log(over.high / over.value), Math.log(under.value / under.low));
  return { ratio: Math.exp(log), low: Math.exp(log - down), high: Math.exp(log + up) };
}

/**
 * Ratio of a percentile of merged histograms, one histogram a run: whole runs are drawn again and merged (bootstrap of
 * clusters, Davison & Hinkley 1997, section 3.8), since values of one run are alike. The interval's tails are expanded as
 * those of `ratioOfMeans`, by how the runs' own percentiles vary.
 * @param base,side two runs each at least
 */
export function mergedQuantileRatio(
  base: readonly LatencyCells[],
  side: readonly LatencyCells[],
  share: number,
): RatioInterval {
  const random = mulberry32(0x5eed);
  const own = (runs: readonly LatencyCells[]) => runs.map((run) => percentileOf(run, share));
  const tail = expandedTail(own(base), own(side));
  const [under, over] = [drawn(base, share, random), drawn(side, share, random)];
  const ratios = over.map((value, i) => value / (under[i] ?? Number.NaN)).sort();
  const [low, high] = percentiles(ratios, tail);
  const ratio = percentileOf(mergeCells(side), share) / percentileOf(mergeCells(base), share);
  return { ratio, low: Math.min(low, ratio), high: Math.max(high, ratio) };
}

function countAbove({ us, counts }: LatencyCells, limit: number): number {
  return counts.reduce((sum, count, i) => sum + ((us[i] ?? 0) > limit ? count : 0), 0);
}

/** The percentile of as many runs as there are, drawn again and merged, many times over. */
function drawn(runs: readonly LatencyCells[], share: number, random: () => number): Float64Array {
  const us = mergeCells(runs).us;
  const place = new Map(us.map((value, i) => [value, i]));
  const rows = runs.map(({ us: own, counts }) => {
    const row = new Float64Array(us.length);
    for (const [i, value] of own.entries()) row[place.get(value) ?? 0] = counts[i] ?? 0;
    return row;
  });
  const known = new Map<string, number>();
  return Float64Array.from({ length: resamples }, () => {
    const times = new Array<number>(runs.length).fill(0);
    for (const _ of runs) {
      const run = Math.floor(random() * runs.length);
      times[run] = (times[run] ?? 0) + 1;
    }
    // Of few runs the same draw comes up again and again.
    const key = times.join();
    const before = known.get(key);
    if (before !== undefined) return before;
    const counts = us.map((_, i) =>
      rows.reduce((sum, row, run) => sum + (times[run] ?? 0) * (row[i] ?? 0), 0),
    );
    const value = percentileOf({ us, counts }, share);
    known.set(key, value);
    return value;
  });
}
