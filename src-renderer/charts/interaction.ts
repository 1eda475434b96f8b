import { nearest } from '../../src-shared/stats/series.ts';
import type { ChartSeries } from './panel.ts';

/** How far from the crosshair a value may lie and still be shown as the value there. */
function toleranceOf(from: number, to: number): number {
  return Math.max(1000, (to - from) / 100);
}

/** The value of a series at a moment; NaN in a gap. */
export function valueAt(series: ChartSeries, at: number, from: number, to: number): number {
  const i = nearest(series.data, at, toleranceOf(from, to));
  return i < 0 ? Number.NaN : (series.data.y[i] ?? Number.NaN);
}

/** What is shown after a click on an entry. */
export function choose(
  shown: ReadonlySet<string>,
  all: readonly string[],
  key: string,
  toggle: boolean,
): ReadonlySet<string> {
  if (toggle) {
    const next = new Set(shown);
    if (!next.delete(key)) next.add(key);
    return next.size > 0 ? next : new Set(all);
  }
  return shown.size === 1 && shown.has(key) ? new Set(all) : new Set([key]);
}

/** Where a key moves the crosshair to: one data point, ten with Shift or Page, to either end; null for other keys. */
export function stepped(
  event: { key: string; shiftKey: boolean },
  cursor: number | null,
  steps: ArrayLike<number>,
  from: number,
  to: number,
): number | null {
  const inside = Array.from(steps).filter((at) => at >= from && at <= to);
  const size = event.shiftKey ? 10 : 1;
  const moves: Record<string, number> = {
    ArrowRight: size,
    ArrowUp: size,
    ArrowLeft: -size,
    ArrowDown: -size,
    PageUp: 10,
    PageDown: -10,
    Home: -Infinity,
    End: Infinity,
  };
  const move = moves[event.key];
  if (move === undefined || inside.length === 0) return null;
  // From between two points the first step goes to the neighbour in that direction.
  const start =
    cursor === null
      ? move > 0
        ? -1
        : inside.length
      : move > 0
        ? inside.findLastIndex((at) => at <= cursor)
        : firstFrom(inside, cursor);
  return inside[Math.min(inside.length - 1, Math.max(0, start + move))] ?? null;
}

function firstFrom(inside: readonly number[], at: number): number {
  const found = inside.findIndex((moment) => moment >= at);
  return found < 0 ? inside.length : found;
}
