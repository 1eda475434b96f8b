import type { Run } from '../model/run.ts';
import { verdictLabels } from '../model/verdict.ts';
import { formatCount, formatDelta, formatLatency, formatRate } from '../units.ts';
import { buildTable, type ComparisonRow, type Metric } from './compareTable.ts';
import { type Difference, findDifferences } from './differences.ts';

export interface Comparison {
  /** Index of the run that Δ % counts from. */
  base: number;
  /** What came out, in plain words. */
  sentence: string;
  /** How far that may be trusted: one line each. */
  caveats: string[];
  differences: Difference[];
  table: ComparisonRow[];
}

/**
 * Puts runs side by side; the CLI and the Compare screen show the same. One run against one has no interval, so nothing
 * here says that a difference is significant.
 *
 * @param base index of the run to count from
 */
export function compareRuns(runs: readonly Run[], base = 0): Comparison {
  const differences = findDifferences(runs);
  const table = buildTable(runs, base);
  return {
    base,
    sentence: plainSentence(runs, table, base),
    caveats: caveats(runs, differences),
    differences,
    table,
  };
}

/** A figure of the table with its unit, as everywhere: `21,204 rows/s`, `184 ms`. */
export function formatFigure(value: number | null, metric: Metric): string {
  if (value === null) return '–';
  if (metric.kind === 'latency') return formatLatency(value);
  if (metric.kind === 'count') return value.toLocaleString('en-US');
  if (metric.kind === 'seconds') return `${value.toFixed(2)} s`;
  return `${formatRate(value)} ${metric.unit}`;
}

/** A change against the base: `+18.4 %`; from tenfold on as a factor, `× 5,072`, since nobody reads such a percentage. */
export function formatChange(delta: number): string {
  return delta >= 9 ? `× ${formatCount(delta + 1)}` : formatDelta(delta);
}

/** Names that tell the runs apart: target or plan where those do, else the target with the run's letter, `sandbox B`. */
export function runLabels(runs: readonly Pick<Run, 'name' | 'targetName'>[]): string[] {
  const distinct = (labels: string[]) => new Set(labels).size === labels.length;
  const byTarget = runs.map((run) => run.targetName);
  if (distinct(byTarget)) return byTarget;
  const byName = runs.map((run) => run.name);
  if (distinct(byName)) return byName;
  return runs.map((run, i) => `${run.targetName} ${String.fromCharCode(65 + (i % 26))}`);
}

function plainSentence(runs: readonly Run[], table: readonly ComparisonRow[], base: number): string {
  if (runs.length < 2) return 'Two runs are needed for a comparison.';
  const rates = table.filter(({ metric, cells }) => metric.kind === 'rate' && cells[base]?.value !== null);
  const row = rates.find(({ cells }) => cells.some(({ delta }) => delta !== null));
  const reference = row?.cells[base]?.value ?? null;
  if (!row || reference === null) return 'These runs have no rate in common that could be compared.';
  const labels = runLabels(runs);
  const [verb, what] =
    row.metric.key === 'rows'
      ? ['loaded', 'rows per second']
      : row.metric.unit === 'TPS'
        ? ['did', 'transactions per second']
        : ['ran', `${row.operation ?? row.phase} queries per second`];
  const others = row.cells.flatMap(({ value, delta }, i) =>
    value === null || delta === null ? [] : [{ label: labels[i] ?? '', value, delta }],
  );
  const [only] = others;
  if (only && row.cells.length === 2) {
    const figures = `${formatRate(only.value)} against ${formatRate(reference)}`;
    return `${only.label} ${verb} ${more(only.delta)} ${what} ${than(only.delta)} ${labels[base]}: ${figures}.`;
  }
  const list = others.map(
    ({ label, value, delta }) => `${label} ${formatRate(value)} (${formatChange(delta)})`,
  );
  return `${labels[base]} ${verb} ${formatRate(reference)} ${what}; ${list.join(', ')}.`;
}

function rounded(delta: number): number {
  return Math.round(delta * 1000) / 10;
}
function more(delta: number): string {
  const percent = rounded(delta);
  return percent === 0 ? 'as many' : `${Math.abs(percent).toFixed(1)} % ${percent > 0 ? 'more' : 'fewer'}`;
}
function than(delta: number): string {
  return rounded(delta) === 0 ? 'as' : 'than';
}

/** With a rate a latency begins when the operation was due, without one when it began: two different things. */
function latencyCaveats(runs: readonly Run[], labels: readonly string[]): string[] {
  const phases = [...new Set(runs.flatMap((run) => run.phases.map(({ name }) => name)))];
  return phases.flatMap((phase) => {
    const of = (scheduled: boolean) =>
      runs.flatMap(({ phases: own }, i) => {
        const done = own.find(({ name }) => name === phase)?.operations.filter((o) => o.latencyUs !== null);
        return done?.some((o) => (o.serviceUs !== null) === scheduled) ? [labels[i]] : [];
      });
    const [open, closed] = [of(true), of(false)];
    if (open.length === 0 || closed.length === 0) return [];
    return [
      `Latencies of ${phase} are not of one kind: from the planned start in ${open.join(', ')}, which had a rate to keep; from the actual start in ${closed.join(', ')}.`,
    ];
  });
}

function caveats(runs: readonly Run[], differences: readonly Difference[]): string[] {
  const labels = runLabels(runs);
  const bad = runs.flatMap((run, i) => {
    const codes = run.verdicts.filter(({ code }) => code !== 'valid').map(({ code }) => verdictLabels[code]);
    if (run.verdicts.length > 0 && codes.length === 0) return [];
    return [`${labels[i]} (${codes.length > 0 ? codes.join(', ') : 'no verdict yet'})`];
  });
  const setups = new Set(differences.map(({ area }) => area));
  const changed = (['plan', 'seed', 'server', 'client', 'tool'] as const).filter((area) => setups.has(area));
  return [
    'One run each: no interval. A difference may be chance; repeat the runs before relying on it.',
    ...(bad.length > 0 ? [`Not valid, so the figures may not stand for the server: ${bad.join('; ')}.`] : []),
    ...latencyCaveats(runs, labels),
    ...(changed.length > 0 ? [`Differs besides the target: ${changed.join(', ')}.`] : []),
  ];
}
