import { z } from 'zod';
import { fieldSchema } from './form.ts';
import { machineCheckSchema } from './host.ts';
import { errorDataSchema } from './run.ts';

/** A recipe as the renderer and the CLI see it. */
export const recipeInfoSchema = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  fields: z.array(fieldSchema),
});
export type RecipeInfo = z.infer<typeof recipeInfoSchema>;

/** Recipes to apply, in order, each with its parameters. */
export const provisionPlanSchema = z.object({
  hostId: z.string(),
  recipes: z
    .array(z.object({ id: z.string(), parameters: z.record(z.string(), z.json()) }))
    .min(1, 'Choose at least one recipe'),
  /** Shell text run before the first and after the last step, as the signed-in user. */
  before: z.string().default(''),
  after: z.string().default(''),
});
export type ProvisionPlan = z.infer<typeof provisionPlanSchema>;

const stepStates = [
  'waiting',
  'checking',
  'already-so', // nothing to do
  'to-do', // shown in the review: will be applied
  'applying',
  'verifying',
  'done',
  'failed',
  'undoing',
  'undone',
  'not-undoable',
] as const;

export const provisionStepSchema = z.object({
  /** Unique within the plan, stable from one planning to the next: `headless.boot-target`. */
  id: z.string(),
  recipe: z.string(),
  /** Plain words: `Boot without the desktop`. */
  title: z.string(),
  /** What exactly will change, with file names and values. */
  changes: z.array(z.string()),
  needsRoot: z.boolean(),
  needsReboot: z.boolean(),
  reversible: z.boolean(),
  /** The commands, as they will be run; no secret in them. */
  script: z.string(),
  state: z.enum(stepStates),
  /** What the check or the verification saw. */
  evidence: z.string(),
  log: z.string(),
  error: errorDataSchema.nullable(),
});
export type ProvisionStep = z.infer<typeof provisionStepSchema>;

/** A plan with every step looked at, or on its way, or done. Kept on disk: it resumes at the first step not verified. */
export const provisioningSchema = z.object({
  id: z.string(),
  hostId: z.string(),
  plan: provisionPlanSchema,
  status: z.enum(['planned', 'applying', 'done', 'failed', 'cancelled', 'undoing', 'undone']),
  /** What was looked at before the steps: architecture, release, packages, space, memory, clock, locks, network, sudo. */
  preflight: z.array(machineCheckSchema),
  steps: z.array(provisionStepSchema),
  /** Of the database that came out of it; null before. */
  targetId: z.string().nullable(),
  error: errorDataSchema.nullable(),
  /** Paths of secrets in the plan that Benchberry made up, e.g. `recipes[0].password`: `provision.generated` tells them. */
  generated: z.array(z.string()).default([]),
  updatedAt: z.iso.datetime(),
});
export type Provisioning = z.infer<typeof provisioningSchema>;
