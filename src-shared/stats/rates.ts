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

/** Unmeasured time, ms, between two intervals from which on a line is broken. */
export const gapMs = 500;

/** An interval shorter than this has no rate of its own: it is counted with the one before. */
export const shortestMs = 500;

/**
 * Puts intervals on a grid of `stepMs`, so that runs lie over each other. Each interval goes whole to the cell of its
 * middle: no count is split, the sums stay exact, and a cell's rate is the sum of its counts ÷ the sum of its lengths.
 * A rest of less than half a cell at the end joins the cell before it: the rate of an instant says nothing.
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
  const last = Math.max(...cells.keys());
  const rest = cells.get(last);
  const before = cells.get(last - 1);
  if (rest && before && rest.ms < stepMs / 2) {
    before.sum += rest.sum;
    before.ms += rest.ms;
    cells.delete(last);
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

function push(x: number[], y: number[], weight: number[], at: number, value: number, length: number): void {
  x.push(at);
  y.push(value);
  weight.push(length);
}
