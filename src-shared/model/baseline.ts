import { z } from 'zod';
import { comparisonSchema } from './comparison.ts';

/** What the runs of a plan are held against: a run of it, or the repeats of a series. */
export const baselineSchema = z.object({
  /** Name of the plan: one that comes from a file has nothing else to be known by. */
  plan: z.string(),
  /** As `sideKey.ts` has it. */
  side: z.string(),
  setAt: z.iso.datetime(),
});
export type Baseline = z.infer<typeof baselineSchema>;

/** A run, or the repeats that it is one of, beside the baseline of its plan, which is the base. */
export const againstBaselineSchema = z.object({
  baseline: baselineSchema,
  /** What stands beside it, as `sideKey.ts` has it. */
  side: z.string(),
  comparison: comparisonSchema,
});
export type AgainstBaseline = z.infer<typeof againstBaselineSchema>;
