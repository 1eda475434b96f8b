import { memo, type ReactNode, useMemo } from 'react';
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  LineChart,
  ReferenceArea,
  ReferenceLine,
  XAxis,
  YAxis,
} from 'recharts';
import { bandColor, visibleBands } from './bands.ts';
import { type Band, bandLabels, bandStyles, type Mark, type Panel } from './panel.ts';
import { prepare } from './prepare.ts';
import type { XAxisKind } from './xAxis.ts';

/** Where the plot lies in its box, px: fixed, so that panels line up and the crosshair needs no measuring. */
export const plotArea = { left: 72, right: 12, top: 14, bottom: 24 } as const;

const markColors: Record<Mark['kind'], string> = {
  phase: 'var(--quiet)',
  error: 'var(--bad)',
  stop: 'var(--warn)',
};
const labelPx = 90;

export interface PlotProps {
  panel: Panel;
  shown: ReadonlySet<string>;
  marks: readonly Mark[];
  bands: readonly Band[];
  axis: XAxisKind;
  from: number;
  to: number;
  width: number;
  height: number;
}

/** Axes and lines of one panel. Knows nothing of the crosshair: moving that draws nothing here again. */
export const Plot = memo(function Plot(props: PlotProps): ReactNode {
  const { panel, shown, marks, bands, axis, from, to, width, height } = props;
  const inner = Math.max(1, width - plotArea.left - plotArea.right);
  const drawing = useMemo(() => prepare(panel, shown, from, to, inner), [panel, shown, from, to, inner]);
  const format = panel.formatAxis ?? panel.format;
  const Chart = panel.stacked ? ComposedChart : LineChart;
  return (
    <Chart
      width={width}
      height={height}
      margin={{ top: plotArea.top, right: plotArea.right, bottom: 0, left: 0 }}
      accessibilityLayer={false}
      style={{ pointerEvents: 'none' }}
    >
      <CartesianGrid stroke="var(--grid-line)" vertical={false} />
      <XAxis
        dataKey="x"
        type="number"
        domain={[from, to]}
        ticks={axis.ticks(from, to, Math.floor(inner / 80))}
        tickFormatter={(at: number) => axis.formatTick(at, to - from)}
        height={plotArea.bottom}
        interval={0}
        allowDataOverflow
        tickLine={false}
        stroke="var(--mantine-color-dimmed)"
        fontSize={11}
      />
      <YAxis
        dataKey="y"
        type="number"
        scale={panel.scale}
        domain={drawing.y.domain}
        ticks={drawing.y.ticks}
        tickFormatter={format}
        width={plotArea.left}
        interval={0}
        allowDataOverflow
        tickLine={false}
        axisLine={false}
        stroke="var(--mantine-color-dimmed)"
        fontSize={11}
      />
      {visibleBands(bands, from, to, inner).map((band) => (
        <ReferenceArea
          key={`${band.kind} ${band.fromMs} ${band.owner?.label}`}
          x1={band.fromMs}
          x2={band.toMs}
          fill={bandColor(band)}
          // Bands of several runs lie over each other.
          fillOpacity={band.owner === undefined ? 0.16 : 0.08}
          stroke={bandColor(band)}
          strokeOpacity={0.5}
          strokeDasharray={bandStyles[band.kind].dash}
          {...(((band.toMs - band.fromMs) * inner) / (to - from) >= labelPx && {
            label: {
              value: bandLabels[band.kind],
              position: bandStyles[band.kind].label,
              fontSize: 10,
              fill: bandColor(band),
            },
          })}
        />
      ))}
      {marks
        .filter(({ atMs }) => atMs >= from && atMs <= to)
        .map((mark, i, all) => {
          const px = (ms: number) => (ms * inner) / (to - from);
          const right = px(to - mark.atMs) >= labelPx;
          // A label to the left of its line shares the room with the one to the right of the line before.
          const room = px(mark.atMs - (all[i - 1]?.atMs ?? -Infinity)) >= labelPx * (right ? 1 : 2);
          return (
            <ReferenceLine
              key={`${mark.atMs} ${mark.kind} ${mark.label}`}
              x={mark.atMs}
              stroke={markColors[mark.kind]}
              strokeDasharray={mark.kind === 'phase' ? '3 3' : ''}
              {...(room && {
                label: {
                  value: mark.label,
                  position: right ? 'insideTopLeft' : 'insideTopRight',
                  offset: 4,
                  dy: -14,
                  fontSize: 10,
                  fill: markColors[mark.kind],
                },
              })}
            />
          );
        })}
      {panel.stacked &&
        drawing.lines.map((line) => (
          <Area
            key={line.key}
            data={line.points}
            dataKey="y"
            stroke={line.color}
            strokeWidth={1}
            // Each hides what lies behind it: the areas reach down to the axis.
            fill={`color-mix(in srgb, ${line.color} 60%, var(--panel))`}
            fillOpacity={1}
            dot={false}
            activeDot={false}
            isAnimationActive={false}
            type="linear"
          />
        ))}
      {(panel.stacked ? [] : drawing.lines).map((line) => (
        <Line
          key={line.key}
          data={line.points}
          dataKey="y"
          stroke={line.color}
          strokeWidth={1.5}
          strokeDasharray={line.dash}
          strokeLinecap="round"
          dot={false}
          activeDot={false}
          isAnimationActive={false}
          type="linear"
        />
      ))}
      {drawing.lines
        .filter(({ lonely }) => lonely.length > 0)
        .map((line) => (
          <Line
            key={`${line.key} lonely`}
            data={line.lonely}
            dataKey="y"
            stroke="none"
            // A point at the edge is drawn whole.
            dot={{ r: 2, fill: line.color, stroke: 'none', clipDot: false }}
            activeDot={false}
            isAnimationActive={false}
          />
        ))}
    </Chart>
  );
});
