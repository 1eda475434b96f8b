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

/** What was counted on a stretch of an axis that need not be time: rows loaded, for one. */
export interface Stretch {
  from: number;
  /** Not below `from`. */
  to: number;
  sum: number;
  /** How long it took, ms. */
  ms: number;
}

/**
 * Puts intervals on a grid of `stepMs`, so that runs lie over each other. Each interval goes whole to the cell of its
 * middle: no count is split, the sums stay exact, and a cell's rate is the sum of its counts ÷ the sum of its lengths.
 * A rest of less than half a cell at the end joins the cell before it: the rate of an instant says nothing. Intervals of
 * several runs give the rate of all of them together.
 */
export function rebin(intervals: readonly Interval[], stepMs: number): Series {
  return rebinStretches(
    intervals.map(({ fromMs, toMs, sum }) => ({ from: fromMs, to: toMs, sum, ms: toMs - fromMs })),
    stepMs,
  );
}

/** As `rebin`, on any axis. The weights are milliseconds. */
export function rebinStretches(stretches: readonly Stretch[], step: number): Series {
  const cells = new Map<number, { sum: number; ms: number; length: number; from: number; to: number }>();
  for (const { from, to, sum, ms } of stretches) {
    const index = Math.floor((from + to) / 2 / step);
    const cell = cells.get(index) ?? { sum: 0, ms: 0, length: 0, from, to };
    cell.sum += sum;
    cell.ms += ms;
    cell.length += to - from;
    cell.from = Math.min(cell.from, from);
    cell.to = Math.max(cell.to, to);
    cells.set(index, cell);
  }
  const last = Math.max(...cells.keys());
  const rest = cells.get(last);
  const before = cells.get(last - 1);
  if (rest && before && rest.length < step / 2) {
    before.sum += rest.sum;
    before.ms += rest.ms;
    before.to = Math.max(before.to, rest.to);
    cells.delete(last);
  }
  const x: number[] = [];
  const y: number[] = [];
  const weight: number[] = [];
  let previous = Number.NaN;
  let end = Number.NaN;
  for (const [index, cell] of [...cells].sort(([a], [b]) => a - b)) {
    // A cell that nothing has its middle in is no gap where a longer stretch lies over it.
    if (index > previous + 1 && cell.from - end > step / 2)
      push(x, y, weight, (previous + 1.5) * step, Number.NaN, 0);
    push(x, y, weight, (index + 0.5) * step, perSecond(cell.sum, cell.ms), cell.ms);
    previous = index;
    end = cell.to;
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
