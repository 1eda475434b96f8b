import { z } from 'zod';
import { parseDuration } from '../duration.ts';
import { parseThreshold } from '../thresholds/parse.ts';

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

const durationText = z.string().refine((text) => {
  const nanos = parseDuration(text);
  return nanos !== null && nanos >= 0n;
}, 'A time is written as 30s, 10m or 1h30m');

/** What is waited for between two runs of a series. */
export const settleSchema = z.strictObject({
  /** So long at least, as `30s`. */
  idle: durationText.default('0s'),
  /** Until the host of the next run's target is cooler than this, °C. */
  below: z.number().min(20, 'No host gets cooler than 20 °C').max(100).exactOptional(),
  /** Not longer than this, whatever the temperature; then the next run begins all the same. */
  atMost: durationText.default('10m'),
});
export type Settle = z.infer<typeof settleSchema>;

/** What the plan's figures are held against when a run has ended; how they are written is told at `parseThreshold`. */
const thresholdsSchema = z
  .array(
    z.union(
      [z.string(), z.strictObject({ noWorseThan: z.string() })],
      'A threshold is a line such as p99 < 50ms',
    ),
  )
  .max(50)
  .superRefine((entries, context) => {
    for (const [i, entry] of entries.entries()) {
      const parsed = parseThreshold(entry);
      if ('problem' in parsed) context.addIssue({ code: 'custom', path: [i], message: parsed.problem });
    }
  });

/**
 * A plan as in its file. Step parameters are checked by the workload's own schema (`plans.validate`); here they are JSON. A
 * numeric one may be a list: then the plan is a sweep, which is run as a series (`series.start`).
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
  /** Between the runs of a repeat or a sweep. Left out: the next one begins at once. */
  settle: settleSchema.exactOptional(),
  /** No further run of a repeat or a sweep begins once so much time is gone, as `8h`. Left out: no limit. */
  budget: durationText.exactOptional(),
  /** A run that misses one of them says so, and the command line ends with exit code 1. */
  thresholds: thresholdsSchema.exactOptional(),
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
