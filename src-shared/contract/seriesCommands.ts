import { z } from 'zod';
import { planSchema } from '../model/plan.ts';
import { runSeriesSchema, seriesPreviewSchema, seriesProgressSchema } from '../model/runSeries.ts';

const id = z.string().min(1).max(100);
const targetIds = z.array(id).min(1, 'Choose at least one target').max(50);

/** Repeats and sweeps; part of the one table in `commands.ts`. */
export const seriesCommands = {
  /** What a plan comes to with its repeats and lists on these targets. @throws `bad-input` for a plan with problems, or too many runs */
  'series.preview': { input: z.object({ plan: planSchema, targetIds }), output: seriesPreviewSchema },
  /**
   * Starts the runs one after the other and answers when the first is under way. One that fails or is stopped does not end
   * the series. `overrideGate` as with `runs.start`.
   */
  'series.start': {
    input: z.object({
      plan: planSchema,
      targetIds,
      overrideGate: z.string().trim().min(1).max(500).nullable().default(null),
    }),
    output: runSeriesSchema,
  },
  /**
   * Goes on with what has no end yet, in the order of the series: members without a run, and those whose run was cut short;
   * with `failed` those that failed too.
   */
  'series.resume': {
    input: z.object({
      id,
      failed: z.boolean().default(false),
      overrideGate: z.string().trim().min(1).max(500).nullable().default(null),
    }),
    output: runSeriesSchema,
  },
  /**
   * Stops the run that is on and those that would come. `runs.stop` ends the present run only. Where another process is at
   * it, that one is asked, and the answer is the series as it is still on.
   */
  'series.stop': { input: z.object({ id }), output: runSeriesSchema },
  /** Begins the next run without waiting any longer. */
  'series.skipWait': { input: z.object({ id }), output: z.null() },
  /** Newest first. */
  'series.list': { input: z.null(), output: z.array(runSeriesSchema) },
  'series.get': { input: z.object({ id }), output: runSeriesSchema },
  /** Of the one that is on in this core; null without one. */
  'series.progress': { input: z.null(), output: seriesProgressSchema.nullable() },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

export const seriesEvents = {
  /** It began, a run of it began or ended, it was resumed, it ended. */
  'series.changed': runSeriesSchema,
  'series.progress': seriesProgressSchema,
} as const satisfies Record<string, z.ZodType>;
