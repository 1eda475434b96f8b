import { useElementSize, useMergedRef } from '@mantine/hooks';
import { type ReactNode, useMemo, useRef } from 'react';
import { logAxis } from '../../src-shared/axis.ts';
import type { LatencyCells } from '../../src-shared/model/latencies.ts';
import {
  cellCountOf,
  percentileOf,
  percentileSpectrum,
  type SpectrumPoint,
} from '../../src-shared/stats/latencies.ts';
import { formatCount, formatLatency } from '../../src-shared/units.ts';
import { quoted } from './exportPanel.ts';
import { PanelFrame } from './PanelFrame.tsx';
import { plotArea } from './Plot.tsx';
import { PlotFrame } from './PlotFrame.tsx';
import classes from './TimeChart.module.css';

export interface SpectrumSide {
  key: string;
  label: string;
  color: string;
  cells: LatencyCells;
}

const plotHeight = 240;
/** What the table below tells; from the first on that has ten times as many values it is one of single values. */
const shares = [0.5, 0.9, 0.99, 0.999, 0.9999] as const;
const shareName = (share: number): string => `p${Number((share * 100).toPrecision(8))}`;

/** Every percentile of a latency, up to the last that single values tell of, as HdrHistogram plots them. */
export function SpectrumChart(props: {
  title: string;
  unit: string;
  sides: readonly SpectrumSide[];
}): ReactNode {
  const { title, unit, sides } = props;
  const box = useRef<HTMLDivElement>(null);
  const { ref: measure, width } = useElementSize<HTMLDivElement>();
  const ref = useMergedRef(measure, box);
  const lines = useMemo(
    () => sides.map((side) => ({ ...side, points: percentileSpectrum(side.cells) })),
    [sides],
  );
  const rows = useMemo(() => sides.map((side) => ({ ...side, figures: figuresOf(side.cells) })), [sides]);
  return (
    <PanelFrame
      id="spectrum"
      title={title}
      unit={unit}
      help="All percentiles of one merged histogram a line: every latency of every run counts once. To the right each mark of the axis stands for ten times fewer operations; the line ends where a single operation is left."
      box={box}
      picture={() => ({
        ...{ title, unit },
        legend: rows.map(({ label, color, figures }) => ({
          ...{ color, dash: '' },
          text: `${label}: ${figures.map(({ name, text }) => `${name} ${text}`).join(' · ')}`,
        })),
      })}
      csv={() => spectrumCsv(lines)}
    >
      <div ref={ref} className={classes.drawing} style={{ height: plotHeight }}>
        {width > 0 && <Spectrum title={title} lines={lines} width={Math.floor(width)} />}
      </div>
      <table className={`${classes.legend} ${classes.percentiles}`}>
        <caption className={classes.hidden}>{`${title}: percentiles`}</caption>
        <thead>
          <tr>
            <th scope="col">{unit}</th>
            {rows[0]?.figures.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, color, figures }) => (
            <tr key={key}>
              <th scope="row">
                <span className={classes.entry}>
                  <svg width="18" height="8" aria-hidden="true">
                    <line x1="1" y1="4" x2="17" y2="4" stroke={color} strokeWidth="2" />
                  </svg>
                  {label}
                </span>
              </th>
              {figures.map(({ name, text }) => (
                <td key={name}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </PanelFrame>
  );
}

/** A percentile beyond what so few values tell is left open. */
function figuresOf(cells: LatencyCells): { name: string; text: string }[] {
  const n = cellCountOf(cells);
  return [
    ...shares.map((share) => ({
      name: shareName(share),
      text: n * (1 - share) < 1 - 1e-9 ? '–' : formatLatency(percentileOf(cells, share)),
    })),
    { name: 'max', text: formatLatency(cells.us.at(-1) ?? Number.NaN) },
    { name: 'count', text: formatCount(n) },
  ];
}

function Spectrum(props: {
  title: string;
  lines: readonly (SpectrumSide & { points: readonly SpectrumPoint[] })[];
  width: number;
}): ReactNode {
  const { lines, width } = props;
  const points = lines.flatMap((line) => line.points);
  const decades = Math.max(1, Math.ceil(Math.log10(Math.max(1, ...points.map(({ odds }) => odds)))));
  const y = logAxis(Math.min(...points.map(({ us }) => us)), Math.max(...points.map(({ us }) => us)));
  const inner = {
    width: width - plotArea.left - plotArea.right,
    height: plotHeight - plotArea.top - plotArea.bottom,
  };
  const toX = (odds: number): number => plotArea.left + (Math.log10(odds) / decades) * inner.width;
  const [low, high] = y.domain;
  const toY = (us: number): number =>
    plotArea.top + (1 - Math.log(us / low) / Math.log(high / low)) * inner.height;
  return (
    <PlotFrame
      label={`${props.title}: a line each for ${lines.map(({ label }) => label).join(', ')}; the figures are in the table below`}
      width={width}
      height={plotHeight}
      x={Array.from({ length: decades + 1 }, (_, d) => ({ at: toX(10 ** d), label: oddsLabel(d) }))}
      y={y.ticks.map((us) => ({ at: toY(us), label: formatLatency(us) }))}
    >
      {lines.map((line) => (
        <path
          key={line.key}
          d={line.points
            .map(({ odds, us }, i) => `${i === 0 ? 'M' : 'L'}${toX(odds).toFixed(1)} ${toY(us).toFixed(1)}`)
            .join('')}
          fill="none"
          stroke={line.color}
          strokeWidth={1.5}
          strokeLinejoin="round"
        />
      ))}
    </PlotFrame>
  );
}

/** 0, 90, 99, 99.9 … %. */
function oddsLabel(decade: number): string {
  if (decade === 0) return '0 %';
  return `${decade === 1 ? '90' : `99${decade > 2 ? `.${'9'.repeat(decade - 2)}` : ''}`} %`;
}

function spectrumCsv(lines: readonly (SpectrumSide & { points: readonly SpectrumPoint[] })[]): string {
  const head = 'run,percentile,1/(1-percentile),latency (us)';
  const rows = lines.flatMap(({ label, points }) =>
    points.map(({ share, odds, us }) => [quoted(label), share * 100, odds, us].join(',')),
  );
  return `${[head, ...rows].join('\n')}\n`;
}
