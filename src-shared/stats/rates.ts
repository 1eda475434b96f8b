import type { Series } from './series.ts';

/** What was counted between two moments. */
export interface Interval {
  /** ms */
  fromMs: number;
  /** ms, above `fromMs` */
  toMs: number;
  /** Rows, operations, errors: a sum, never a rate. */
  sum: number;
}

/** Per second. NaN for no time. */
export function perSecond(sum: number, ms: number): number {
  return ms > 0 ? (sum * 1000) / ms : Number.NaN;
}

/** Time between the end of one interval and the start of the next from which on the line is broken. */
export const gapMs = 500;

/** The rate of each interval, at its end; a gap where time passed unmeasured. */
export function intervalRates(intervals: readonly Interval[]): Series {
  return build(intervals, (interval) => perSecond(interval.sum, interval.toMs - interval.fromMs), true);
}

/** Everything so far ÷ all measured time so far: TSBS's "overall". */
export function overallRates(intervals: readonly Interval[]): Series {
  let sum = 0;
  let ms = 0;
  return build(
    intervals,
    (interval) => {
      sum += interval.sum;
      ms += interval.toMs - interval.fromMs;
      return perSecond(sum, ms);
    },
    false,
  );
}

/**
 * Puts intervals on a grid of `stepMs`, so that runs lie over each other. Each interval goes whole to the cell of its
 * middle: no count is split, the sums stay exact, and a cell's rate is the sum of its counts ÷ the sum of its lengths.
 */
export function rebin(intervals: readonly Interval[], stepMs: number): Series {
  const cells = new Map<number, { sum: number; ms: number }>();
  for (const { fromMs, toMs, sum } of intervals) {
    const index = Math.floor((fromMs + toMs) / 2 / stepMs);
    const cell = cells.get(index) ?? { sum: 0, ms: 0 };
    cell.sum += sum;
    cell.ms += toMs - fromMs;
    cells.set(index, cell);
  }
  const x: number[] = [];
  const y: number[] = [];
  const weight: number[] = [];
  let previous = Number.NaN;
  for (const [index, cell] of [...cells].sort(([a], [b]) => a - b)) {
    if (index > previous + 1) push(x, y, weight, (previous + 1.5) * stepMs, Number.NaN, 0);
    push(x, y, weight, (index + 0.5) * stepMs, perSecond(cell.sum, cell.ms), cell.ms);
    previous = index;
  }
  return { x, y, weight };
}

/** A step of 1, 2, 5, 10, 15, 30 s, 1, 2, 5, 10 … min that puts `spanMs` into at most `cells` cells. */
export function gridStep(spanMs: number, cells: number): number {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600].map((s) => s * 1000);
  const wanted = spanMs / cells;
  return steps.find((step) => step >= wanted) ?? Math.ceil(wanted / 3_600_000) * 3_600_000;
}

function build(
  intervals: readonly Interval[],
  value: (interval: Interval) => number,
  weighted: boolean,
): Series {
  const x: number[] = [];
  const y: number[] = [];
  const weight: number[] = [];
  let end = Number.NaN;
  for (const interval of intervals) {
    if (interval.fromMs - end > gapMs) push(x, y, weight, interval.fromMs, Number.NaN, 0);
    push(x, y, weight, interval.toMs, value(interval), interval.toMs - interval.fromMs);
    end = interval.toMs;
  }
  return weighted ? { x, y, weight } : { x, y };
}

function push(x: number[], y: number[], weight: number[], at: number, value: number, length: number): void {
  x.push(at);
  y.push(value);
  weight.push(length);
}
