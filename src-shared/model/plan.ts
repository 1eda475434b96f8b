import { z } from 'zod';

/** One step of a plan: exactly one key, the step's id (`tsbs.load`), whose value is that step's parameters. */
export const planStepSchema = z
  .record(z.string(), z.record(z.string(), z.json()))
  .refine(
    (step) => Object.keys(step).length === 1,
    'A step has exactly one key, its kind (for example tsbs.load)',
  );
export type PlanStep = z.infer<typeof planStepSchema>;

const planName = z
  .string()
  .trim()
  .min(1, 'A plan needs a name')
  .max(200, 'A name has at most 200 characters');

/**
 * A plan as in its file. Step parameters are checked by the workload's own schema (`plans.validate`); here they are JSON.
 * Version 1 is the only one there is; later versions migrate in `src-main/app/plans`.
 */
export const planSchema = z.strictObject({
  version: z.literal(1),
  name: planName,
  /** A saved target's name, `sandbox`, `null`, or a connection URL. */
  target: z.string().min(1).default('sandbox'),
  steps: z.array(planStepSchema).min(1, 'A plan needs at least one step'),
  repeat: z.int().min(1).max(1000).default(1),
  /** false: what the server does beside the benchmark is not sampled. */
  telemetry: z.boolean().exactOptional(),
  /** Stop the timers and services that disturb, on the target's host, for the length of the run. Left out: no. */
  quietHost: z.boolean().exactOptional(),
});
export type Plan = z.infer<typeof planSchema>;

/** A plan kept in the app's store, or one of the samples that ship with it. */
export const savedPlanSchema = z.object({
  id: z.string(),
  sample: z.boolean(),
  plan: planSchema,
  updatedAt: z.iso.datetime(),
});
export type SavedPlan = z.infer<typeof savedPlanSchema>;

export function stepId(step: PlanStep): string {
  const id = Object.keys(step)[0];
  if (id === undefined) throw new Error('a plan step without a key');
  return id;
}
export function stepParameters(step: PlanStep): Record<string, z.core.util.JSONType> {
  return step[stepId(step)] ?? {};
}
