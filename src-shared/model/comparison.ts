import { z } from 'zod';

/**
 * What a comparison of two sides says of one figure. `faster` and `slower`: shown, and in that direction, whether more is
 * better (a rate) or less (a latency). `no-difference`: none was shown. `cannot-tell`: too little was measured for either.
 * `not-comparable`: the set-ups differ in what must be equal.
 */
export const comparisonKinds = [
  'faster',
  'slower',
  'no-difference',
  'cannot-tell',
  'not-comparable',
] as const;
export type ComparisonKind = (typeof comparisonKinds)[number];

/** Ratio to the base less 1 (0.05: 5 % more) with its 95 % interval. */
export const changeSchema = z.object({ value: z.number(), low: z.number(), high: z.number() });
export type Change = z.infer<typeof changeSchema>;

export const comparisonVerdictSchema = z.object({
  kind: z.enum(comparisonKinds),
  /** Mean of the side ÷ mean of the base; null where either is missing or the base is 0. */
  ratio: z.number().nullable(),
  /** 95 % interval of the ratio, from how much the runs of each side vary; null below two runs on either side. */
  interval: z.object({ low: z.number(), high: z.number() }).nullable(),
  /** Runs that count. */
  n: z.object({ base: z.int().nonnegative(), side: z.int().nonnegative() }),
  /** Mann–Whitney, exact, two-sided; null below two runs on either side. */
  p: z.number().nullable(),
  /** Welch's test of the logarithms, after Holm for as many comparisons as `family`; null as `p`. */
  adjustedP: z.number().nullable(),
  /** How many comparisons share the 5 %. */
  family: z.int().positive(),
  /**
   * Of one run against one: the change between these two runs alone, from the seconds of each. How much runs vary among
   * each other is not in it, so it makes no verdict. null where there are repeats, or too few seconds.
   */
  within: changeSchema.nullable(),
  /** What the kind rests on, one or two plain sentences. */
  reason: z.string(),
  /** The verdict in one line: `18.4 % more rows/s (95 % interval 15.1 to 21.6 %), five against five`. */
  sentence: z.string(),
});
export type ComparisonVerdict = z.infer<typeof comparisonVerdictSchema>;

export const differenceAreas = [
  'target',
  'host',
  'storage',
  'network',
  'cooling',
  'plan',
  'seed',
  'server',
  'loader',
  'client',
  'tool',
  'health',
] as const;
export type DifferenceArea = (typeof differenceAreas)[number];

/**
 * What a difference does to a comparison. `harmless`: it does not move the figures. `explains`: it may be the cause of what
 * is found, or what was to be compared. `breaks`: the figures are not of the same thing.
 */
export const differenceGrades = ['harmless', 'explains', 'breaks'] as const;
export type DifferenceGrade = (typeof differenceGrades)[number];

/** One fact that is not the same on all sides. */
export const differenceSchema = z.object({
  area: z.enum(differenceAreas),
  /** `tsbs.load · batchSize`, `shared_buffers`, `CPU` */
  name: z.string(),
  /** One per side, in their order; null where a side has nothing under that name. Runs of a side that differ: `a / b`. */
  values: z.array(z.string().nullable()),
  grade: z.enum(differenceGrades),
  /** Why it is graded so, one sentence. */
  reason: z.string(),
});
export type Difference = z.infer<typeof differenceSchema>;

/** A figure of the comparison and how it is read. */
export const metricSchema = z.object({
  key: z.enum([
    'rows',
    'metrics',
    'visible',
    'operations',
    'fetchedRows',
    'fetchedBytes',
    'firstRow',
    'mean',
    'p50',
    'p95',
    'p99',
    'max',
    'errors',
    'seconds',
    'retries',
  ]),
  label: z.string(),
  /** `latency`: microseconds; `rate`: per second; `count`: a number of operations; `seconds`: how long it took. */
  kind: z.enum(['rate', 'latency', 'count', 'seconds']),
  unit: z.string(),
  better: z.enum(['higher', 'lower']),
});
export type Metric = z.infer<typeof metricSchema>;

export const comparisonCellSchema = z.object({
  /**
   * Mean of the runs' figures; of percentiles that of all their values, where their histograms are at hand; of highest values
   * the highest; of counts the sum. null where none has it.
   */
  value: z.number().nullable(),
  /** Of each run that has it, in the runs' order: what box plots are drawn from. */
  values: z.array(z.number()),
  /** value ÷ base − 1; null for the base itself, where either is missing or the base is 0, and, of counts and highest
   * values, where the sides have not as many runs: more runs have more errors. */
  delta: z.number().nullable(),
  /** null for the base, for counts (they are shown, not judged), and where either side has no figure. */
  verdict: comparisonVerdictSchema.nullable(),
});
export type ComparisonCell = z.infer<typeof comparisonCellSchema>;

export const comparisonRowSchema = z.object({
  phase: z.string(),
  /** null: of the phase as a whole, or of all operations together. */
  operation: z.string().nullable(),
  /** `tsbs.load`, `tsbs.queries · lastpoint` for one operation, `geometric mean` for all together. */
  name: z.string(),
  metric: metricSchema,
  /** One per side, in their order. */
  cells: z.array(comparisonCellSchema),
});
export type ComparisonRow = z.infer<typeof comparisonRowSchema>;

/** A run that is in a side's group and does not count. */
const leftOutRunSchema = z.object({ id: z.string(), name: z.string(), reason: z.string() });

export const comparisonSideSchema = z.object({
  label: z.string(),
  /** That count, in their order. */
  runIds: z.array(z.string()),
  /** With the reason each, to be shown wherever the figures are. */
  leftOut: z.array(leftOutRunSchema),
});
export type ComparisonSide = z.infer<typeof comparisonSideSchema>;

/** Two to eight runs or groups of runs side by side. */
export const comparisonSchema = z.object({
  /** Index of the side that Δ % counts from. */
  base: z.int().nonnegative(),
  sides: z.array(comparisonSideSchema),
  /** What came out, in plain words. */
  sentence: z.string(),
  /** The verdict of the first rate for each side; null for the base and where there is no rate in common. */
  verdicts: z.array(comparisonVerdictSchema.nullable()),
  /** How far it may be trusted: one line each. */
  caveats: z.array(z.string()),
  differences: z.array(differenceSchema),
  table: z.array(comparisonRowSchema),
});
export type Comparison = z.infer<typeof comparisonSchema>;
