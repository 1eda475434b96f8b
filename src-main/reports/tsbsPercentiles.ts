import type { JsHistogram } from 'hdr-histogram-js';
import { goFixed } from './goFormat.ts';

const usPerMs = 1000;

/**
 * The file that TSBS's query runner writes with `--hdr-latencies`: percentiles as the Go port of HdrHistogram prints them,
 * values in milliseconds.
 * @param histogram of microseconds, not empty
 * @param ticks that each halving of the distance to 100 % is cut into
 * @param unit of what is printed, in that of the histogram
 */
export function hdrLatencies(histogram: JsHistogram, ticks = 10, unit = usPerMs): string {
  const total = histogram.totalCount;
  const rows: string[] = [];
  const row = (value: number, percentile: number, count: number) => {
    const fraction = percentile / 100;
    const inverse = fraction === 1 ? 'inf' : goFixed(1 / (1 - fraction), 2);
    rows.push(
      `${goFixed(value / unit, 3).padStart(12)} ${goFixed(fraction, 6).padStart(12)} ${String(count).padStart(12)} ${inverse.padStart(12)}`,
    );
  };
  let level = 0;
  let last = 0;
  let reached = 0;
  for (const { value, count } of cellsOf(histogram)) {
    reached += count;
    last = value;
    // Of the cell with the greatest values only one step is told before the 100 % that end the list.
    do {
      if (level > (100 * reached) / total) break;
      row(value, level, reached);
      level += 100 / (ticks * halfDistance(level));
    } while (reached < total);
  }
  row(last, 100, total);
  const figure = (value: number) => goFixed(value / unit, 3).padStart(12);
  const whole = (n: number) => String(n).padStart(12);
  return [
    ' Value\tPercentile\tTotalCount\t1/(1-Percentile)',
    '',
    ...rows,
    `#[Mean    = ${figure(histogram.mean)}, StdDeviation   = ${figure(histogram.stdDeviation)}]`,
    `#[Max     = ${figure(last)}, Total count    = ${whole(total)}]`,
    `#[Buckets = ${whole(histogram.bucketCount)}, SubBuckets     = ${whole(histogram.subBucketCount)}]`,
    '',
  ].join('\n');
}

/** 2 below 50 %, 4 below 75 %, 8 below 87.5 % and so on. */
function halfDistance(level: number): number {
  return 2 ** (Math.trunc(Math.log2(100 / (100 - level))) + 1);
}

/** The cells that hold something: the greatest value of each, and how many values it has. */
function* cellsOf(histogram: JsHistogram): Generator<{ value: number; count: number }> {
  for (let index = 0; index < histogram.countsArrayLength; index += 1) {
    const count = histogram.getCountAtIndex(index);
    if (count > 0) yield { value: histogram.highestEquivalentValue(histogram.valueFromIndex(index)), count };
  }
}
