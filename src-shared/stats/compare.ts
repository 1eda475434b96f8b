import type {
  Comparison,
  ComparisonRow,
  ComparisonVerdict,
  Difference,
  Metric,
} from '../model/comparison.ts';
import type { Run } from '../model/run.ts';
import { type VerdictCode, verdictLabels } from '../model/verdict.ts';
import { formatCount, formatDelta, formatLatency, formatRate } from '../units.ts';
import { buildTable } from './compareTable.ts';
import { brokenBetween, findDifferences } from './differences.ts';
import { type RecordingOf, type Side, sideOf } from './sides.ts';
import { numberWord } from './words.ts';

const nothingRecorded: RecordingOf = () => null;

/**
 * Puts two to eight sides beside each other; the terminal and every screen show the same. What is claimed, and when, stands
 * at `judge`; what the sides differ in, at `findDifferences`.
 *
 * @param base index of the side to count from
 * @param recordingOf time axes where they are at hand: without them there are no merged percentiles, and nothing is said of
 *   what lies within two single runs
 */
export function compareSides(
  sides: readonly Side[],
  base = 0,
  recordingOf: RecordingOf = nothingRecorded,
): Comparison {
  const differences = findDifferences(sides.map(({ runs }) => runs));
  const broken = sides.map((_, side) => (side === base ? null : brokenBetween(differences, base, side)));
  const table = buildTable({ sides, base, broken, recordingOf });
  const headline = headlineRow(table, base);
  const verdicts = sides.map((_, side) => headline?.cells[side]?.verdict ?? null);
  return {
    base,
    sides: sides.map(({ label, runs, leftOut }) => ({ label, runIds: runs.map(({ id }) => id), leftOut })),
    sentence: sentenceOf(sides, base, headline, verdicts),
    verdicts,
    caveats: caveats(sides, base, differences, table, verdicts),
    differences,
    table,
  };
}

/** Single runs side by side. */
export function compareRuns(runs: readonly Run[], base = 0, recordingOf?: RecordingOf): Comparison {
  const labels = runLabels(runs);
  return compareSides(
    runs.map((run, i) => sideOf(labels[i] ?? '', [run])),
    base,
    recordingOf,
  );
}

/** The first rate that the base and another side have: what the one sentence is about. */
function headlineRow(table: readonly ComparisonRow[], base: number): ComparisonRow | null {
  return (
    table.find(
      ({ metric, cells }) =>
        metric.kind === 'rate' &&
        cells[base]?.value !== null &&
        cells.some(({ verdict }) => verdict !== null),
    ) ?? null
  );
}

/** The rows of a table under what they are of. Transactions and queries a second share a key, and are two groups. */
export function rowsByMetric(
  rows: readonly ComparisonRow[],
): readonly { metric: Metric; rows: readonly ComparisonRow[] }[] {
  const groups = Map.groupBy(rows, ({ metric }) => metric.label);
  return [...groups.values()].flatMap((own) => (own[0] ? [{ metric: own[0].metric, rows: own }] : []));
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
  // What was printed elsewhere may have no target.
  const byTarget = runs.map((run) => run.targetName || run.name);
  if (distinct(byTarget)) return byTarget;
  const byName = runs.map((run) => run.name);
  if (distinct(byName)) return byName;
  return byTarget.map((label, i) => `${label} ${String.fromCharCode(65 + (i % 26))}`);
}

function sentenceOf(
  sides: readonly Side[],
  base: number,
  headline: ComparisonRow | null,
  verdicts: readonly (ComparisonVerdict | null)[],
): string {
  if (sides.length < 2) return 'Two runs are needed for a comparison.';
  if (headline === null) return 'These runs have no rate in common that could be compared.';
  const told = verdicts.flatMap((verdict, side) =>
    verdict === null ? [] : [{ label: sides[side]?.label ?? '', sentence: verdict.sentence }],
  );
  const against = sides[base]?.label ?? '';
  const of = headline.operation === null || headline.metric.unit === 'TPS' ? '' : ` in ${headline.operation}`;
  return `${told.map(({ label, sentence }) => `${label} against ${against}${of}: ${sentence}`).join('; ')}.`;
}

/** With a rate a latency begins when the operation was due, without one when it began: two different things. */
function latencyCaveats(sides: readonly Side[]): string[] {
  const phases = [
    ...new Set(sides.flatMap(({ runs }) => runs.flatMap((run) => run.phases.map(({ name }) => name)))),
  ];
  return phases.flatMap((phase) => {
    const of = (scheduled: boolean) =>
      sides
        .filter(({ runs }) =>
          runs.some((run) =>
            run.phases.some(
              ({ name, operations }) =>
                name === phase &&
                operations.some((o) => o.latencyUs !== null && (o.serviceUs !== null) === scheduled),
            ),
          ),
        )
        .map(({ label }) => label);
    const [open, closed] = [of(true), of(false)];
    if (open.length === 0 || closed.length === 0) return [];
    return [
      `Latencies of ${phase} are not of one kind: from the planned start in ${open.join(', ')}, which had a rate to keep; from the actual start in ${closed.join(', ')}.`,
    ];
  });
}

/** What a run says of itself that speaks against its figures; a missed threshold is the plan's wish. */
function flawsOf(runs: readonly Run[]): string[] {
  const codes = runs.flatMap(({ verdicts }) => verdicts.map(({ code }) => code));
  // Of figures that were printed elsewhere it is a difference, and told among those.
  const harmless: readonly VerdictCode[] = ['valid', 'threshold-missed', 'imported', 'published'];
  const flaws = codes.filter((code) => !harmless.includes(code));
  const unjudged = runs.some(({ verdicts }) => verdicts.length === 0) ? ['no verdict yet'] : [];
  return [...new Set(flaws.map((code) => verdictLabels[code])), ...unjudged];
}

function caveats(
  sides: readonly Side[],
  base: number,
  differences: readonly Difference[],
  table: readonly ComparisonRow[],
  verdicts: readonly (ComparisonVerdict | null)[],
): string[] {
  const reasons = [...new Set(verdicts.flatMap((verdict) => (verdict === null ? [] : [verdict.reason])))];
  const bad = sides.flatMap(({ label, runs }) => {
    const flaws = flawsOf(runs);
    return flaws.length === 0 ? [] : [`${label} (${flaws.join(', ')})`];
  });
  const out = sides.flatMap(({ label, leftOut }) =>
    leftOut.map(({ name, reason }) => `${name} of ${label} (${reason})`),
  );
  const areas = new Set(differences.filter(({ grade }) => grade !== 'harmless').map(({ area }) => area));
  areas.delete('target');
  const family = Math.max(
    0,
    ...table.flatMap(({ cells }) => cells.flatMap(({ verdict }) => verdict?.family ?? [])),
  );
  return [
    ...reasons,
    ...(out.length > 0 ? [`Left out: ${out.join('; ')}.`] : []),
    ...(bad.length > 0 ? [`Not valid, so the figures may not stand for the server: ${bad.join('; ')}.`] : []),
    ...latencyCaveats(sides),
    ...(areas.size > 0 ? [`Differs besides the target: ${[...areas].join(', ')}.`] : []),
    ...(family > 1
      ? [
          `Up to ${numberWord(family)} comparisons are made of one metric: p values are adjusted after Holm, so that of tables without any true difference at most 5 % claim one for it.`,
        ]
      : []),
    ...(sides.length > 2 ? [`All are compared with ${sides[base]?.label ?? ''}, none with each other.`] : []),
  ];
}
