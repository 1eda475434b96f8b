import { useElementSize, useMergedRef } from '@mantine/hooks';
import { type ReactNode, useRef } from 'react';
import { valueAxis } from '../../src-shared/axis.ts';
import { type FiveNumbers, fiveNumbers } from '../../src-shared/stats/quartiles.ts';
import { quoted } from './exportPanel.ts';
import { PanelFrame } from './PanelFrame.tsx';
import { plotArea } from './Plot.tsx';
import { PlotFrame } from './PlotFrame.tsx';
import classes from './TimeChart.module.css';

export interface BoxSide {
  key: string;
  label: string;
  color: string;
  /** A figure of each run. */
  values: readonly number[];
}

const rowHeight = 44;
const boxHeight = 20;
/** Quartiles of fewer say nothing that the points do not. */
const fewestForBox = 4;

/** How far runs of one set-up lie apart: each a point, over them the box of the quartiles and the line from least to highest. */
export function BoxPlots(props: {
  id: string;
  title: string;
  unit: string;
  format: (value: number) => string;
  sides: readonly BoxSide[];
}): ReactNode {
  const { title, unit, format, sides } = props;
  const box = useRef<HTMLDivElement>(null);
  const { ref: measure, width } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(measure, box);
  const height = sides.length * rowHeight + plotArea.top + plotArea.bottom;
  return (
    <PanelFrame
      id={props.id}
      title={title}
      unit={unit}
      help={`A point is the figure of one run. The line goes from the least to the highest, the box from the first to the third quartile, with the median in it; below ${fewestForBox} runs there is no box. The axis need not begin at 0.`}
      box={box}
      picture={() => ({
        ...{ title, unit },
        legend: sides.map(({ label, color, values }) => ({
          ...{ color, dash: '' },
          text: `${label}: ${words(values, format)}`,
        })),
      })}
      csv={() =>
        `${['side,run,value', ...sides.flatMap(({ label, values }) => values.map((value, i) => [quoted(label), i + 1, value].join(',')))].join('\n')}\n`
      }
    >
      <div ref={ref} className={classes.drawing} style={{ height }}>
        {width > 0 && <Boxes {...props} width={Math.floor(width)} height={height} />}
      </div>
    </PanelFrame>
  );
}

function Boxes(props: {
  title: string;
  format: (value: number) => string;
  sides: readonly BoxSide[];
  width: number;
  height: number;
}): ReactNode {
  const { title, format, sides, width, height } = props;
  const left = Math.min(200, Math.max(plotArea.left, width / 4));
  const all = sides.flatMap(({ values }) => values);
  const { domain, ticks } = valueAxis(Math.min(...all), Math.max(...all));
  const [from, to] = domain;
  const toX = (value: number): number =>
    left + ((value - from) / (to - from)) * (width - left - plotArea.right - 24);
  const room = Math.max(1, Math.floor((width - left) / 96));
  const every = Math.ceil(ticks.length / room);
  return (
    <PlotFrame
      label={`${title}: ${sides.map(({ label, values }) => `${label} ${words(values, format)}`).join('; ')}`}
      width={width}
      height={height}
      left={left}
      x={ticks.filter((_, i) => i % every === 0).map((value) => ({ at: toX(value), label: format(value) }))}
      y={sides.map(({ label }, i) => ({
        at: plotArea.top + (i + 0.5) * rowHeight,
        label: label.length > left / 7 ? `${label.slice(0, Math.floor(left / 7) - 1)}…` : label,
      }))}
    >
      {sides.map(({ key, color, values }, i) => (
        <Box key={key} color={color} values={values} y={plotArea.top + (i + 0.5) * rowHeight} toX={toX} />
      ))}
    </PlotFrame>
  );
}

function Box(props: {
  color: string;
  values: readonly number[];
  y: number;
  toX: (value: number) => number;
}): ReactNode {
  const { color, values, y, toX } = props;
  const five = fiveNumbers(values);
  if (five === null) return null;
  const line = { stroke: color, strokeWidth: 1.5 };
  return (
    <>
      <line x1={toX(five.min)} x2={toX(five.max)} y1={y} y2={y} {...line} />
      {values.length >= fewestForBox && <Quartiles {...props} five={five} />}
      {/* A little apart, so that equal figures are seen as several. */}
      <path
        d={values.map((value, i) => ring(toX(value), y + ((i % 3) - 1) * 4)).join('')}
        fill="var(--panel)"
        {...line}
      />
    </>
  );
}

/** A circle around a place. */
function ring(x: number, y: number): string {
  return `M${x - 3} ${y}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0`;
}

function Quartiles(props: {
  color: string;
  y: number;
  toX: (value: number) => number;
  five: FiveNumbers;
}): ReactNode {
  const { color, y, toX, five } = props;
  const top = y - boxHeight / 2;
  return (
    <>
      <rect
        x={toX(five.q1)}
        y={top}
        width={Math.max(1, toX(five.q3) - toX(five.q1))}
        height={boxHeight}
        fill={color}
        fillOpacity={0.2}
        stroke={color}
      />
      <line
        x1={toX(five.median)}
        x2={toX(five.median)}
        y1={top}
        y2={top + boxHeight}
        stroke={color}
        strokeWidth={2.5}
      />
    </>
  );
}

function words(values: readonly number[], format: (value: number) => string): string {
  const five = fiveNumbers(values);
  if (five === null) return 'no run';
  if (values.length === 1) return `one run, ${format(five.median)}`;
  return `median ${format(five.median)}, from ${format(five.min)} to ${format(five.max)}, ${values.length} runs`;
}
