import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError, type ErrorData } from '../../src-shared/errors.ts';
import { planSchema } from '../../src-shared/model/plan.ts';
import { type PlanVocabulary, readPlanFile, writePlanFile } from './planFile.ts';

const vocabulary: PlanVocabulary = {
  steps: [
    { id: 'tsbs.load', keys: ['scale', 'batchSize', 'logBatches', 'tags', 'chunkTime'] },
    { id: 'tsbs.queries', keys: ['types', 'queries'] },
  ],
  check: (plan) =>
    (planSchema.safeParse(plan).data?.steps ?? []).flatMap((step, index) =>
      step['tsbs.load']?.scale === 0
        ? [{ path: `steps[${index}].tsbs.load.scale`, message: 'At least 1', hint: 'Use 1 or more.' }]
        : [],
    ),
};
const read = (text: string) => readPlanFile(text, 'my plan.yaml', vocabulary);
function refused(text: string): ErrorData {
  try {
    read(text);
  } catch (error) {
    if (error instanceof AppError) return error.toData();
    throw error;
  }
  throw new Error('it was taken');
}
const at = (line: number, column: number) => expect.objectContaining({ file: 'my plan.yaml', line, column });
const head = 'version: 1\nname: A\n';

test('a plan with all it can have, and one with the least', () => {
  expect(
    read(`# a comment
version: 1
name: "A: b"
target: rpi-3
steps:
  - tsbs.load: { scale: 40, chunkTime: 4h }
  - tsbs.queries:
      types: [lastpoint, high-cpu-1]
      queries: 1000
repeat: 3
`),
  ).toEqual({
    version: 1,
    name: 'A: b',
    target: 'rpi-3',
    steps: [
      { 'tsbs.load': { scale: 40, chunkTime: '4h' } },
      { 'tsbs.queries': { types: ['lastpoint', 'high-cpu-1'], queries: 1000 } },
    ],
    repeat: 3,
  });
  expect(read(`${head}steps:\n  - tsbs.load:\n  - tsbs.queries: {}`).steps).toEqual([
    { 'tsbs.load': {} },
    { 'tsbs.queries': {} },
  ]);
  expect(read(`${head}steps: [tsbs.load: {}]`)).toEqual({
    version: 1,
    name: 'A',
    target: 'sandbox',
    steps: [{ 'tsbs.load': {} }],
    repeat: 1,
  });
});

test('times and durations stay text', () => {
  const plan = read(`${head}steps:\n  - tsbs.load: { chunkTime: 2021-01-01T10:00:00Z }`);
  expect(plan.steps[0]?.['tsbs.load']?.chunkTime).toBe('2021-01-01T10:00:00Z');
});

test.each([
  ['a bracket that is left open', `${head}steps: [`, 'yaml-syntax', at(3, 9), /not YAML/],
  ['a tab', `${head}steps:\n\t- tsbs.load: {}`, 'yaml-syntax', at(4, 1), /tab/],
  ['a key twice', `${head}name: B\nsteps:\n  - tsbs.load: {}`, 'yaml-syntax', at(3, 1), /twice/],
  [
    'a parameter twice',
    `${head}steps:\n  - tsbs.load: { scale: 1, scale: 2 }`,
    'yaml-syntax',
    at(4, 28),
    /twice/,
  ],
  ['two documents', `${head}steps:\n  - tsbs.load: {}\n---\nversion: 1`, 'yaml-syntax', at(5, 1), /not YAML/],
  ['an alias without its anchor', `${head}steps: *s`, 'yaml-syntax', at(3, 8), /alias/i],
  ['an unknown tag', `${head}steps: !!js/function x`, 'yaml-syntax', at(3, 8), /tag/],
  [
    'a missing space, in a block',
    `${head}steps:\n  - tsbs.load:\n      scale: 4\n      log-batches:false\n      batchSize: 5`,
    'yaml-syntax',
    at(6, 7),
    /space is missing after the colon of "log-batches"/,
  ],
  [
    'a missing space, alone in its block',
    `${head}steps:\n  - tsbs.load:\n      scale:4`,
    'yaml-syntax',
    at(5, 7),
    /space.*"scale"/,
  ],
  [
    'a missing space, at the end of a block',
    `${head}steps:\n  - tsbs.load:\n      batchSize: 4\n      scale:4\n`,
    'yaml-syntax',
    at(6, 7),
    /space.*"scale"/,
  ],
  [
    'a missing space, in braces',
    `${head}steps:\n  - tsbs.load: { scale:4, batchSize: 2 }`,
    'yaml-syntax',
    at(4, 18),
    /space.*"scale"/,
  ],
  ['a missing space, at the top', `version: 1\nname:A\nsteps: []`, 'yaml-syntax', at(2, 1), /space.*"name"/],
  [
    'a missing space after a step',
    `${head}steps:\n  - tsbs.load:{}\n`,
    'yaml-syntax',
    at(4, 5),
    /space.*"tsbs.load"/,
  ],
  ['a text', 'hello', 'bad-input', at(1, 1), /no plan/],
  ['nothing', '', 'bad-input', at(1, 1), /no plan/],
  ['another version', `version: 2\nname: A\nsteps:\n  - tsbs.load: {}`, 'bad-input', at(1, 10), /1/],
  ['no name', `version: 1\nsteps:\n  - tsbs.load: {}`, 'bad-input', at(1, 1), /./],
  ['no steps', `${head}steps: []`, 'bad-input', at(3, 8), /at least one step/],
  [
    'two kinds in a step',
    `${head}steps:\n  - tsbs.load: {}\n    tsbs.queries: {}`,
    'bad-input',
    at(4, 5),
    /one key/,
  ],
  ['parameters that are a number', `${head}steps:\n  - tsbs.load: 7`, 'bad-input', at(4, 16), /./],
  [
    'a value that its step refuses',
    `${head}steps:\n  - tsbs.load:\n      scale: 0`,
    'bad-input',
    at(5, 14),
    /At least 1/,
  ],
  ['not a number', `${head}steps:\n  - tsbs.load: { scale: .nan }`, 'bad-input', at(4, 25), /./],
])('%s is refused with its place', (_, text, code, place, message) => {
  const error = refused(text);
  expect(error).toMatchObject({ code, place });
  expect(error.message).toMatch(message);
});

test.each([
  ['nmae', `version: 1\nnmae: A\nsteps: []`, at(2, 1), 'Did you mean name?'],
  ['tsbs.laod', `${head}steps:\n  - tsbs.laod: {}`, at(4, 5), 'Did you mean tsbs.load?'],
  ['batch-size', `${head}steps:\n  - tsbs.load:\n      batch-size: 5`, at(5, 7), 'Did you mean batchSize?'],
  [
    '<<',
    `${head}steps:\n  - tsbs.load:\n      <<: 5`,
    at(5, 7),
    'Known: scale, batchSize, logBatches, tags, chunkTime.',
  ],
  ['__proto__', `${head}steps:\n  - tsbs.load:\n      __proto__: { scale: 1 }`, at(5, 7), expect.any(String)],
  ['constructor', `${head}steps:\n  - constructor: {}`, at(4, 5), expect.any(String)],
])('the unknown key %s is refused with its place and the nearest name', (key, text, place, hint) => {
  const error = refused(text);
  expect(error).toMatchObject({ code: 'unknown-key', place, hint });
  expect(error.message).toContain(JSON.stringify(key));
});

test('a bomb of aliases, a nest and a giant are refused, not followed', () => {
  const levels = [...'abcdefghij'].map((name, i, all) => {
    const items =
      i === 0
        ? 'x,x,x,x,x,x,x,x,x'
        : Array(9)
            .fill(`*${all[i - 1]}`)
            .join(',');
    return `${name}: &${name} [${items}]`;
  });
  expect(refused(levels.join('\n'))).toMatchObject({ code: 'yaml-syntax' });
  expect(refused('['.repeat(100_000))).toMatchObject({ code: 'yaml-syntax' });
  expect(refused(`name: ${'x'.repeat(2_000_000)}`)).toMatchObject({ code: 'yaml-syntax' });
});

test('any text gives a plan or an AppError with a place', () => {
  const piece = fc.constantFrom(
    'version: 1',
    'name:',
    'steps:',
    '- ',
    '  ',
    '\n',
    'tsbs.load:',
    '{',
    '}',
    '[',
    ']',
    '*a',
    '&a',
    '"',
    "'",
    '|',
    '>',
    '\t',
    '#',
    ': ',
    'x',
    '!!',
    '---',
    '?',
    '%',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(piece).map((list) => list.join('')),
      ),
      (text) => {
        try {
          read(text);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          if (error instanceof AppError) {
            expect(error.place?.line).toBeGreaterThan(0);
            expect(error.place?.column).toBeGreaterThan(0);
          }
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test('a written plan reads back as it was', () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      'yes',
      'null',
      '1e3',
      '0x10',
      '~',
      '- a',
      'a: b',
      '#x',
      '10s',
      '2021-01-01T10:00:00Z',
      '',
      ' ',
      '*a',
      '.nan',
      '\t',
      'a\nb',
    ),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string()),
  );
  const parameters = fc.record(
    { batchSize: value, logBatches: value, tags: value, chunkTime: value },
    { requiredKeys: [] },
  );
  const name = fc
    .string({ minLength: 1, maxLength: 40 })
    .filter((text) => text.trim() === text && text !== '');
  fc.assert(
    fc.property(
      name,
      name,
      fc.array(parameters, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 9 }),
      fc.option(fc.boolean()),
      fc.option(fc.boolean()),
      fc.option(fc.subarray(['rowsPerSecond >= 12000', 'p99 < 50ms', { noWorseThan: 'baseline 5%' }])),
      fc.option(
        fc.record(
          { idle: fc.constant('30s'), atMost: fc.constant('5m'), below: fc.integer({ min: 20, max: 100 }) },
          { requiredKeys: ['idle', 'atMost'] },
        ),
      ),
      fc.option(fc.constantFrom('8h', '90m')),
      (planName, target, steps, repeat, quietHost, telemetry, thresholds, settle, budget) => {
        const plan = planSchema.parse({
          version: 1,
          name: planName,
          target,
          steps: steps.map((step) => ({ 'tsbs.load': step })),
          repeat,
          ...(quietHost !== null && { quietHost }),
          ...(telemetry !== null && { telemetry }),
          ...(thresholds !== null && { thresholds }),
          ...(settle !== null && { settle }),
          ...(budget !== null && { budget }),
        });
        expect(read(writePlanFile(plan))).toEqual(plan);
      },
    ),
  );
});

test('of a text that is made to take long what is wrong is told', { timeout: 60_000 }, () => {
  const keys = (count: number) => Array.from({ length: count }, (_, i) => `k${i}: 1\n`).join('');
  expect(() => read(keys(12_000))).toThrow(expect.objectContaining({ code: 'unknown-key' }));
  expect(() => read(keys(16_000))).toThrow('The file is larger than 128 KiB');
});
