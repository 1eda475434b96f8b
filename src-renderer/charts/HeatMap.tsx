import { useElementSize, useMergedRef } from '@mantine/hooks';
import { type ReactNode, useMemo, useRef } from 'react';
import { formatAxisTime, timeTicks } from '../../src-shared/axis.ts';
import { heatBandsPerDecade, type LatencyHeat } from '../../src-shared/model/latencies.ts';
import { formatCount, formatElapsed, formatLatency } from '../../src-shared/units.ts';
import { PanelFrame } from './PanelFrame.tsx';
import { plotArea } from './Plot.tsx';
import { PlotFrame } from './PlotFrame.tsx';
import classes from './TimeChart.module.css';

const plotHeight = 176;
/** Steps of the shade; each is a factor in how many operations a field has. */
const shades = 8;

/** Bands of a decade that begin at 1, 2 and 5 times its start, to within 1 %. */
const tickFactors: Readonly<Record<number, number>> = { 0: 1, 3: 2, 7: 5 };

const bandUs = (band: number): number => 10 ** (band / heatBandsPerDecade);

/**
 * Latency over time: a field is the darker the more operations of that stretch took that long. Shades and both axes are those
 * of `scale`, so that several maps beside each other compare.
 */
export function HeatMap(props: {
  id: string;
  label: string;
  unit: string;
  color: string;
  heat: LatencyHeat;
  scale: HeatScale;
}): ReactNode {
  const { label, heat, color, scale } = props;
  const box = useRef<HTMLDivElement>(null);
  const { ref: measure, width } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(measure, box);
  const title = `Latency over time, ${label}`;
  return (
    <PanelFrame
      id={props.id}
      title={title}
      unit={props.unit}
      help={`A column is ${formatElapsed(heat.stepMs)} of the run, from its histograms; a field holds the latencies up to 26 % apart. Each shade stands for a factor in how many operations took that long, the same in all maps beside each other.`}
      box={box}
      picture={() => ({
        title,
        unit: props.unit,
        legend: [{ color, dash: '', text: `the darkest: ${formatCount(scale.most)} in a field` }],
      })}
      csv={() => heatCsv(heat)}
    >
      <div ref={ref} className={classes.drawing} style={{ height: plotHeight }}>
        {width > 0 && (
          <Field title={title} heat={heat} color={color} scale={scale} width={Math.floor(width)} />
        )}
      </div>
      <div className={classes.shades}>
        1
        {Array.from({ length: shades }, (_, i) => (
          <svg key={opacityOf(i)} width="16" height="10" aria-hidden="true">
            <rect width="16" height="10" fill={color} fillOpacity={opacityOf(i)} />
          </svg>
        ))}
        {formatCount(scale.most)} in a field
      </div>
    </PanelFrame>
  );
}

const opacityOf = (shade: number): number => (shade + 1) / shades;

function Field(props: {
  title: string;
  heat: LatencyHeat;
  color: string;
  scale: HeatScale;
  width: number;
}): ReactNode {
  const { heat, color, scale, width } = props;
  const bands = scale.highest - scale.lowest + 1;
  const { toX, toY, innerWidth } = useMemo(() => geometry(scale, width), [scale, width]);
  const paths = useMemo(() => shadePaths(heat, scale, toX, toY), [heat, scale, toX, toY]);
  const ticks = Array.from({ length: bands + 1 }, (_, i) => scale.lowest + i).flatMap((band) => {
    const factor = tickFactors[band % heatBandsPerDecade];
    if (factor === undefined || (factor > 1 && bands > 2 * heatBandsPerDecade)) return [];
    return [{ band, us: factor * 10 ** Math.floor(band / heatBandsPerDecade) }];
  });
  return (
    <PlotFrame
      label={`${props.title}: ${heatWords(heat)}`}
      width={width}
      height={plotHeight}
      x={timeTicks(0, scale.duration, Math.floor(innerWidth / 80)).map((ms) => ({
        at: toX(ms),
        label: formatAxisTime(ms, scale.duration),
      }))}
      y={ticks.map(({ band, us }) => ({ at: toY(band), label: formatLatency(us) }))}
    >
      {paths.map((d, i) => (
        <path key={opacityOf(i)} d={d} fill={color} fillOpacity={opacityOf(i)} />
      ))}
    </PlotFrame>
  );
}

function geometry(scale: HeatScale, width: number) {
  const innerWidth = width - plotArea.left - plotArea.right;
  const innerHeight = plotHeight - plotArea.top - plotArea.bottom;
  const bands = scale.highest - scale.lowest + 1;
  return {
    innerWidth,
    toX: (ms: number) => plotArea.left + (ms / scale.duration) * innerWidth,
    toY: (band: number) => plotArea.top + (1 - (band - scale.lowest) / bands) * innerHeight,
  };
}

/** What several maps share. */
export interface HeatScale {
  duration: number;
  lowest: number;
  highest: number;
  /** Operations in the fullest field. */
  most: number;
}

export function heatScale(maps: readonly LatencyHeat[]): HeatScale {
  const columns = maps.flatMap((map) => map.columns);
  const cells = columns.flatMap((column) => column.bands);
  const of = (pick: (values: number[]) => number, values: number[]) =>
    values.length === 0 ? 0 : pick(values);
  const highest = (values: number[]) => values.reduce((a, b) => Math.max(a, b));
  const lowest = (values: number[]) => values.reduce((a, b) => Math.min(a, b));
  return {
    duration: Math.max(1000, ...maps.map((map) => ((map.columns.at(-1)?.at ?? 0) + 1) * map.stepMs)),
    lowest: of(
      lowest,
      cells.map(({ band }) => band),
    ),
    highest: of(
      highest,
      cells.map(({ band }) => band),
    ),
    most: of(
      highest,
      cells.map(({ count }) => count),
    ),
  };
}

/** The shade of a field, 0 to `shades` − 1, by the logarithm of what is in it. */
export function shadeOf(count: number, most: number): number {
  if (most <= 1) return shades - 1;
  return Math.min(shades - 1, Math.floor((Math.log(count) / Math.log(most)) * shades));
}

/** One path a shade: thousands of single rectangles would be slow to draw. */
function shadePaths(
  heat: LatencyHeat,
  scale: HeatScale,
  toX: (ms: number) => number,
  toY: (band: number) => number,
): string[] {
  const paths = Array.from({ length: shades }, () => '');
  for (const { at, bands } of heat.columns) {
    const [left, right] = [toX(at * heat.stepMs), toX((at + 1) * heat.stepMs)];
    for (const { band, count } of bands) {
      const shade = shadeOf(count, scale.most);
      const [top, bottom] = [toY(band + 1), toY(band)];
      paths[shade] +=
        `M${left.toFixed(1)} ${top.toFixed(1)}H${right.toFixed(1)}V${bottom.toFixed(1)}H${left.toFixed(1)}Z`;
    }
  }
  return paths;
}

/** The map in words, for those who do not see it. */
function heatWords({ columns }: LatencyHeat): string {
  const totals = new Map<number, number>();
  for (const { band, count } of columns.flatMap(({ bands }) => bands))
    totals.set(band, (totals.get(band) ?? 0) + count);
  const [most] = [...totals].sort(([, a], [, b]) => b - a);
  if (most === undefined) return 'nothing was measured';
  const bands = [...totals.keys()];
  const range = `${formatLatency(bandUs(Math.min(...bands)))} to ${formatLatency(bandUs(Math.max(...bands) + 1))}`;
  return `latencies from ${range}, most of them about ${formatLatency(bandUs(most[0] + 0.5))}`;
}

function heatCsv({ stepMs, columns }: LatencyHeat): string {
  const rows = columns.flatMap(({ at, bands }) =>
    bands.map(({ band, count }) =>
      [(at * stepMs) / 1000, Math.round(bandUs(band)), Math.round(bandUs(band + 1)), count].join(','),
    ),
  );
  return `${['elapsed s,from (us),to (us),operations', ...rows].join('\n')}\n`;
}
