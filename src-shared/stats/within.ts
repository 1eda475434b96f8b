import type { Change, Metric } from '../model/comparison.ts';
import type { LatencyCells } from '../model/latencies.ts';
import type { Run } from '../model/run.ts';
import type { Tick } from '../model/tick.ts';
import type { Question } from './judge.ts';
import { mergeCells, percentileOf } from './latencies.ts';
import { mergedQuantileRatio, quantileRatio, totalOf } from './latencyInterval.ts';
import { perSecond, shortestMs } from './rates.ts';
import { blockLength, bootstrapRatio, effectiveSize, mean, whitened } from './robust.ts';
import type { RecordingOf } from './sides.ts';

/** Below ten blocks a bootstrap's interval is too narrow (Chandy, Schifano & Yan 2024). */
const leastBlocks = 10;
/** In less there is not even one checkpoint. */
const leastSeconds = 120;

const shares: Partial<Record<Metric['key'], number>> = { p50: 0.5, p95: 0.95, p99: 0.99 };

/** What a figure is of: one operation of a phase, or all of the phase. */
interface Part {
  phase: string;
  operation: string | null;
}

/**
 * What the time axes of the runs add to a question: of one run against one the change within these two, of repeats the
 * ratio of percentiles of merged histograms. Nothing where they are not at hand or too short.
 */
export function withinRuns(
  metric: Metric,
  part: Part,
  base: readonly Run[],
  side: readonly Run[],
  recordingOf: RecordingOf,
): Pick<Question, 'within' | 'merged'> {
  const share = shares[metric.key];
  const [under, over] = [base[0], side[0]];
  if (base.length === 1 && side.length === 1 && under !== undefined && over !== undefined)
    return {
      within:
        metric.kind === 'rate'
          ? rateWithin(metric, part, under, over, recordingOf)
          : share === undefined
            ? null
            : latencyWithin(share, part, under, over, recordingOf),
    };
  if (share === undefined || base.length < 2 || side.length < 2) return {};
  const [before, after] = [totals(part, base, recordingOf), totals(part, side, recordingOf)];
  return before === null || after === null ? {} : { merged: mergedQuantileRatio(before, after, share) };
}

/** A percentile of all values of the runs together; null where a run's histograms are not at hand, or it is no percentile. */
export function mergedPercentile(
  metric: Metric,
  part: Part,
  runs: readonly Run[],
  recordingOf: RecordingOf,
): number | null {
  const share = shares[metric.key];
  const parts = share === undefined ? null : totals(part, runs, recordingOf);
  return share === undefined || parts === null ? null : percentileOf(mergeCells(parts), share);
}

/** Ratio of the mean rates less 1, by blocks of seconds (`bootstrapRatio`). */
function rateWithin(
  metric: Metric,
  part: Part,
  base: Run,
  side: Run,
  recordingOf: RecordingOf,
): Change | null {
  const [under, over] = [base, side].map((run) => ratesOf(metric, part, run, recordingOf));
  if (under === undefined || over === undefined || under.length === 0 || over.length === 0) return null;
  return changeWithin(under, over);
}

/**
 * Change between two series of rates a second, from themselves alone; null where they are too short: under two minutes, ten
 * blocks, or ten values that are worth as much as independent ones.
 */
export function changeWithin(under: readonly number[], over: readonly number[]): Change | null {
  if (Math.min(under.length, over.length) < leastSeconds || mean(under) <= 0) return null;
  const both = [whitened(under), whitened(over)];
  const block = Math.max(...both.map(({ residuals }) => blockLength(residuals)));
  const worth = both.map((each) => Math.min(effectiveSize(each), each.residuals.length / block));
  return Math.min(...worth) < leastBlocks ? null : bootstrapRatio(over, under, block);
}

/** The rate of each second in which the operation was on; a rest at the end has none of its own. */
function ratesOf(metric: Metric, part: Part, run: Run, recordingOf: RecordingOf): number[] {
  // When a single second's rows could be queried nobody knows.
  if (metric.key === 'visible') return [];
  const index = run.phases.find(({ name }) => name === part.phase)?.index;
  const ticks = recordingOf(run.id)?.ticks.filter(({ phase }) => phase === index) ?? [];
  const counted = ticks.map((tick) => ({ sum: countOf(metric, part, tick), ms: tick.intervalMs }));
  const first = counted.findIndex(({ sum }) => sum > 0);
  const last = counted.findLastIndex(({ sum }) => sum > 0);
  return counted
    .slice(Math.max(0, first), last + 1)
    .filter(({ ms }) => ms >= shortestMs)
    .map(({ sum, ms }) => perSecond(sum, ms));
}

/** What of a tick a rate is of; of others its operations. */
const countedBy: Partial<Record<Metric['key'], 'rows' | 'metrics' | 'bytes'>> = {
  rows: 'rows',
  metrics: 'metrics',
  fetchedRows: 'rows',
  fetchedBytes: 'bytes',
};

function countOf(metric: Metric, { operation }: Part, { operations }: Tick): number {
  const key = countedBy[metric.key] ?? 'count';
  return operations
    .filter(({ name }) => operation === null || name === operation)
    .reduce((sum, each) => sum + each[key], 0);
}

function latencyWithin(
  share: number,
  part: Part,
  base: Run,
  side: Run,
  recordingOf: RecordingOf,
): Change | null {
  const [under, over] = [base, side].map((run) => secondsOf(part, run, recordingOf));
  const found = under && over ? quantileRatio(under, over, share) : null;
  return found && { value: found.ratio - 1, low: found.low - 1, high: found.high - 1 };
}

function secondsOf({ phase, operation }: Part, run: Run, recordingOf: RecordingOf): readonly LatencyCells[] {
  const index = run.phases.find(({ name }) => name === phase)?.index;
  if (index === undefined || operation === null) return [];
  return recordingOf(run.id)?.latencies(index, operation) ?? [];
}

/** Of each run all values of the part; null where one has none. */
function totals(part: Part, runs: readonly Run[], recordingOf: RecordingOf): LatencyCells[] | null {
  const found = runs.map((run) => totalOf(secondsOf(part, run, recordingOf)));
  return found.every((total) => total.us.length > 0) ? found : null;
}
