import { zeroBasedAxis } from '../../../src-shared/axis.ts';
import type { HealthSample } from '../../../src-shared/model/host.ts';
import type { Run } from '../../../src-shared/model/run.ts';
import type { ServerSample } from '../../../src-shared/model/telemetry.ts';
import type { Tick, TickOperation } from '../../../src-shared/model/tick.ts';
import { allQueries } from '../../../src-shared/model/wholeOperation.ts';
import { gapMs, gridStep, rebinStretches } from '../../../src-shared/stats/rates.ts';
import { median } from '../../../src-shared/stats/robust.ts';
import type { Series } from '../../../src-shared/stats/series.ts';
import { formatCount, formatElapsed, formatLatency, formatRate } from '../../../src-shared/units.ts';
import { formatTick, type Panel } from '../../charts/panel.ts';
import type { Side } from './useSides.ts';

/** What can be laid over each other: a load, or one query type. */
export interface Part {
  phase: string;
  /** null for a load. */
  operation: string | null;
  label: string;
}

/** What panels have along their bottom. */
export type Alignment = 'time' | 'rows';

/** The parts that at least two of the sides have. */
export function commonParts(sides: readonly Pick<Side, 'runs'>[]): Part[] {
  const parts = new Map<string, { part: Part; sides: number }>();
  for (const { runs } of sides) {
    const own = new Map(runs.flatMap(partsOf).map((part) => [part.label, part]));
    for (const [label, part] of own) {
      const entry = parts.get(label) ?? { part, sides: 0 };
      entry.sides += 1;
      parts.set(label, entry);
    }
  }
  return [...parts.values()].filter((entry) => entry.sides >= 2).map(({ part }) => part);
}

function partsOf(run: Run): Part[] {
  return run.phases.flatMap((phase): Part[] => {
    if (phase.kind === 'initialize') return [];
    if (phase.kind === 'load') return [{ phase: phase.name, operation: null, label: phase.name }];
    // Of several scripts only all together are in the ticks.
    const measured = phase.kind === 'transactions' ? phase.operations.slice(0, 1) : phase.operations;
    return measured
      .filter(({ name }) => name !== allQueries)
      .map(({ name }) => ({ phase: phase.name, operation: name, label: `${phase.name} · ${name}` }));
  });
}

/** A run with its seconds. */
interface Timed {
  run: Pick<Run, 'id' | 'phases'>;
  ticks: readonly Tick[];
}

/** A side with the seconds of its runs. */
export interface Recording extends Timed {
  key: string;
  label: string;
  color: string;
  /** Of `run`: the side's, or of a group the one whose rate is in the middle. What cannot be joined is drawn of it. */
  health: readonly HealthSample[];
  server: readonly ServerSample[];
  /** All runs that count, `run` among them. */
  all: readonly Timed[];
}

/** What the latencies of a part are of. */
export function partUnit(recordings: readonly Pick<Recording, 'run'>[], part: Part): string {
  const phases = recordings.flatMap(({ run }) => run.phases);
  const kind = phases.find(({ name }) => name === part.phase)?.kind;
  return kind === 'load' ? 'of a batch' : kind === 'transactions' ? 'of a transaction' : 'of a query';
}

/**
 * The panels of one part, each side a line in its own colour, aligned on the time since that part began or on the rows that
 * were loaded. Rates are put on a common grid as sums over time, those of a group's runs together; percentiles stay as they
 * were measured, since they cannot be joined.
 */
export function comparePanels(
  recordings: readonly Recording[],
  part: Part,
  alignment: Alignment = 'time',
): { panels: Panel[]; duration: number } {
  const sides = recordings.map((recording) => ({
    ...recording,
    points: slice(recording, part, alignment),
    every: recording.all.map((each) => slice(each, part, alignment)),
  }));
  const slices = sides.flatMap(({ every }) => every);
  const duration = Math.max(1000, ...slices.map((points) => points.at(-1)?.to ?? 0));
  const step =
    alignment === 'time' ? timeStep(recordings, part, { duration, cells: 300 }) : rowsStep(duration, slices);
  const load = part.operation === null;
  const unit = partUnit(recordings, part);
  const transactions = unit === 'of a transaction';
  const grouped = recordings.some(({ all }) => all.length > 1);
  const lines = (data: (side: (typeof sides)[number]) => Series) =>
    sides
      .filter(({ points }) => points.length > 0)
      .map((side) => ({ key: side.key, label: side.label, color: side.color, dash: '', data: data(side) }));
  const rate = (read: (o: TickOperation) => number) =>
    lines(({ every }) =>
      rebinStretches(
        every.flat().map(({ operation, ...stretch }) => ({ ...stretch, sum: read(operation) })),
        step,
      ),
    );
  const grid =
    alignment === 'rows'
      ? `Each point is ${formatCount(step)} rows`
      : step === 1000
        ? 'Each point is one second'
        : `Each point is ${formatElapsed(step)}`;
  const start =
    alignment === 'rows'
      ? `Rows count from the start of ${part.label} in each run.`
      : `Time counts from the start of ${part.label} in each run.`;
  const together = grouped ? ' Runs of a group count together.' : '';
  const latencyPanel = (key: 'p50' | 'p99'): Panel => ({
    id: key,
    title: `Latency ${key}`,
    unit,
    scale: 'log',
    format: formatLatency,
    series: lines(({ points }) => percentiles(points, key, alignment)),
    help: `The percentile of each interval as it was measured, from one histogram. Percentiles cannot be joined, so nothing is averaged here.${grouped ? ' Of a group the run whose rate is in the middle is drawn.' : ''}`,
  });
  const panels: Panel[] = [
    {
      id: 'rate',
      title: load ? 'Rows written' : transactions ? 'Transactions' : 'Queries',
      unit: load ? 'rows/s' : transactions ? 'TPS' : 'queries/s',
      scale: 'linear',
      format: formatRate,
      formatAxis: formatTick,
      series: rate((o) => (load ? o.rows : o.count)),
      help: `${grid}: everything counted in it ÷ all time measured in it.${together} ${start}`,
    },
    latencyPanel('p50'),
    latencyPanel('p99'),
    {
      id: 'errors',
      title: 'Errors',
      unit: 'errors/s',
      scale: 'linear',
      format: formatRate,
      formatAxis: formatTick,
      series: rate((o) => o.errors),
      help: `${grid}: operations that failed in it ÷ all time measured in it.${together}`,
    },
  ];
  const failed = slices.some((points) => points.some(({ operation }) => operation.errors > 0));
  return { panels: panels.filter(({ id }) => id !== 'errors' || failed), duration };
}

/**
 * A step of time that gives so many cells at most, and is no shorter than most intervals are: a second, or of thinned runs
 * ten, else a point would be told as a second's and be that of ten.
 */
export function timeStep(
  recordings: readonly Pick<Recording, 'all'>[],
  part: Part,
  { duration, cells }: { duration: number; cells: number },
): number {
  const lengths = recordings
    .flatMap(({ all }) => all.flatMap((each) => ownTicks(each, part)))
    .map(({ tick }) => tick.intervalMs);
  const usual = lengths.length === 0 ? 0 : Math.floor(median(lengths) / 1000) * 1000;
  return gridStep(Math.max(duration, usual * cells), cells);
}

/** A round number of rows that gives some hundred points, and is no less than an interval holds. */
function rowsStep(rows: number, slices: readonly (readonly Slice[])[]): number {
  const largest = slices.flat().reduce((most, { from, to }) => Math.max(most, to - from), 0);
  const { ticks } = zeroBasedAxis(4 * Math.max(largest, rows / 300), 1);
  return ticks[1] ?? 1;
}

/** An interval of a part, on the axis. */
interface Slice {
  from: number;
  to: number;
  ms: number;
  operation: TickOperation;
}

/** A run's ticks of one part. */
function ownTicks({ run, ticks }: Timed, part: Part): { tick: Tick; operation: TickOperation }[] {
  const phase = run.phases.find(({ name }) => name === part.phase);
  if (!phase) return [];
  return ticks.flatMap((tick) => {
    const operation = tick.operations.find(({ name }) => part.operation === null || name === part.operation);
    return tick.phase === phase.index && operation ? [{ tick, operation }] : [];
  });
}

/** When a part began and ended in a run, ms; null where the run has nothing of it. */
export function partSpan(recording: Timed, part: Part): { fromMs: number; toMs: number } | null {
  const own = ownTicks(recording, part);
  const first = own[0]?.tick;
  const last = own.at(-1)?.tick;
  return first && last ? { fromMs: first.atMs - first.intervalMs, toMs: last.atMs } : null;
}

/** A run's intervals of one part, counted from that part's own start. */
function slice(recording: Timed, part: Part, alignment: Alignment): Slice[] {
  const start = partSpan(recording, part)?.fromMs ?? 0;
  let rows = 0;
  return ownTicks(recording, part).map(({ tick, operation }) => {
    const before = rows;
    rows += operation.rows;
    const ms = tick.intervalMs;
    return alignment === 'rows'
      ? { from: before, to: rows, ms, operation }
      : { from: tick.atMs - ms - start, to: tick.atMs - start, ms, operation };
  });
}

function percentiles(points: readonly Slice[], key: 'p50' | 'p99', alignment: Alignment): Series {
  const x: number[] = [];
  const y: number[] = [];
  let end = 0;
  for (const { from, to, operation } of points) {
    if (alignment === 'time' && from - end > gapMs) {
      x.push(from);
      y.push(Number.NaN);
    }
    x.push(to);
    y.push(operation.latencyUs?.[key] ?? Number.NaN);
    end = to;
  }
  return { x, y };
}
