import { z } from 'zod';
import { fieldSchema } from './form.ts';

/** A database engine as the renderer sees it; made from the driver registry. */
export const engineInfoSchema = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  /** Built-in targets (sandbox, null) exist without being added and cannot be edited. */
  builtIn: z.boolean(),
  /** Fields of a target's connection; empty for built-in ones. */
  connection: z.array(fieldSchema),
});
export type EngineInfo = z.infer<typeof engineInfoSchema>;

/** A workload's step, e.g. `tsbs.load`. */
export const stepInfoSchema = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  fields: z.array(fieldSchema),
});
export const workloadInfoSchema = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  steps: z.array(stepInfoSchema),
});
export type StepInfo = z.infer<typeof stepInfoSchema>;
export type WorkloadInfo = z.infer<typeof workloadInfoSchema>;
