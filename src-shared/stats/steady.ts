import type { Interval } from './rates.ts';
import { perSecond, shortestMs } from './rates.ts';
import { blockLength, bootstrapRatio, mean, theilSen } from './robust.ts';

/** First part of a phase that no judgement counts: a tenth of it, a minute at most. */
const warmUp = { share: 0.1, mostMs: 60_000 } as const;
/** A change below this is no matter, whatever its interval: Georges et al. (2007) call 1 to 2 % steady. */
const tolerance = 0.02;
/** Steady is what an interval keeps within this; one that reaches further leaves it open. */
const within = 0.05;
const firstMs = 600_000;
/** The whole is to be at least twice what it is compared with. */
const leastForDrift = 2;
/** Below ten blocks a bootstrap's interval is too narrow (Chandy, Schifano & Yan 2024). */
const leastBlocks = 10;
const leastSeconds = 120;

/** A change with its 95 % interval, as fractions: 0.05 is 5 % more. */
export interface Change {
  value: number;
  low: number;
  high: number;
}

export type Steadiness =
  | { verdict: 'too-short'; judgedMs: number }
  | {
      verdict: 'steady' | 'not-steady' | 'open';
      judgedMs: number;
      /** Second half against the first: ratio of the means less 1, by moving blocks (Künsch 1989) of so many seconds. */
      halves: Change;
      blockSeconds: number;
      /** Of the line through all of it, from its beginning to its end: Theil–Sen's slope with Sen's (1968) interval. */
      trend: Change;
    };

export interface Drift {
  /** What was left out at the beginning. */
  warmUpMs: number;
  /** Mean of the whole against the mean of its first ten minutes, less 1; null below twenty minutes. */
  sinceTenMinutes: number | null;
  steadiness: Steadiness;
}

/**
 * Whether a phase kept its rate. The warm-up is left out; the rest is compared by halves and by its slope. One that moved by
 * 2 % or more, with an interval that does not hold 0, is not steady; one whose intervals stay within 5 % is; else it is open.
 * @param intervals of one phase, in their order, about a second each
 */
export function driftOf(intervals: readonly Interval[]): Drift {
  const begin = intervals[0]?.fromMs ?? 0;
  const all = (intervals.at(-1)?.toMs ?? 0) - begin;
  const warmUpMs = Math.min(warmUp.share * all, warmUp.mostMs);
  const rest = intervals.filter(({ fromMs }) => fromMs - begin >= warmUpMs);
  return { warmUpMs, sinceTenMinutes: sinceTenMinutes(rest), steadiness: steadinessOf(rest) };
}

function sinceTenMinutes(rest: readonly Interval[]): number | null {
  const begin = rest[0]?.fromMs ?? 0;
  const length = (rest.at(-1)?.toMs ?? 0) - begin;
  if (length < leastForDrift * firstMs) return null;
  const first = rateOf(rest.filter(({ toMs }) => toMs - begin <= firstMs));
  return first > 0 ? rateOf(rest) / first - 1 : null;
}

function rateOf(intervals: readonly Interval[]): number {
  const sum = intervals.reduce((all, each) => all + each.sum, 0);
  return perSecond(
    sum,
    intervals.reduce((all, { fromMs, toMs }) => all + toMs - fromMs, 0),
  );
}

function steadinessOf(rest: readonly Interval[]): Steadiness {
  const judgedMs = (rest.at(-1)?.toMs ?? 0) - (rest[0]?.fromMs ?? 0);
  const whole = rest.filter(({ fromMs, toMs }) => toMs - fromMs >= shortestMs);
  const rates = whole.map(({ fromMs, toMs, sum }) => perSecond(sum, toMs - fromMs));
  const half = Math.floor(rates.length / 2);
  const [before, after] = [rates.slice(0, half), rates.slice(half)];
  const block = Math.max(blockLength(before), blockLength(after));
  if (judgedMs < leastSeconds * 1000 || half < leastBlocks * block || mean(rates) <= 0)
    return { verdict: 'too-short', judgedMs };
  const halves = bootstrapRatio(after, before, block);
  const trend = trendOf(rates, block);
  const both = [halves, trend];
  const moved = both.some(({ value, low, high }) => Math.abs(value) >= tolerance && (low > 0 || high < 0));
  const kept = both.every(({ low, high }) => low >= -within && high <= within);
  const seconds = judgedMs / 1000 / rates.length;
  return {
    verdict: moved ? 'not-steady' : kept ? 'steady' : 'open',
    judgedMs,
    halves,
    blockSeconds: block * seconds,
    trend,
  };
}

/** The line through the means of blocks, which are next to independent, over the mean of all. */
function trendOf(rates: readonly number[], block: number): Change {
  const means: number[] = [];
  for (let i = 0; i + block <= rates.length; i += block) means.push(mean(rates.slice(i, i + block)));
  const { slope, low, high } = theilSen(means);
  const scale = means.length / mean(rates);
  return { value: slope * scale, low: low * scale, high: high * scale };
}
