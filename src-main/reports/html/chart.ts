import { formatAxisTime, logAxis, timeTicks, zeroBasedAxis } from '../../../src-shared/axis.ts';
import { downsample, type Point } from '../../../src-shared/stats/downsample.ts';
import type { Series } from '../../../src-shared/stats/series.ts';
import { html, type Markup } from './markup.ts';

/** A chart over time, as a report has it. */
export interface Chart {
  title: string;
  unit: string;
  scale: 'linear' | 'log';
  /** Of the axis. */
  format(value: number): string;
  lines: readonly ChartLine[];
  /** Stretches that are shaded. */
  bands: readonly { fromMs: number; toMs: number; kind: 'checkpoint' | 'held' }[];
  /** The axis reaches at least to here. */
  atLeast?: number;
}

export interface ChartLine {
  label: string;
  /** 1 to 8: runs differ by colour. */
  color: number;
  /** 0 to 3: metrics differ by dash. */
  dash: number;
  data: Series;
}

const size = { width: 640, height: 220, left: 58, right: 12, top: 10, bottom: 24 };
const plot = {
  width: size.width - size.left - size.right,
  height: size.height - size.top - size.bottom,
};
/** A log axis has no zero: histograms count whole microseconds. */
const lowestOnLog = 1;

/** The chart as a figure with an SVG inside; null where no line has a point. */
export function chartFigure(chart: Chart): Markup | null {
  const lines = chart.lines.filter(({ data }) => Array.from(data.y).some((y) => Number.isFinite(y)));
  if (lines.length === 0) return null;
  const to = Math.max(1000, ...lines.map(({ data }) => data.x[data.x.length - 1] ?? 0));
  const drawn = lines.map((line) => ({ line, points: downsample(line.data, 0, to, plot.width / 2) }));
  const values = drawn.flatMap(({ points }) => points.flatMap(({ y }) => y ?? []));
  const isLog = chart.scale === 'log';
  const axis = isLog
    ? logAxis(Math.max(lowestOnLog, least(values)), Math.max(lowestOnLog, most(values)))
    : zeroBasedAxis(Math.max(most(values), chart.atLeast ?? 0));
  const [low, high] = axis.domain;
  const x = (ms: number) => size.left + (Math.min(Math.max(ms, 0), to) / to) * plot.width;
  const y = (value: number) => {
    const share = isLog
      ? (Math.log(Math.max(value, lowestOnLog)) - Math.log(low)) / (Math.log(high) - Math.log(low))
      : (value - low) / (high - low);
    return size.top + (1 - share) * plot.height;
  };
  return html`<figure>
<h3>${chart.title} <span class="unit">${chart.unit}</span></h3>
<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${spoken(chart, lines, values)}">
${chart.bands.map(
  ({ fromMs, toMs, kind }) =>
    html`<rect class="band${kind === 'held' ? ' held' : ''}" x="${pixel(x(fromMs))}" y="${size.top}" width="${pixel(Math.max(1, x(toMs) - x(fromMs)))}" height="${plot.height}"/>`,
)}
${axis.ticks.map(
  (tick) =>
    html`<line class="grid" x1="${size.left}" x2="${size.width - size.right}" y1="${pixel(y(tick))}" y2="${pixel(y(tick))}"/><text x="${size.left - 6}" y="${pixel(y(tick) + 4)}" text-anchor="end">${chart.format(tick)}</text>`,
)}
${timeTicks(0, to, 6).map(
  (tick) =>
    html`<text x="${pixel(x(tick))}" y="${size.height - 8}" text-anchor="middle">${formatAxisTime(tick, to)}</text>`,
)}
<line class="axis" x1="${size.left}" x2="${size.width - size.right}" y1="${size.top + plot.height}" y2="${size.top + plot.height}"/>
${drawn.map(({ line, points }) => drawLine(line, points, x, y))}
</svg>
${lines.length > 1 || lines[0]?.label ? html`<figcaption>${lines.map(legendKey)}</figcaption>` : null}
</figure>`;
}

function drawLine(
  { color, dash }: ChartLine,
  points: readonly Point[],
  x: (ms: number) => number,
  y: (value: number) => number,
): Markup {
  const parts: Point[][] = [[]];
  for (const point of points) {
    if (point.y === null) parts.push([]);
    else parts.at(-1)?.push(point);
  }
  return html`${parts.map((part) => {
    const [only] = part;
    if (only === undefined) return null;
    // Between two gaps there is no line to draw.
    if (part.length === 1)
      return html`<circle class="dot k${color}" cx="${pixel(x(only.x))}" cy="${pixel(y(only.y ?? 0))}" r="3"/>`;
    const path = part.map(
      (point, i) => `${i === 0 ? 'M' : 'L'}${pixel(x(point.x))} ${pixel(y(point.y ?? 0))}`,
    );
    return html`<path class="line k${color} d${dash}" d="${path.join('')}"/>`;
  })}`;
}

/** The colour and dash of a line beside its name. */
export function legendKey({ label, color, dash }: Pick<ChartLine, 'label' | 'color' | 'dash'>): Markup {
  return html`<span class="key"><svg viewBox="0 0 24 8" aria-hidden="true"><path class="line k${color} d${dash}" d="M0 4L24 4"/></svg>${label}</span>`;
}

function spoken(chart: Chart, lines: readonly ChartLine[], values: readonly number[]): string {
  const names = lines.map(({ label }) => label).filter((label) => label !== '');
  return `${chart.title}, ${chart.unit}, over time${names.length > 0 ? `: ${names.join(', ')}` : ''}; from ${chart.format(least(values))} to ${chart.format(most(values))}`;
}

const pixel = (value: number) => Math.round(value * 10) / 10;
const least = (values: readonly number[]) => values.reduce((low, value) => Math.min(low, value), Infinity);
const most = (values: readonly number[]) => values.reduce((high, value) => Math.max(high, value), -Infinity);
