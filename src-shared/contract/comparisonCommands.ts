import { z } from 'zod';
import { againstBaselineSchema, baselineSchema } from '../model/baseline.ts';
import { comparisonSchema } from '../model/comparison.ts';

const id = z.string().min(1).max(100);
const planName = z.string().min(1).max(200);

/** Runs and groups of runs beside each other, and baselines; part of the one table in `commands.ts`. */
export const comparisonCommands = {
  /**
   * Sides beside each other, with all that their time axes tell: percentiles of merged histograms, and what lies within single
   * runs. A side of several runs leaves out those that were left out of their group and those without an end, and says so.
   * `label` null: made from plan and target. @throws `not-found` naming the run, `bad-input` for a base that there is not
   */
  'comparisons.make': {
    input: z.object({
      sides: z
        .array(
          z.object({
            label: z.string().min(1).max(200).nullable().default(null),
            runIds: z.array(id).min(1, 'Choose at least one run').max(1000),
          }),
        )
        .min(1)
        .max(8, 'Eight can stand beside each other at most'),
      base: z.int().nonnegative().default(0),
    }),
    output: comparisonSchema,
  },
  'baselines.list': { input: z.null(), output: z.array(baselineSchema) },
  'baselines.get': { input: z.object({ plan: planName }), output: baselineSchema.nullable() },
  /**
   * Makes a run, or the repeats of a series, the baseline of their plan, in place of the one before.
   * @throws `not-found`, `bad-input` where nothing of it has come to its end
   */
  'baselines.set': { input: z.object({ side: z.string().min(1).max(120) }), output: baselineSchema },
  'baselines.clear': { input: z.object({ plan: planName }), output: z.null() },
  /** What stands for a run where baselines are asked for: itself, or the repeats that it is one of; and the baseline of its plan. */
  'baselines.ofRun': {
    input: z.object({ runId: id }),
    output: z.object({
      side: z.string(),
      /** How many runs the side has. */
      runs: z.int().positive(),
      baseline: baselineSchema.nullable(),
      /** The run is in the baseline. */
      isBaseline: z.boolean(),
    }),
  },
  /**
   * A run, or the repeats that it is one of, against the baseline of its plan. null without a baseline, where its runs were
   * deleted, for a run that is part of it, and while the run is on.
   */
  'baselines.compare': { input: z.object({ runId: id }), output: againstBaselineSchema.nullable() },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;
