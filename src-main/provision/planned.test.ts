import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { makeInventory } from '../store/testInventory.ts';
import { missingSecrets, planSteps, refusals, secretKeys, targetsOf, withoutSecrets } from './planned.ts';
import type { Recipe, Step } from './step.ts';

vi.mock('./registry.ts', () => ({ findRecipe: () => database }));

const step: Step = {
  id: 'user',
  title: 'Make the user',
  changes: [],
  needsRoot: true,
  needsReboot: false,
  reversible: true,
  check: async () => ({ done: false, evidence: '', saved: {} }),
  test: 'false',
  apply: () => 'IFS= read -r password',
  undo: () => null,
};
const parameters = z.object({
  port: z.int().min(1).default(5432).meta({ title: 'Port' }),
  password: z.string().default('').meta({ title: 'Password', kind: 'secret', generated: true }),
});
const database: Recipe = {
  id: 'database',
  label: 'Database',
  description: '',
  parameters,
  refuse: (host, given) =>
    host.userlandArch.value === 'armhf' ? `No packages for port ${given.port}` : null,
  steps: (_host, given) => [{ ...step, secretInput: [parameters.parse(given).password] }],
  target: (_host, given) => ({
    engine: 'postgresql',
    connection: {},
    secret: parameters.parse(given).password,
  }),
};
const whole = {
  hostId: 'h',
  recipes: [
    { id: 'database', parameters: { password: 'hunter2' } },
    { id: 'database', parameters: { port: 5433, password: 'hunter3' } },
  ],
  before: 'date',
  after: ' ',
};

test('secrets are apart from the plan that is stored, and found again by their keys', () => {
  const { plan, secrets } = withoutSecrets(whole);
  expect(JSON.stringify(plan)).not.toContain('hunter');
  expect(secrets).toEqual({ 'recipes[0].password': 'hunter2', 'recipes[1].password': 'hunter3' });
  expect(secretKeys(plan)).toEqual(['recipes[0].password', 'recipes[1].password']);
  const steps = planSteps(plan, secrets, makeInventory());
  // A recipe that is there twice has its place in the ids; empty own commands are no step.
  expect(steps.map(({ id, own }) => [id, own])).toEqual([
    ['own.before', true],
    ['database-1.user', false],
    ['database-2.user', false],
  ]);
  expect(steps.map(({ step: { secretInput } }) => secretInput)).toEqual([
    undefined,
    ['hunter2'],
    ['hunter3'],
  ]);
  expect(targetsOf(plan, secrets, makeInventory()).map(({ secret }) => secret)).toEqual([
    'hunter2',
    'hunter3',
  ]);
});

test('a refusal is a failed line with its reason, and its recipe has no steps', () => {
  const { plan, secrets } = withoutSecrets({ ...whole, before: '' });
  const host = makeInventory({ userlandArch: { value: 'armhf', raw: 'armhf' } });
  expect(refusals(plan, secrets, host).map(({ result, detail }) => `${result} ${detail}`)).toEqual([
    'fail No packages for port 5432',
    'fail No packages for port 5433',
  ]);
  expect(planSteps(plan, secrets, host)).toEqual([]);
});

test('a secret is made where a step cannot do without one and none was given, and nowhere else', () => {
  const empty = { ...whole, before: '', recipes: whole.recipes.map(({ id }) => ({ id, parameters: {} })) };
  const typed = {
    ...empty,
    recipes: [{ id: 'database', parameters: { password: 'hunter2' } }, ...empty.recipes],
  };
  const { plan, secrets } = withoutSecrets(typed);
  const steps = planSteps(plan, secrets, makeInventory());
  let made = 0;
  const found = missingSecrets(plan, steps.slice(0, 2), () => `made-${++made}`);
  // The first has its own, the third is so already.
  expect(found.secrets).toEqual({ 'recipes[1].password': 'made-1' });
  expect(secretKeys(found.plan)).toEqual(['recipes[0].password', 'recipes[1].password']);
  expect(JSON.stringify(found.plan)).not.toContain('made');
});

test('a wrong parameter names its recipe and field', () => {
  const bad = { ...whole, recipes: [{ id: 'database', parameters: { port: 0, password: 'hunter2' } }] };
  const { plan, secrets } = withoutSecrets(bad);
  expect(() => planSteps(plan, secrets, makeInventory())).toThrow(
    expect.objectContaining({ code: 'bad-input', place: { field: 'recipes[0].port' } }),
  );
});
