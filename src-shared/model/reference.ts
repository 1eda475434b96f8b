import { z } from 'zod';
import { planSchema } from './plan.ts';
import { printedSchema } from './printed.ts';

/** Published figures, to stand beside one's own. */
export const referenceSchema = z.strictObject({
  /** Among those that ship with Benchberry; made of the content where it is left out. */
  id: z
    .string()
    .regex(/^[a-z0-9-]{1,60}$/)
    .exactOptional(),
  name: z.string().trim().min(1).max(200),
  /** Short: the machine, as a column of a table has it. */
  machine: z.string().max(80).default(''),
  /** Id in the registry of engines; empty where it is none of them. */
  engine: z.string().max(40).default(''),
  /** A sample plan that does the same, by its file's name without `.yaml`. */
  preset: z.string().max(100).exactOptional(),
  /** The plan that does the same, where it is no sample. */
  plan: planSchema.exactOptional(),
  printed: printedSchema,
});
export type Reference = z.infer<typeof referenceSchema>;

export const referenceFileFormat = 'benchberry-references';

/** A file of references: see docs/references.md. Version 1 is the only one there is. */
export const referenceFileSchema = z.strictObject({
  format: z.literal(referenceFileFormat),
  version: z.literal(1),
  references: z.array(referenceSchema).min(1),
});
