import { z } from 'zod';
import { type FormField, fieldSchema } from '../../src-shared/model/form.ts';

/** What JSON Schema has to say about one parameter, with the keys of `FieldMeta` beside it. */
const propertySchema = z.object({
  title: z.string(),
  description: z.string(),
  group: z.string().default('General'),
  advanced: z.boolean().default(false),
  unit: z.string().nullable().default(null),
  kind: fieldSchema.shape.kind.optional(),
  optionLabels: z.record(z.string(), z.string()).default({}),
  generated: z.boolean().default(false),
  default: z.json().default(null),
});
/** The part that says what a value may be; a nullable one has it under `anyOf`. */
const typeSchema = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  const: z.string().optional(),
  items: z.object({ enum: z.array(z.string()) }).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
});
type TypePart = z.infer<typeof typeSchema>;
const objectSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())),
  required: z.array(z.string()).default([]),
});

/**
 * The fields of a zod object as a form: ranges, options and defaults are read off the schema, words come from each field's
 * `.meta()` (`FieldMeta`). Fields keep the schema's order.
 * @throws Error (a defect in the schema) where a field has no words or a type that no form can show
 */
export function formFields(schema: z.ZodObject): FormField[] {
  const { properties, required } = objectSchema.parse(
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }),
  );
  return Object.entries(properties).map(([key, property]) => {
    const words = propertySchema.safeParse(property);
    if (!words.success) throw new Error(`field ${key}: ${z.prettifyError(words.error)}`);
    return toField(key, words.data, typePart(key, property), required.includes(key));
  });
}

function toField(
  key: string,
  meta: z.infer<typeof propertySchema>,
  type: TypePart,
  required: boolean,
): FormField {
  const kind = meta.kind ?? kindOf(key, type);
  const step = kind === 'integer' ? 1 : 0;
  const limit = (inclusive?: number, exclusive?: number, towards = 0): number | null => {
    const value = inclusive ?? (exclusive === undefined ? undefined : exclusive + towards);
    return value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value;
  };
  return {
    key,
    label: meta.title,
    help: meta.description,
    group: meta.group,
    advanced: meta.advanced,
    unit: meta.unit,
    kind,
    options: (kind === 'scripts' ? Object.keys(meta.optionLabels) : optionValues(type)).map((value) => ({
      value,
      ...optionWords(value, meta.optionLabels),
    })),
    min: limit(type.minimum, type.exclusiveMinimum, step),
    max: limit(type.maximum, type.exclusiveMaximum, -step),
    required,
    ...(meta.generated ? { generated: true } : {}),
    default: meta.default,
  };
}

function kindOf(key: string, { type, items, ...rest }: TypePart): FormField['kind'] {
  if (type === 'array' && items) return 'choices';
  if (rest.enum || rest.const !== undefined) return 'choice';
  if (type === 'string') return 'text';
  if (type === 'integer' || type === 'number' || type === 'boolean') return type;
  throw new Error(`field ${key}: a form cannot show its type; give its meta a kind`);
}

function optionValues(type: TypePart): string[] {
  return type.items?.enum ?? type.enum ?? (type.const === undefined ? [] : [type.const]);
}

/** `Label: help` where a label has both. */
function optionWords(
  value: string,
  labels: Record<string, string>,
): Pick<FormField['options'][number], 'label' | 'help'> {
  const text = labels[value] ?? value;
  const colon = text.indexOf(': ');
  return colon < 0
    ? { label: text, help: null }
    : { label: text.slice(0, colon), help: text.slice(colon + 2) };
}

function typePart(key: string, property: Record<string, unknown>): TypePart {
  const { type } = property;
  const whole = typeSchema.parse({
    ...property,
    type: Array.isArray(type) ? type.find((name) => name !== 'null') : type,
    items: enumItems(property.items),
  });
  const choices = z
    .array(z.record(z.string(), z.unknown()))
    .default([])
    .parse(property.anyOf ?? property.oneOf);
  const real = choices.filter((choice) => choice.type !== 'null');
  if (whole.type !== undefined || real.length === 0) return whole;
  const constants = real.map((choice) => choice.const).filter((value) => typeof value === 'string');
  if (constants.length === real.length) return { enum: constants };
  const [first] = real;
  if (first && real.length === 1) return typePart(key, first);
  return whole;
}

/** Only lists of choices are shown as such; other lists need a `kind`. */
function enumItems(items: unknown): unknown {
  return items instanceof Object && 'enum' in items ? items : undefined;
}
