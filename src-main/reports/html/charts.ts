import { heldBack } from '../../../src-shared/model/host.ts';
import type { Phase } from '../../../src-shared/model/run.ts';
import type { Tick, TickOperation } from '../../../src-shared/model/tick.ts';
import type { TimeAxis } from '../../../src-shared/model/timeAxis.ts';
import { gapMs, gridStep, type Interval, rebin } from '../../../src-shared/stats/rates.ts';
import type { Series } from '../../../src-shared/stats/series.ts';
import { formatLatency } from '../../../src-shared/units.ts';
import type { RunRecord } from '../exports/format.ts';
import type { Chart, ChartLine } from './chart.ts';

/** Cells that an axis is put into, so that runs of any length lie over each other. */
const cells = 300;

const shortNumber = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });
const rateFormat = (value: number) => shortNumber.format(value);

interface Rate {
  title: string;
  unit: string;
  read(operation: TickOperation): number;
}

const rates: Readonly<Record<Phase['kind'], Rate>> = {
  load: { title: 'Rows written', unit: 'rows/s', read: ({ rows }) => rows },
  queries: { title: 'Queries', unit: 'queries/s', read: ({ count }) => count },
  initialize: { title: 'Rows of new tables', unit: 'rows/s', read: ({ rows }) => rows },
  transactions: { title: 'Transactions', unit: 'TPS', read: ({ count }) => count },
};

/** What of a run a chart is of. */
export interface Part {
  phase: Phase;
  /** null: the first operation of each tick. */
  operation: string | null;
}

/** Each of a run's phases; of queries each type, since they run one after the other. */
export function partsOf(phases: readonly Phase[]): Part[] {
  return phases.flatMap((phase): Part[] => {
    if (phase.kind !== 'queries') return [{ phase, operation: null }];
    return phase.operations
      .filter(({ name }) => !/^(?:all|cold|warm) queries$/.test(name))
      .map(({ name }) => ({ phase, operation: name }));
  });
}

export const partLabel = ({ phase, operation }: Part) =>
  operation === null ? phase.name : `${phase.name} · ${operation}`;

interface Slice {
  tick: Tick;
  operation: TickOperation;
}

function slicesOf({ phase, operation }: Part, ticks: readonly Tick[]): Slice[] {
  return ticks.flatMap((tick) => {
    if (tick.phase !== phase.index) return [];
    const own =
      operation === null ? tick.operations[0] : tick.operations.find(({ name }) => name === operation);
    return own ? [{ tick, operation: own }] : [];
  });
}

/** The charts of one part in one or several runs; time counts from the part's beginning in each. */
export function partCharts(of: readonly { part: Part; record: RunRecord; label: string }[]): Chart[] {
  const [first] = of;
  if (first === undefined) return [];
  const runs = of.map(({ part, record, label }, i) => {
    const slices = slicesOf(part, record.series.ticks);
    const start = slices[0];
    return {
      label,
      color: (i % 8) + 1,
      slices,
      startMs: start ? start.tick.atMs - start.tick.intervalMs : 0,
    };
  });
  const end = Math.max(
    1000,
    ...runs.map(({ slices, startMs }) => (slices.at(-1)?.tick.atMs ?? startMs) - startMs),
  );
  const step = gridStep(end, cells);
  const rate = rates[first.part.phase.kind];
  const single = runs.length === 1;
  const latencies = single ? (['p50', 'p95', 'p99', 'max'] as const) : (['p50', 'p99'] as const);
  const bands = single && runs[0] ? bandsOf(first.record.series, runs[0].startMs, end) : [];
  return [
    {
      title: rate.title,
      unit: rate.unit,
      scale: 'linear',
      format: rateFormat,
      bands,
      lines: runs.map(({ label, color, slices, startMs }) => ({
        label: single ? '' : label,
        color,
        dash: 0,
        data: rebin(
          slices.map(
            ({ tick, operation }): Interval => ({
              fromMs: tick.atMs - tick.intervalMs - startMs,
              toMs: tick.atMs - startMs,
              sum: rate.read(operation),
            }),
          ),
          step,
        ),
      })),
    },
    ...(single
      ? [
          latencyChart(
            'Latency',
            bands,
            runs.flatMap((run) => latencies.map((name, i) => percentileLine(run, name, name, i))),
          ),
        ]
      : latencies.map((name) =>
          latencyChart(
            `Latency, ${name}`,
            bands,
            runs.map((run) => percentileLine(run, name, run.label, 0)),
          ),
        )),
  ];
}

function latencyChart(title: string, bands: Chart['bands'], lines: ChartLine[]): Chart {
  return { title, unit: 'of one operation', scale: 'log', format: formatLatency, bands, lines };
}

/** Percentiles stay as they were measured: they cannot be joined. */
function percentileLine(
  run: { color: number; slices: readonly Slice[]; startMs: number },
  name: 'p50' | 'p95' | 'p99' | 'max',
  label: string,
  dash: number,
): ChartLine {
  const x: number[] = [];
  const y: number[] = [];
  let before = Number.NaN;
  for (const { tick, operation } of run.slices) {
    const from = tick.atMs - tick.intervalMs;
    if (from - before > gapMs) {
      x.push(from - run.startMs);
      y.push(Number.NaN);
    }
    before = tick.atMs;
    if (operation.latencyUs === null) continue;
    x.push(tick.atMs - run.startMs);
    y.push(operation.latencyUs[name]);
  }
  return { label, color: run.color, dash, data: { x, y } };
}

/** The host of a run: processor and temperature, over the whole run. */
export function hostCharts({ series }: RunRecord): Chart[] {
  const { health } = series;
  if (health.length === 0) return [];
  const of = (read: (sample: (typeof health)[number]) => number | null): Series => ({
    x: health.map(({ atMs }) => Math.max(0, atMs)),
    y: health.map((sample) => read(sample) ?? Number.NaN),
  });
  const line = (label: string, dash: number, data: Series): ChartLine => ({ label, color: 1, dash, data });
  const base = { scale: 'linear', bands: bandsOf(series, 0, Number.POSITIVE_INFINITY) } as const;
  return [
    {
      ...base,
      title: 'Host CPU',
      unit: '% of all cores',
      format: (value) => `${value} %`,
      atLeast: 100,
      lines: [
        line(
          'user',
          0,
          of(({ cpu }) => cpu.user * 100),
        ),
        line(
          'system',
          1,
          of(({ cpu }) => cpu.system * 100),
        ),
        line(
          'waiting for disk',
          2,
          of(({ cpu }) => cpu.wait * 100),
        ),
      ],
    },
    {
      ...base,
      title: 'Host temperature',
      unit: '°C',
      format: (value) => `${value} °C`,
      atLeast: 85,
      lines: [
        line(
          '',
          0,
          of(({ temperatureC }) => temperatureC),
        ),
      ],
    },
  ];
}

/** Checkpoints, and the time in which the firmware held the processor back. */
function bandsOf({ server, health }: TimeAxis, startMs: number, end: number): Chart['bands'] {
  const checkpoints = new Map(
    server.flatMap((sample) => sample.checkpoints).map((checkpoint) => [checkpoint.id, checkpoint]),
  );
  const last = server.at(-1)?.atMs ?? 0;
  return [
    ...[...checkpoints.values()]
      .filter(({ state }) => state !== 'skipped')
      .map(({ startMs: from, endMs }) => ({
        fromMs: from,
        toMs: endMs ?? last,
        kind: 'checkpoint' as const,
      })),
    ...health
      .filter(({ throttle }) => throttle !== null && heldBack(throttle))
      .map(({ atMs, intervalMs }) => ({ fromMs: atMs - intervalMs, toMs: atMs, kind: 'held' as const })),
  ]
    .map(({ fromMs, toMs, kind }) => ({
      fromMs: Math.max(0, fromMs - startMs),
      toMs: Math.min(end, toMs - startMs),
      kind,
    }))
    .filter(({ fromMs, toMs }) => toMs > fromMs);
}
