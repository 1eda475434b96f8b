import {
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  Int32Histogram,
  JsHistogram,
} from 'hdr-histogram-js';
import type { Latency } from '../../src-shared/model/latency.ts';

/** Range of the histograms, µs: 1 µs to 1 hour. Shorter counts as 1 µs, longer as 1 hour. */
const lowestUs = 1;
export const highestUs = 3_600_000_000;
/** Every value is kept to better than 1 in 1,000. */
const significantDigits = 3;

/**
 * Durations as an HDR histogram with their exact sum. Durations are rounded to whole µs before anything is done with
 * them, so that sums are integers and adding up parts gives exactly the whole, in whatever order.
 *
 * The histogram is the JavaScript one: 50 ns a value against 17 ns in WebAssembly, which is nothing beside an operation
 * over a network, and its memory is the garbage collector's to free.
 */
export class Distribution {
  readonly #histogram: JsHistogram;
  #sumUs: number;

  constructor(
    histogram: JsHistogram = new Int32Histogram(lowestUs, highestUs, significantDigits),
    sumUs = 0,
  ) {
    this.#histogram = histogram;
    this.#sumUs = sumUs;
  }

  /** From what `encode` and `sumUs` gave. @throws Error where the text is no V2 histogram */
  static decode(text: string, sumUs: number): Distribution {
    const histogram = decodeFromCompressedBase64(text, 32, false);
    if (!(histogram instanceof JsHistogram)) throw new Error('not a plain histogram');
    return new Distribution(histogram, sumUs);
  }

  get count(): number {
    return this.#histogram.totalCount;
  }
  /** Exact sum of the recorded (rounded, clamped) values, µs. */
  get sumUs(): number {
    return this.#sumUs;
  }

  recordNs(ns: number): void {
    const us = Math.min(highestUs, Math.max(lowestUs, Math.round(ns / 1000)));
    this.#histogram.recordValue(us);
    this.#sumUs += us;
  }

  add(other: Distribution): void {
    this.#histogram.add(other.#histogram);
    this.#sumUs += other.#sumUs;
  }

  reset(): void {
    this.#histogram.reset();
    this.#sumUs = 0;
  }

  /** V2 compressed base64, as public HdrHistogram tools read it. */
  encode(): string {
    return encodeIntoCompressedBase64(this.#histogram);
  }

  /** The cells in use: the middle of each in milliseconds, and how many values it has. */
  *cellsMs(): Generator<readonly [ms: number, count: number]> {
    for (const [low, count] of this.#cells())
      yield [this.#histogram.medianEquivalentValue(low) / 1000, count];
  }

  /** The cells in use: the upper end of each in microseconds, which percentiles are told by, and how many values it has. */
  *cellsUs(): Generator<readonly [us: number, count: number]> {
    for (const [low, count] of this.#cells()) yield [this.#histogram.highestEquivalentValue(low), count];
  }

  *#cells(): Generator<readonly [low: number, count: number]> {
    let seen = 0;
    for (let i = 0; seen < this.count && i < this.#histogram.countsArrayLength; i += 1) {
      const count = this.#histogram.getCountAtIndex(i);
      if (count === 0) continue;
      seen += count;
      yield [this.#histogram.valueFromIndex(i), count];
    }
  }

  /** null while nothing is recorded. */
  summarize(): Latency | null {
    return this.count === 0 ? null : summarize(this.#histogram, this.#sumUs);
  }
}

/**
 * The one function that makes a `Latency` of a histogram of µs that is not empty.
 *
 * Percentile p is the upper end of the first cell at which at least p % of the values are reached; min is the lower end of
 * the lowest cell in use, max the upper end of the highest, as TSBS and HdrHistogram have it: a stored histogram read back
 * gives the same figures. The mean is sum ÷ count, exact; the standard deviation is the population's, of the cells'
 * middles around that mean.
 */
function summarize(histogram: JsHistogram, sumUs: number): Latency {
  const count = histogram.totalCount;
  const mean = sumUs / count;
  // In thousandths, so that the number of values asked for is computed in whole numbers.
  const wanted = [500, 900, 950, 990, 999].map((p) => Math.ceil((p * count) / 1000));
  const found = [0, 0, 0, 0, 0];
  let next = 0;
  let seen = 0;
  let squares = 0;
  let min = 0;
  let max = 0;
  for (let i = 0; seen < count && i < histogram.countsArrayLength; i += 1) {
    const n = histogram.getCountAtIndex(i);
    if (n === 0) continue;
    const low = histogram.valueFromIndex(i);
    max = histogram.highestEquivalentValue(low);
    if (seen === 0) min = low;
    seen += n;
    const deviation = histogram.medianEquivalentValue(low) - mean;
    squares += deviation * deviation * n;
    for (let w = wanted[next]; w !== undefined && seen >= w; w = wanted[next]) found[next++] = max;
  }
  const [p50 = 0, p90 = 0, p95 = 0, p99 = 0, p999 = 0] = found;
  return { count, min, mean, p50, p90, p95, p99, p999, max, stddev: Math.sqrt(squares / count), sum: sumUs };
}
