import { z } from 'zod';
import { planSchema } from './plan.ts';
import { errorDataSchema, runStatuses } from './run.ts';

/** A numeric parameter of a plan that is given as a list: each of its values is measured. */
export const sweptParameterSchema = z.object({
  /** Where it stands in the plan: `steps[0].tsbs.load.workers`. */
  path: z.string(),
  /** As the form calls it, with the step's number where two parameters have that name. */
  label: z.string(),
  unit: z.string().nullable(),
  values: z.array(z.number()).min(1),
});
export type SweptParameter = z.infer<typeof sweptParameterSchema>;

/** What came out of a member's run, kept with the series: its table and chart need no run to be read. */
export const memberFiguresSchema = z.object({
  status: z.enum(runStatuses),
  /** The only verdict is `valid`. */
  valid: z.boolean(),
  /** Of the first load. */
  rowsPerSecond: z.number().nullable(),
  /** Of the first phase of queries. */
  queriesPerSecond: z.number().nullable(),
  /** Of the first phase of transactions. */
  transactionsPerSecond: z.number().nullable(),
  /** p99 of the first operation of what the run measures, µs. */
  p99Us: z.number().nullable(),
  /** Of the rates of the single seconds of the first load, where there are at least two. */
  perSecond: z.object({ median: z.number(), max: z.number() }).nullable(),
  /** From the run's start to its end, ms. */
  tookMs: z.number().nonnegative(),
});
export type MemberFigures = z.infer<typeof memberFiguresSchema>;

/** One run of a series: a cell of the sweep on a target, in a round of the repeats. */
export const seriesMemberSchema = z.object({
  /** Place in the product of the parameters' values, from 0; the last parameter changes fastest. See `cellValues`. */
  cell: z.int().nonnegative(),
  /** Place in `targets`. */
  target: z.int().nonnegative(),
  /** Of the repeats, from 1. */
  round: z.int().positive(),
  /** Rows that its loads set out to write; 0 without a load. */
  plannedRows: z.number().nonnegative(),
  /** Empty before its turn. The last one counts; those before were cut short and done again. */
  runIds: z.array(z.string()),
  /** Why no run could be recorded; null otherwise. */
  error: errorDataSchema.nullable(),
  /** Of its last run, once that has ended. */
  figures: memberFiguresSchema.nullable(),
  /** Why its last run does not count in what the series comes to; null: it counts. Kept with the run. */
  leftOut: z.string().nullable().default(null),
  /** What was waited for before its last run; null where nothing was. */
  settled: z
    .object({
      waitedMs: z.number().nonnegative(),
      /** Of the host, at the end of the wait, °C; null where it was not asked or cannot be read. */
      temperatureC: z.number().nullable(),
      end: z.enum(['settled', 'skipped', 'too-long']),
    })
    .nullable()
    .default(null),
});
export type SeriesMember = z.infer<typeof seriesMemberSchema>;

/**
 * How a series ended. `finished`: every member had its turn, whatever came of it. `interrupted`: its process was killed, or
 * another benchmark was in the way. All but `finished` can be resumed.
 */
export const seriesOutcomes = ['finished', 'stopped', 'out-of-time', 'interrupted'] as const;
export type SeriesOutcome = (typeof seriesOutcomes)[number];

/**
 * Runs of one plan that belong together: repeats, interleaved over targets, a sweep over parameters, or all of that. Their
 * `group` is the series' id.
 */
export const runSeriesSchema = z.object({
  id: z.string(),
  /** As given, with lists where parameters are swept; seeds that it left to chance are drawn. Its own target does not count. */
  plan: planSchema,
  /** Names; one at least. */
  targets: z.array(z.string()).min(1),
  /** In the order of the plan; empty where only repeats are wanted. */
  parameters: z.array(sweptParameterSchema),
  /** In the order in which they are run: round by round, in each round cell by cell, each cell on all targets. */
  members: z.array(seriesMemberSchema).min(1),
  startedAt: z.iso.datetime(),
  /** When it was taken up again the last time; null where it was not. */
  resumedAt: z.iso.datetime().nullable(),
  /** null while runs of it are on or to come. */
  endedAt: z.iso.datetime().nullable(),
  /** null while it is on. */
  outcome: z.enum(seriesOutcomes).nullable(),
});
export type RunSeries = z.infer<typeof runSeriesSchema>;

/** What a series that is on does now. */
export const seriesProgressSchema = z.object({
  id: z.string(),
  /** Place in `members` of the run that is on, or of the one that is waited for. */
  member: z.int().nonnegative(),
  /** Between two runs: what is waited for, in words (`61 °C, under 55 °C wanted`); null while a run is on. */
  settling: z
    .object({ text: z.string(), waitedMs: z.number().nonnegative(), atMostMs: z.number().nonnegative() })
    .nullable(),
});
export type SeriesProgress = z.infer<typeof seriesProgressSchema>;

/** What a series would come to, before it is started. */
export const seriesPreviewSchema = z.object({
  /** 1: no series, a run alone. */
  runs: z.int().positive(),
  parameters: z.array(sweptParameterSchema),
  /** Rows that all its runs load. */
  rows: z.number().nonnegative(),
  /** By what the last runs on these targets came to; null where they do not tell. Settling by temperature is not in it. */
  estimatedMs: z.number().nonnegative().nullable(),
  /** How the estimate was made, or why there is none. */
  basis: z.string(),
  /** In which order, and what is made anew between runs: plain sentences. */
  order: z.array(z.string()),
  /** What speaks against starting it as it is: it may be started all the same. */
  warnings: z.array(z.string()),
});
export type SeriesPreview = z.infer<typeof seriesPreviewSchema>;
