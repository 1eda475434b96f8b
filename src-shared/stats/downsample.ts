import { lowerBound, type Series, upperBound } from './series.ts';

/** A drawn point; `y` null breaks the line. */
export interface Point {
  x: number;
  y: number | null;
}

/**
 * Thins a series to what a chart of `buckets` columns can show: per column its lowest and its highest point, in their
 * order, and a break where the series has one. No peak is lost, no point is made up, and short series come back whole.
 * One point beyond either edge is kept so that a zoomed line runs to the border. At most 5·buckets + 2 points.
 */
export function downsample(series: Series, from: number, to: number, buckets: number): Point[] {
  const { x, y } = series;
  const start = Math.max(0, lowerBound(x, from) - 1);
  const end = Math.min(x.length, upperBound(x, to) + 1);
  if (end - start <= 2 * buckets) {
    const all: Point[] = [];
    for (let i = start; i < end; i += 1) all.push(pointAt(series, i));
    return all;
  }
  const width = (to - from) / buckets;
  const points: Point[] = [];
  let bucket = Number.NaN;
  let low = -1;
  let high = -1;
  let broken = false;
  const flush = (): void => {
    if (low < 0) return;
    points.push(pointAt(series, Math.min(low, high)));
    if (low !== high) points.push(pointAt(series, Math.max(low, high)));
    low = -1;
    high = -1;
  };
  for (let i = start; i < end; i += 1) {
    const at = x[i] ?? Number.NaN;
    // Points beyond the edges get buckets of their own: −1 and `buckets`.
    const column =
      at < from ? -1 : at > to ? buckets : Math.min(buckets - 1, Math.floor((at - from) / width));
    if (column !== bucket) {
      flush();
      bucket = column;
      broken = false;
    }
    const value = y[i] ?? Number.NaN;
    if (Number.isNaN(value)) {
      if (!broken) {
        flush();
        if (points.at(-1)?.y !== null) points.push({ x: at, y: null });
        broken = true;
      }
      continue;
    }
    if (low < 0 || value < (y[low] ?? Number.NaN)) low = i;
    if (high < 0 || value > (y[high] ?? Number.NaN)) high = i;
  }
  flush();
  return points;
}

function pointAt(series: Series, i: number): Point {
  const value = series.y[i] ?? Number.NaN;
  return { x: series.x[i] ?? Number.NaN, y: Number.isNaN(value) ? null : value };
}
