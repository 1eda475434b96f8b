import { parseDuration } from '../duration.ts';
import { nearest } from '../nearest.ts';

/** Figures that a plan can set limits for. */
export const thresholdMetrics = [
  'rowsPerSecond',
  'metricsPerSecond',
  'queriesPerSecond',
  'tps',
  'mean',
  'p50',
  'p90',
  'p95',
  'p99',
  'p999',
  'max',
  'errors',
] as const;
export type ThresholdMetric = (typeof thresholdMetrics)[number];

const rates: readonly string[] = ['rowsPerSecond', 'metricsPerSecond', 'queriesPerSecond', 'tps'];

export function metricKind(metric: ThresholdMetric): 'rate' | 'latency' | 'count' {
  if (metric === 'errors') return 'count';
  return rates.includes(metric) ? 'rate' : 'latency';
}

export const comparators = ['>=', '<=', '>', '<'] as const;
export type Comparator = (typeof comparators)[number];

/** What is held against a limit: of the whole run, or of one operation or phase of it. */
export interface ThresholdFigure {
  metric: ThresholdMetric;
  /** As the run names it: `lastpoint`, `tsbs.load`; null: the first that has the figure. */
  of: string | null;
}

/** A threshold of a plan, read. `text` is as it is written. */
export type Threshold = { text: string } & (
  | {
      kind: 'limit';
      figure: ThresholdFigure;
      comparator: Comparator;
      /** Per second, microseconds, or a number of errors. */
      limit: number;
    }
  | {
      kind: 'baseline';
      /** null: the run's first rate. */
      figure: ThresholdFigure | null;
      /** 0.05: 5 % worse at most. */
      tolerance: number;
    }
);

/** As a plan's file has them: `- rowsPerSecond >= 12000`, or `- noWorseThan: baseline 5%`, which YAML reads as a map. */
export type ThresholdEntry = string | { noWorseThan: string };

/** How a threshold is written as one line. */
export function thresholdText(entry: ThresholdEntry): string {
  return typeof entry === 'string' ? entry : `noWorseThan: ${entry.noWorseThan}`;
}

/** A line as it stands in a plan: what is held against the baseline as a map, as YAML reads it. */
export function thresholdEntry(line: string): ThresholdEntry {
  const [, limit] = /^noWorseThan\s*:\s*(.*)$/.exec(line.trim()) ?? [];
  return limit === undefined ? line.trim() : { noWorseThan: limit };
}

/** A threshold, or what is wrong with it. */
export type ParsedThreshold = { threshold: Threshold } | { problem: string };

/**
 * Reads a threshold:
 *
 *     METRIC [of OPERATION] >=|<=|>|< VALUE       rowsPerSecond >= 12000, p99 of lastpoint < 50ms, errors <= 0
 *     noWorseThan: baseline N% [for METRIC [of OPERATION]]
 *
 * Latencies have a unit: us, ms, s.
 */
export function parseThreshold(entry: ThresholdEntry): ParsedThreshold {
  const text = thresholdText(entry).trim();
  const baseline = /^noWorseThan\s*:\s*(.*)$/.exec(text);
  return baseline ? parseBaseline(text, baseline[1] ?? '') : parseLimit(text);
}

const baselinePattern = /^baseline\s+(\d+(?:\.\d+)?)\s*%(?:\s+for\s+(\S.*))?$/;

function parseBaseline(text: string, rest: string): ParsedThreshold {
  const [whole, percent = '', words] = baselinePattern.exec(rest.trim()) ?? [];
  if (whole === undefined) {
    return { problem: `${quoted(rest)} is no limit against the baseline: write noWorseThan: baseline 5%` };
  }
  const tolerance = Number(percent) / 100;
  if (tolerance >= 1)
    return { problem: `${percent} % worse would let everything pass: write less than 100 %` };
  if (words === undefined) return { threshold: { text, kind: 'baseline', figure: null, tolerance } };
  const figure = parseFigure(words);
  return 'problem' in figure ? figure : { threshold: { text, kind: 'baseline', figure, tolerance } };
}

const limitPattern = /^(.*?)\s*(>=|<=|==|=|>|<)\s*(.*)$/;

function parseLimit(text: string): ParsedThreshold {
  const [whole, words = '', sign = '', value = ''] = limitPattern.exec(text) ?? [];
  if (whole === undefined) {
    return {
      problem: `${quoted(text)} has no comparison: write for example rowsPerSecond >= 12000 or p99 < 50ms`,
    };
  }
  const figure = parseFigure(words);
  if ('problem' in figure) return figure;
  const comparator = comparators.find((known) => known === sign);
  if (comparator === undefined) {
    return { problem: `${sign} is hardly ever so of a measured figure: use ${comparators.join(', ')}` };
  }
  const limit = parseLimitValue(figure.metric, value.trim());
  return 'problem' in limit
    ? limit
    : { threshold: { text, kind: 'limit', figure, comparator, limit: limit.value } };
}

function parseFigure(words: string): ThresholdFigure | { problem: string } {
  const [, name = '', of] = /^(\S*)(?:\s+of\s+(\S.*))?$/.exec(words.trim()) ?? [];
  const metric = thresholdMetrics.find((known) => known === name);
  if (metric !== undefined) return { metric, of: of?.trim() ?? null };
  const meant = nearest(name, thresholdMetrics);
  const hint = meant === null ? `there are ${thresholdMetrics.join(', ')}` : `${meant} was probably meant`;
  return { problem: `There is no figure ${quoted(words.trim())}: ${hint}` };
}

const numberPattern = /^\d+(?:\.\d+)?$/;

function parseLimitValue(metric: ThresholdMetric, text: string): { value: number } | { problem: string } {
  if (metricKind(metric) === 'latency') {
    const nanos = /^[\d.]/.test(text) && !numberPattern.test(text) ? parseDuration(text) : null;
    return nanos === null
      ? { problem: `${quoted(text)} is no time: ${metric} needs one with its unit, as 50ms` }
      : { value: Number(nanos) / 1000 };
  }
  return numberPattern.test(text)
    ? { value: Number(text) }
    : {
        problem: `${quoted(text)} is no number: ${metric} is held against one, as 12000, without unit or commas`,
      };
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
