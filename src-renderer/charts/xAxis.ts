import { formatAxisTime, timeTicks, zeroBasedAxis } from '../../src-shared/axis.ts';
import { formatCount, formatElapsed } from '../../src-shared/units.ts';
import { formatTick } from './panel.ts';

/** What the panels of a group have along their bottom. */
export interface XAxisKind {
  /** At most about `count` round places within the window. */
  ticks(from: number, to: number, count: number): number[];
  /** On the axis, for a window of that width. */
  formatTick(value: number, window: number): string;
  /** In words: legend, slider. */
  format(value: number): string;
  /** Of a screen reader's slider: `moment`. */
  noun: string;
  /** First column of a CSV, and its values. */
  csv: { head: string; of(value: number): number };
}

/** Milliseconds since the start. */
export const elapsedAxis: XAxisKind = {
  ticks: timeTicks,
  formatTick: formatAxisTime,
  format: formatElapsed,
  noun: 'moment',
  csv: { head: 'elapsed s', of: (ms) => ms / 1000 },
};

/** Rows that were loaded by then. */
export const rowsAxis: XAxisKind = {
  ticks: (from, to, count) => {
    const { ticks } = zeroBasedAxis(to - from, 1);
    const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
    const first = Math.ceil(from / step);
    const all = Array.from({ length: Math.floor(to / step) - first + 1 }, (_, i) => (first + i) * step);
    const every = Math.ceil(all.length / Math.max(1, count));
    return all.filter((_, i) => i % every === 0);
  },
  formatTick: (rows) => (rows >= 10_000 ? shortCount(rows) : formatTick(rows)),
  format: (rows) => `${formatCount(rows)} rows`,
  noun: 'rows loaded',
  csv: { head: 'rows loaded', of: Math.round },
};

/** `1.5M`: where full digits would not fit. */
function shortCount(rows: number): string {
  const millions = rows >= 1_000_000;
  const value = rows / (millions ? 1_000_000 : 1000);
  return `${value.toLocaleString('en-US', { maximumSignificantDigits: 4 })}${millions ? 'M' : 'k'}`;
}
