import { type Axis, logAxis, zeroBasedAxis } from '../../src-shared/axis.ts';
import { downsample, type Point } from '../../src-shared/stats/downsample.ts';
import type { ChartSeries, Panel } from './panel.ts';

/** The series on top of each other, the highest first, so that one drawn later covers the lower part. */
function stacked(series: readonly ChartSeries[]): ChartSeries[] {
  const sums: ChartSeries[] = [];
  for (const { data, ...rest } of series) {
    const below = sums[0]?.data.y;
    const y = Float64Array.from(data.x, (_, i) => (data.y[i] ?? Number.NaN) + (below ? (below[i] ?? 0) : 0));
    sums.unshift({ ...rest, data: { x: data.x, y } });
  }
  return sums;
}

/** A series thinned to the width it is drawn with. */
export interface Line {
  key: string;
  color: string;
  dash: string;
  points: Point[];
  /** Those with a gap on either side: no line leads to them. */
  lonely: Point[];
}
export interface Drawing {
  lines: Line[];
  y: Axis;
}

/** Latency histograms count whole microseconds: what took less is drawn at 1, a log axis has no zero. */
const lowestOnLog = 1;

/** Columns that `width` pixels give: two pixels each, since each column may hold a low and a high point. */
function columnsFor(width: number): number {
  return Math.max(20, Math.floor(width / 2));
}

/** What a panel draws for the window [from, to] ms at `width` pixels; hidden series do not stretch the axis. */
export function prepare(
  panel: Panel,
  shown: ReadonlySet<string>,
  from: number,
  to: number,
  width: number,
): Drawing {
  const visible = panel.series.filter(({ key }) => shown.has(key));
  const lines = (panel.stacked ? stacked(visible) : visible).map(({ key, color, dash, data }): Line => {
    const points = downsample(data, from, to, columnsFor(width));
    const gap = (i: number) => (points[i]?.y ?? null) === null;
    return {
      key,
      color,
      dash,
      points,
      lonely: points.filter((_, i) => !gap(i) && gap(i - 1) && gap(i + 1)),
    };
  });
  let min = Infinity;
  let max = panel.atLeast ?? -Infinity;
  for (const line of lines) {
    for (const point of line.points) {
      if (point.y === null) continue;
      if (panel.scale === 'log' && point.y < lowestOnLog) point.y = lowestOnLog;
      if (point.x < from || point.x > to) continue;
      min = Math.min(min, point.y);
      max = Math.max(max, point.y);
    }
  }
  return { lines, y: panel.scale === 'log' ? logAxis(min, max) : zeroBasedAxis(max, panel.whole ? 1 : 0) };
}
