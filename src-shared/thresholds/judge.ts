import { knownPhases, type PrintedOperation, type PrintedPhase } from '../model/printed.ts';
import type { Run } from '../model/run.ts';
import { distinctOperations, wholeOperation } from '../model/wholeOperation.ts';
import { brokenBetween, findDifferences } from '../stats/differences.ts';
import { mean } from '../stats/robust.ts';
import { numberWord, signed } from '../stats/words.ts';
import { formatCount, formatLatency, formatRate } from '../units.ts';
import {
  type Comparator,
  metricKind,
  parseThreshold,
  type Threshold,
  type ThresholdEntry,
  type ThresholdFigure,
  type ThresholdMetric,
} from './parse.ts';

/** What became of a threshold. */
export interface ThresholdResult {
  /** As the plan has it. */
  text: string;
  kept: boolean;
  /** What was measured and what it was held against: `13,204 rows/s, at least 12,000 wanted`. */
  detail: string;
}

type Measured = Pick<Run, 'phases' | 'printed'>;

const units: Partial<Record<ThresholdMetric, string>> = {
  rowsPerSecond: 'rows/s',
  metricsPerSecond: 'metrics/s',
  queriesPerSecond: 'queries/s',
  tps: 'TPS',
};

/**
 * Holds a run that has come to its end against the thresholds of its plan. A figure that the run does not have is not kept.
 * @param baseline the runs of the plan's baseline that count; null where there is none
 */
export function judgeThresholds(
  entries: readonly ThresholdEntry[],
  run: Run,
  baseline: readonly Run[] | null,
): ThresholdResult[] {
  return entries.flatMap((entry): ThresholdResult[] => {
    const parsed = parseThreshold(entry);
    if ('problem' in parsed) return [];
    const { threshold } = parsed;
    const { text } = threshold;
    return [
      threshold.kind === 'limit'
        ? { text, ...heldAgainstLimit(threshold, run) }
        : { text, ...heldAgainstBaseline(threshold, run, baseline) },
    ];
  });
}

type Outcome = Pick<ThresholdResult, 'kept' | 'detail'>;

const wanted: Record<Comparator, { words: string; holds: (value: number, limit: number) => boolean }> = {
  '>=': { words: 'at least', holds: (value, limit) => value >= limit },
  '<=': { words: 'at most', holds: (value, limit) => value <= limit },
  '>': { words: 'more than', holds: (value, limit) => value > limit },
  '<': { words: 'less than', holds: (value, limit) => value < limit },
};

function heldAgainstLimit(
  { figure, comparator, limit }: Extract<Threshold, { kind: 'limit' }>,
  run: Measured,
): Outcome {
  const value = figureOf(run, figure);
  if (value === null) return missing(figure, run);
  const { words, holds } = wanted[comparator];
  return {
    kept: holds(value, limit),
    detail: `${shown(figure.metric, value)}, ${words} ${shown(figure.metric, limit)} wanted`,
  };
}

function heldAgainstBaseline(
  { figure, tolerance }: Extract<Threshold, { kind: 'baseline' }>,
  run: Run,
  baseline: readonly Run[] | null,
): Outcome {
  if (baseline === null)
    return { kept: false, detail: 'there is no baseline of this plan to hold it against' };
  const broken = brokenBetween(findDifferences([baseline, [run]]), 0, 1);
  if (broken !== null) return { kept: false, detail: `it cannot be held against the baseline: ${broken}` };
  const of = figure ?? firstRate(run);
  if (of === null) return { kept: false, detail: 'the run has no rate' };
  const value = figureOf(run, of);
  if (value === null) return missing(of, run);
  const known = baseline.flatMap((each) => figureOf(each, of) ?? []);
  if (known.length === 0) return { kept: false, detail: `the baseline has no ${nameOf(of)}` };
  const reference = mean(known);
  const worse = metricKind(of.metric) === 'rate' ? 1 - value / reference : value / reference - 1;
  // 0 ÷ 0: both have no errors. A billionth for what floating point makes of 1 − 95 ÷ 100.
  const kept = value === reference || worse <= tolerance + 1e-9;
  const change = reference > 0 ? ` (${signed(value / reference)} %)` : '';
  const runs = known.length === 1 ? 'one run' : `${numberWord(known.length)} runs`;
  return {
    kept,
    detail: `${shown(of.metric, value)} against ${shown(of.metric, reference)} of the baseline, ${runs}${change}; ${(tolerance * 100).toLocaleString('en-US')} % worse at most wanted`,
  };
}

/** Of operations that are never one figure it says how one of them is named. */
function missing(figure: ThresholdFigure, run: Measured): Outcome {
  const detail = `the run has no ${nameOf(figure)}`;
  const names = knownPhases(run).flatMap(({ operations }) => operations.map(({ name }) => name));
  const one = names.find((of) => figureOf(run, { ...figure, of }) !== null);
  return {
    kept: false,
    detail:
      figure.of !== null || one === undefined
        ? detail
        : `${detail} of all operations, but a ${figure.metric} of ${one}`,
  };
}

function nameOf({ metric, of }: ThresholdFigure): string {
  return of === null ? metric : `${metric} of ${of}`;
}

function shown(metric: ThresholdMetric, value: number): string {
  const kind = metricKind(metric);
  if (kind === 'latency') return formatLatency(value);
  if (kind === 'count') return `${formatCount(value)} ${value === 1 ? 'error' : 'errors'}`;
  return `${formatRate(value)} ${units[metric] ?? ''}`;
}

/** The rate that a run is about, in the order in which lists show them. */
function firstRate(run: Measured): ThresholdFigure | null {
  const metric = (['tps', 'rowsPerSecond', 'queriesPerSecond'] as const).find(
    (each) => figureOf(run, { metric: each, of: null }) !== null,
  );
  return metric === undefined ? null : { metric, of: null };
}

/** The figure as the run has it; null where it has none. Latencies and rates of what is measured, not of making tables. */
function figureOf(run: Measured, { metric, of }: ThresholdFigure): number | null {
  const phases = knownPhases(run).filter(({ kind }) => kind !== 'initialize');
  switch (metric) {
    case 'rowsPerSecond':
    case 'metricsPerSecond':
      return (
        phases.find(({ kind, name }) => kind === 'load' && (of === null || name === of))?.[metric] ?? null
      );
    case 'queriesPerSecond':
      return rateOf(phases, 'queries', of);
    case 'tps':
      return rateOf(phases, 'transactions', of);
    case 'errors':
      return errorsOf(phases, of);
    default:
      return operationOf(phases, of)?.latencyUs?.[metric] ?? null;
  }
}

function rateOf(
  phases: readonly PrintedPhase[],
  wantedKind: PrintedPhase['kind'],
  of: string | null,
): number | null {
  const own = phases.filter(({ kind }) => kind === wantedKind);
  return operationOf(own, of)?.perSecond ?? null;
}

/** By its own name, or the one that has all of the phase of that name; without a name that of the first phase. */
function operationOf(phases: readonly PrintedPhase[], of: string | null): PrintedOperation | undefined {
  const phase = of === null ? phases[0] : phases.find(({ name }) => name === of);
  return phase
    ? wholeOperation(phase, phase.operations)
    : phases.flatMap(({ operations }) => operations).find(({ name }) => name === of);
}

function errorsOf(phases: readonly PrintedPhase[], of: string | null): number | null {
  const operations = phases.flatMap(({ name, kind, operations: own }) =>
    of === null || name === of
      ? distinctOperations({ kind }, own)
      : own.filter((operation) => operation.name === of),
  );
  const counts = operations.flatMap(({ errors }) => errors ?? []);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}
