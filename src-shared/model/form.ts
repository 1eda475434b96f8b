import { z } from 'zod';

/**
 * A form, derived from a zod schema by `src-main/app/forms.ts` and sent over the contract: the renderer draws it, the
 * CLI prints it as help. The zod schema stays the one place where a parameter is defined.
 */
export const fieldSchema = z.object({
  /** Key in the plan file, camelCase. */
  key: z.string(),
  label: z.string(),
  help: z.string(),
  /** Heading under which it is drawn. */
  group: z.string(),
  /** Drawn folded away at first. */
  advanced: z.boolean(),
  unit: z.string().nullable(),
  kind: z.enum([
    'text',
    'integer',
    'number',
    'boolean',
    'choice',
    'choices',
    'duration',
    'timestamp',
    'secret',
    'file',
    /** A data file of a benchmark: it can be looked at with `files.inspect`. */
    'data-file',
    /** A list of pgbench's scripts: built-in ones by name, others with their text, each with a weight. */
    'scripts',
  ]),
  /** For `choice` and `choices`. */
  options: z.array(z.object({ value: z.string(), label: z.string(), help: z.string().nullable() })),
  min: z.number().nullable(),
  max: z.number().nullable(),
  required: z.boolean(),
  /** A `secret` that is made where one is needed and none is given. */
  generated: z.boolean().optional(),
  /** The value a plan without the key gets; null where there is none. */
  default: z.json(),
});
export type FormField = z.infer<typeof fieldSchema>;

/**
 * What a parameter's zod schema carries in `.meta()`. `title` and `description` are zod's own keys and become label and
 * help; everything else about the field (kind, range, options, default) is read off the schema itself.
 */
export type FieldMeta = {
  title: string;
  description: string;
  group?: string;
  advanced?: boolean;
  unit?: string;
  /** Where the schema's type alone does not say it: durations, timestamps, secrets and files are strings to zod. */
  kind?: FormField['kind'];
  /** Of a `secret`: one is made where it is needed and none is given. */
  generated?: boolean;
  /** For enums: value → label (and help). */
  optionLabels?: Record<string, string>;
};
