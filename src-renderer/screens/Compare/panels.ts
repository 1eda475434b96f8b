import type { HealthSample } from '../../../src-shared/model/host.ts';
import type { Run } from '../../../src-shared/model/run.ts';
import type { ServerSample } from '../../../src-shared/model/telemetry.ts';
import type { Tick, TickOperation } from '../../../src-shared/model/tick.ts';
import { gapMs, gridStep, type Interval, rebin } from '../../../src-shared/stats/rates.ts';
import type { Series } from '../../../src-shared/stats/series.ts';
import { formatElapsed, formatLatency, formatRate } from '../../../src-shared/units.ts';
import { formatTick, type Panel, runColor } from '../../charts/panel.ts';

/** More lines than this cannot be told apart in a panel. */
export const mostRuns = 5;

/** What can be laid over each other: a load, or one query type. */
export interface Part {
  phase: string;
  /** null for a load. */
  operation: string | null;
  label: string;
}

/** The parts that at least two of the runs have. */
export function commonParts(runs: readonly Run[]): Part[] {
  const parts = new Map<string, { part: Part; runs: number }>();
  for (const run of runs) {
    for (const phase of run.phases) {
      if (phase.kind === 'initialize') continue;
      // Of several scripts only all together are in the ticks.
      const measured = phase.kind === 'transactions' ? phase.operations.slice(0, 1) : phase.operations;
      const names =
        phase.kind === 'load' ? [null] : measured.map(({ name }) => name).filter((n) => n !== 'all queries');
      for (const operation of names) {
        const label = operation === null ? phase.name : `${phase.name} · ${operation}`;
        const entry = parts.get(label) ?? { part: { phase: phase.name, operation, label }, runs: 0 };
        entry.runs += 1;
        parts.set(label, entry);
      }
    }
  }
  return [...parts.values()].filter((entry) => entry.runs >= 2).map(({ part }) => part);
}

/** A run with its seconds. */
export interface Recording {
  label: string;
  ticks: readonly Tick[];
  health: readonly HealthSample[];
  server: readonly ServerSample[];
  run: Pick<Run, 'id' | 'phases'>;
}

/**
 * The panels of one part, each run a line in its own colour, aligned on the time since that part began. Rates are put on
 * a common grid as sums over time; percentiles stay as they were measured, since they cannot be joined.
 */
export function comparePanels(
  recordings: readonly Recording[],
  part: Part,
): { panels: Panel[]; duration: number } {
  const slices = recordings.map((recording, i) => ({
    label: recording.label,
    color: runColor(i),
    key: recording.run.id,
    points: slice(recording, part),
  }));
  const duration = Math.max(1000, ...slices.map(({ points }) => points.at(-1)?.toMs ?? 0));
  const step = gridStep(duration, 300);
  const load = part.operation === null;
  const kind = recordings[0]?.run.phases.find(({ name }) => name === part.phase)?.kind;
  const transactions = kind === 'transactions';
  const base = { dash: '', scale: 'linear' } as const;
  const lines = (data: (points: readonly Slice[]) => Series) =>
    slices
      .filter(({ points }) => points.length > 0)
      .map(({ label, color, key, points }) => ({ key, label, color, dash: base.dash, data: data(points) }));
  const rate = (read: (o: TickOperation) => number) =>
    lines((points) =>
      rebin(
        points.map(({ fromMs, toMs, operation }): Interval => ({ fromMs, toMs, sum: read(operation) })),
        step,
      ),
    );
  const latency = (key: 'p50' | 'p99') => lines((points) => percentiles(points, key));
  const grid = step === 1000 ? 'Each point is one second' : `Each point is ${formatElapsed(step)}`;
  const latencyPanel = (key: 'p50' | 'p99'): Panel => ({
    id: key,
    title: `Latency ${key}`,
    unit: load ? 'of a batch' : transactions ? 'of a transaction' : 'of a query',
    scale: 'log',
    format: formatLatency,
    series: latency(key),
    help: 'The percentile of each interval as it was measured, from one histogram. Percentiles cannot be joined, so nothing is averaged here.',
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
      help: `${grid}: everything counted in it ÷ all time measured in it. Time counts from the start of ${part.label} in each run.`,
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
      help: `${grid}: operations that failed in it ÷ all time measured in it.`,
    },
  ];
  const failed = slices.some(({ points }) => points.some(({ operation }) => operation.errors > 0));
  return { panels: panels.filter(({ id }) => id !== 'errors' || failed), duration };
}

interface Slice {
  fromMs: number;
  toMs: number;
  operation: TickOperation;
}

/** A run's ticks of one part. */
function ownTicks({ run, ticks }: Recording, part: Part): { tick: Tick; operation: TickOperation }[] {
  const phase = run.phases.find(({ name }) => name === part.phase);
  if (!phase) return [];
  return ticks.flatMap((tick) => {
    const operation = tick.operations.find(({ name }) => part.operation === null || name === part.operation);
    return tick.phase === phase.index && operation ? [{ tick, operation }] : [];
  });
}

/** When a part began and ended in a run, ms; null where the run has nothing of it. */
export function partSpan(recording: Recording, part: Part): { fromMs: number; toMs: number } | null {
  const own = ownTicks(recording, part);
  const first = own[0]?.tick;
  const last = own.at(-1)?.tick;
  return first && last ? { fromMs: first.atMs - first.intervalMs, toMs: last.atMs } : null;
}

/** A run's intervals of one part, counted from that part's own start. */
function slice(recording: Recording, part: Part): Slice[] {
  const start = partSpan(recording, part)?.fromMs ?? 0;
  return ownTicks(recording, part).map(({ tick, operation }) => ({
    fromMs: tick.atMs - tick.intervalMs - start,
    toMs: tick.atMs - start,
    operation,
  }));
}

function percentiles(points: readonly Slice[], key: 'p50' | 'p99'): Series {
  const x: number[] = [];
  const y: number[] = [];
  let end = 0;
  for (const { fromMs, toMs, operation } of points) {
    if (fromMs - end > gapMs) {
      x.push(fromMs);
      y.push(Number.NaN);
    }
    x.push(toMs);
    y.push(operation.latencyUs?.[key] ?? Number.NaN);
    end = toMs;
  }
  return { x, y };
}
