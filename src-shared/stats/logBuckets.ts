/**
 * sysbench's histogram of latencies: 1,024 buckets in steps of 1.82 % from 1 µs to 100 s. Benchberry's own figures come from
 * HDR histograms; this is for reports that are to read as sysbench's own.
 */
const buckets = 1024;
const lowestMs = 0.001;
const highestMs = 100_000;
/** Buckets for each factor e. */
const perE = (buckets - 1) / Math.log(highestMs / lowestMs);

/** Counts of neighbouring buckets; all below `first` and beyond the last are 0. Plain data. */
export interface LogBuckets {
  first: number;
  counts: number[];
}

export const noBuckets: LogBuckets = { first: 0, counts: [] };

/** Bucket of a latency; what is shorter or longer than all goes into the first or the last. @param ms above 0 */
export function bucketOf(ms: number): number {
  const index = Math.floor(Math.log(ms / lowestMs) * perE + 0.5);
  return Math.min(buckets - 1, Math.max(0, index));
}

/** The latency that a bucket stands for, ms. */
export function bucketMs(bucket: number): number {
  return Math.exp(bucket / perE) * lowestMs;
}

/** Counts of values, each with how often it was there. @param cells ms above 0, in any order */
export function toBuckets(cells: Iterable<readonly [ms: number, count: number]>): LogBuckets {
  const counts = new Array<number>(buckets).fill(0);
  for (const [ms, count] of cells) {
    const bucket = bucketOf(ms);
    counts[bucket] = (counts[bucket] ?? 0) + count;
  }
  return trimmed(0, counts);
}

export function addBuckets(parts: readonly LogBuckets[]): LogBuckets {
  const first = Math.min(...parts.map((part) => part.first));
  const end = Math.max(...parts.map((part) => part.first + part.counts.length));
  if (parts.length === 0) return noBuckets;
  const counts = new Array<number>(end - first).fill(0);
  for (const part of parts)
    part.counts.forEach((count, i) => {
      const at = part.first - first + i;
      counts[at] = (counts[at] ?? 0) + count;
    });
  return trimmed(first, counts);
}

function trimmed(first: number, counts: readonly number[]): LogBuckets {
  const from = counts.findIndex((count) => count > 0);
  if (from < 0) return noBuckets;
  const to = counts.findLastIndex((count) => count > 0);
  return { first: first + from, counts: counts.slice(from, to + 1) };
}

/** Every bucket in use, in order. */
export function* usedBuckets({ first, counts }: LogBuckets): Generator<{ ms: number; count: number }> {
  for (const [i, count] of counts.entries()) if (count > 0) yield { ms: bucketMs(first + i), count };
}

/**
 * sysbench's percentile: the value of the first bucket with which p % of all, rounded to a whole number, are reached; that
 * of the lowest bucket where there are none.
 * @param percent 1 to 100
 * @returns ms
 */
export function bucketPercentile({ first, counts }: LogBuckets, percent: number): number {
  const needed = Math.floor((counts.reduce((sum, n) => sum + n, 0) * percent) / 100 + 0.5);
  let seen = 0;
  for (const [i, count] of counts.entries()) {
    seen += count;
    if (seen >= needed) return bucketMs(first + i);
  }
  return bucketMs(0);
}
