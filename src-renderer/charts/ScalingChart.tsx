import { useElementSize, useMergedRef } from '@mantine/hooks';
import { type ReactNode, useRef } from 'react';
import { zeroBasedAxis } from '../../src-shared/axis.ts';
import { formatParameter } from '../../src-shared/stats/runSeries.ts';
import type { Spread } from '../../src-shared/stats/spread.ts';
import { quoted } from './exportPanel.ts';
import { PanelFrame } from './PanelFrame.tsx';
import { plotArea } from './Plot.tsx';
import { PlotFrame } from './PlotFrame.tsx';
import classes from './TimeChart.module.css';

export interface ScalingLine {
  key: string;
  label: string;
  color: string;
  points: readonly { x: number; spread: Spread }[];
}

const plotHeight = 280;
/** From this ratio of the largest to the least value on the axis is logarithmic: five doublings. */
const logFrom = 32;
/** Least room for a value below the axis, px. */
const labelRoom = 56;

/** How a rate grows with a parameter: a point a cell at the mean of its runs, with a bar from the least to the highest. */
export function ScalingChart(props: {
  title: string;
  unit: string;
  /** The parameter along the bottom. */
  parameter: string;
  format: (value: number) => string;
  lines: readonly ScalingLine[];
}): ReactNode {
  const { title, unit, parameter, format, lines } = props;
  const box = useRef<HTMLDivElement>(null);
  const { ref: measure, width } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(measure, box);
  const xs = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const isLog = (xs[0] ?? 0) > 0 && (xs.at(-1) ?? 1) / (xs[0] ?? 1) >= logFrom;
  return (
    <PanelFrame
      id="scaling"
      title={title}
      unit={unit}
      help={`A point is the mean over the finished runs of a cell; the bar goes from the least to the highest of them. Along the bottom is ${parameter}${isLog ? ', on a logarithmic axis' : ''}.`}
      box={box}
      picture={() => ({
        ...{ title, unit: `${unit} by ${parameter}` },
        legend: lines.map(({ label, color, points }) => ({
          ...{ color, dash: '' },
          text: `${label}: ${words(points, format)}`,
        })),
      })}
      csv={() => scalingCsv(parameter, lines)}
    >
      <div ref={ref} className={classes.drawing} style={{ height: plotHeight }}>
        {width > 0 && (
          <Drawing {...props} xs={xs} isLog={isLog} width={Math.floor(width)} height={plotHeight} />
        )}
      </div>
      <ul className={classes.key}>
        <li className={classes.unit}>
          {parameter}
          {isLog && ' (log)'}
        </li>
        {lines.map(({ key, label, color }) => (
          <li key={key}>
            <svg width="18" height="8" aria-hidden="true">
              <line x1="1" y1="4" x2="17" y2="4" stroke={color} strokeWidth="2" />
            </svg>{' '}
            {label}
          </li>
        ))}
      </ul>
    </PanelFrame>
  );
}

function Drawing(props: {
  title: string;
  parameter: string;
  format: (value: number) => string;
  lines: readonly ScalingLine[];
  xs: readonly number[];
  isLog: boolean;
  width: number;
  height: number;
}): ReactNode {
  const { lines, xs, isLog, width, height, format } = props;
  const y = zeroBasedAxis(Math.max(...lines.flatMap(({ points }) => points.map(({ spread }) => spread.max))));
  const place = isLog ? Math.log : (value: number) => value;
  const [low, high] = [place(xs[0] ?? 0), place(xs.at(-1) ?? 1)];
  const margin = 24;
  const inner = width - plotArea.left - plotArea.right - 2 * margin;
  const toX = (x: number) =>
    plotArea.left + margin + (high > low ? (place(x) - low) / (high - low) : 0.5) * inner;
  const toY = (value: number) =>
    plotArea.top + (1 - value / y.domain[1]) * (height - plotArea.top - plotArea.bottom);
  const ticks = new Set<number>();
  let last = Number.NEGATIVE_INFINITY;
  for (const x of xs) {
    if (toX(x) - last < labelRoom) continue;
    ticks.add(x);
    last = toX(x);
  }
  return (
    <PlotFrame
      label={`${props.title} by ${props.parameter}: ${lines.map(({ label, points }) => `${label} ${words(points, format)}`).join('; ')}`}
      width={width}
      height={height}
      x={[...ticks].map((x) => ({ at: toX(x), label: formatParameter(x) }))}
      y={y.ticks.map((value) => ({ at: toY(value), label: format(value) }))}
    >
      {lines.map(({ key, color, points }) => (
        <g key={key} stroke={color} strokeWidth={1.5} fill="none">
          <path
            d={points
              .map(({ x, spread }, i) => `${i === 0 ? 'M' : 'L'}${toX(x)} ${toY(spread.mean)}`)
              .join('')}
          />
          {points.map(({ x, spread }) => (
            <g key={x}>
              {spread.n > 1 && <path d={bar(toX(x), toY(spread.min), toY(spread.max))} />}
              <circle cx={toX(x)} cy={toY(spread.mean)} r={3} fill={color} />
            </g>
          ))}
        </g>
      ))}
    </PlotFrame>
  );
}

/** From the least to the highest, with a stroke across each end. */
function bar(x: number, from: number, to: number): string {
  return `M${x} ${from}V${to}M${x - 4} ${from}H${x + 4}M${x - 4} ${to}H${x + 4}`;
}

function words(points: ScalingLine['points'], format: (value: number) => string): string {
  return points
    .map(
      ({ x, spread }) =>
        `${formatParameter(x)}: ${format(spread.mean)}${spread.n > 1 ? ` (${format(spread.min)} to ${format(spread.max)})` : ''}`,
    )
    .join(', ');
}

function scalingCsv(parameter: string, lines: readonly ScalingLine[]): string {
  const rows = lines.flatMap(({ label, points }) =>
    points.map(({ x, spread }) =>
      [quoted(label), x, spread.mean, spread.median, spread.min, spread.max, spread.n].join(','),
    ),
  );
  return `${[`line,${quoted(parameter)},mean,median,min,max,runs`, ...rows].join('\n')}\n`;
}
