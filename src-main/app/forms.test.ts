import { expect, test } from 'vitest';
import { z } from 'zod';
import { fieldSchema } from '../../src-shared/model/form.ts';
import { drivers } from '../databases/registry.ts';
import { workloads } from '../workloads/registry.ts';
import { formFields } from './forms.ts';

const words = { title: 'Title', description: 'Help.' };
const plain = {
  key: 'x',
  label: 'Title',
  help: 'Help.',
  group: 'General',
  advanced: false,
  unit: null,
  options: [],
  min: null,
  max: null,
  required: true,
  default: null,
};
const field = (schema: z.ZodType) => formFields(z.strictObject({ x: schema }))[0];

test.each([
  ['text', z.string().meta(words), { kind: 'text' }],
  ['an optional text', z.string().optional().meta(words), { kind: 'text', required: false }],
  [
    'integer',
    z
      .int()
      .min(1)
      .max(100)
      .default(5)
      .meta({ ...words, unit: 'rows', group: 'Data', advanced: true }),
    {
      kind: 'integer',
      min: 1,
      max: 100,
      default: 5,
      required: false,
      unit: 'rows',
      group: 'Data',
      advanced: true,
    },
  ],
  ['an integer above zero', z.int().positive().meta(words), { kind: 'integer', min: 1 }],
  ['an integer below ten', z.int().lt(10).meta(words), { kind: 'integer', max: 9 }],
  ['number', z.number().gt(0).lte(0.5).meta(words), { kind: 'number', min: 0, max: 0.5 }],
  [
    'a number or nothing',
    z.number().nullable().default(null).meta(words),
    { kind: 'number', required: false },
  ],
  ['boolean', z.boolean().default(true).meta(words), { kind: 'boolean', default: true, required: false }],
  [
    'choice',
    z
      .enum(['a', 'b'])
      .default('b')
      .meta({ ...words, optionLabels: { a: 'First: the quick one', b: 'Second' } }),
    {
      kind: 'choice',
      default: 'b',
      required: false,
      options: [
        { value: 'a', label: 'First', help: 'the quick one' },
        { value: 'b', label: 'Second', help: null },
      ],
    },
  ],
  [
    'a choice of one',
    z.literal('a').meta(words),
    { kind: 'choice', options: [{ value: 'a', label: 'a', help: null }] },
  ],
  [
    'a choice of literals',
    z.union([z.literal('a'), z.literal('b')]).meta(words),
    { kind: 'choice', options: ['a', 'b'].map((value) => ({ value, label: value, help: null })) },
  ],
  [
    'choices',
    z
      .array(z.enum(['p', 'q']))
      .min(1)
      .default(['p'])
      .meta(words),
    {
      kind: 'choices',
      default: ['p'],
      required: false,
      options: ['p', 'q'].map((value) => ({ value, label: value, help: null })),
    },
  ],
  [
    'duration',
    z
      .string()
      .default('10s')
      .meta({ ...words, kind: 'duration' }),
    { kind: 'duration', default: '10s', required: false },
  ],
  ['timestamp', z.iso.datetime().meta({ ...words, kind: 'timestamp' }), { kind: 'timestamp' }],
  ['secret', z.string().meta({ ...words, kind: 'secret' }), { kind: 'secret' }],
  [
    'file',
    z
      .string()
      .nullable()
      .meta({ ...words, kind: 'file' }),
    { kind: 'file' },
  ],
  [
    'a parsed text',
    z
      .string()
      .transform(Number)
      .prefault('4')
      .meta({ ...words, kind: 'text' }),
    { kind: 'text', default: '4', required: false },
  ],
  [
    'a list with a kind of its own',
    z
      .array(z.string())
      .default([])
      .meta({ ...words, kind: 'text' }),
    { kind: 'text', default: [], required: false },
  ],
])('%s', (_, schema, expected) => {
  expect(field(schema)).toEqual({ ...plain, ...expected });
});

test('fields keep the order of the schema', () => {
  const schema = z.object({
    z: z.string().meta(words),
    a: z.string().meta(words),
    m: z.string().meta(words),
  });
  expect(formFields(schema).map(({ key }) => key)).toEqual(['z', 'a', 'm']);
});

test('a field without words, or of a type no form shows, is a defect that names it', () => {
  expect(() => field(z.string())).toThrow(/field x:.*title/s);
  expect(() => field(z.record(z.string(), z.string()).meta(words))).toThrow('field x');
  expect(() => field(z.array(z.string()).meta(words))).toThrow('field x');
});

const schemas = [
  ...drivers.flatMap((driver) => [
    [`${driver.id} connection`, driver.connection] as const,
    [`${driver.id} load options`, driver.loadOptions] as const,
  ]),
  ...workloads.flatMap(({ steps }) => steps.map((step) => [step.id, step.parameters] as const)),
];
test.each(schemas)('%s is a form whose defaults its schema takes', (_, schema) => {
  const fields = formFields(schema);
  expect(z.array(fieldSchema).parse(fields)).toEqual(fields);
  expect(fields.map(({ key }) => key)).toEqual(Object.keys(schema.shape));
  for (const { key, required, default: byDefault } of fields) {
    if (!required) expect(schema.shape[key]?.safeParse(byDefault ?? undefined).success, key).toBe(true);
  }
});
