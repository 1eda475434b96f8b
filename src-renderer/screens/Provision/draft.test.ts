import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-shared/errors.ts';
import type { FormField } from '../../../src-shared/model/form.ts';
import type { RecipeInfo } from '../../../src-shared/model/provision.ts';
import { checkDraft, draftOf, emptyDraft, fieldOfError, toPlan } from './draft.ts';

function field(partial: Partial<FormField>): FormField {
  return {
    key: 'port',
    label: 'Port',
    help: '',
    group: 'Server',
    advanced: false,
    unit: null,
    kind: 'integer',
    options: [],
    min: 1,
    max: 65_535,
    required: false,
    default: 5432,
    ...partial,
  };
}
const secret = field({
  key: 'password',
  label: 'Password',
  kind: 'secret',
  min: null,
  max: null,
  default: '',
});
const recipes: RecipeInfo[] = [
  { id: 'headless', label: 'Headless', description: '', fields: [] },
  { id: 'database', label: 'Database', description: '', fields: [field({}), { ...secret, required: true }] },
];
const draft = {
  ...emptyDraft,
  chosen: ['database', 'headless'],
  values: { database: { port: 5433, password: 's' }, other: { x: 1 } },
};

describe('the recipes of a plan', () => {
  it('stand in the order of the list, with what was set', () => {
    expect(toPlan(draft, 'h', recipes)).toEqual({
      hostId: 'h',
      recipes: [
        { id: 'headless', parameters: {} },
        { id: 'database', parameters: { port: 5433, password: 's' } },
      ],
      before: '',
      after: '',
    });
  });
  it('come back from a plan without its secrets and without recipes that are no more', () => {
    const plan = toPlan(draft, 'h', recipes);
    const gone = { id: 'gone', parameters: {} };
    expect(draftOf({ ...plan, recipes: [...plan.recipes, gone], before: 'date' }, recipes)).toEqual({
      chosen: ['headless', 'database'],
      values: { headless: {}, database: { port: 5433 } },
      before: 'date',
      after: '',
    });
  });
  it('say what is wrong, of the chosen ones only', () => {
    const wrong = { ...draft, values: { database: { port: 0 } } };
    expect([...checkDraft(wrong, recipes)]).toEqual([
      ['database.port', 'Port is between 1 and 65535'],
      ['database.password', 'Password is needed'],
    ]);
    expect(checkDraft({ ...wrong, chosen: ['headless'] }, recipes).size).toBe(0);
  });
  it('find the field of an error', () => {
    const plan = toPlan(draft, 'h', recipes);
    const at = (place: string) =>
      fieldOfError(new AppError({ code: 'bad-input', message: 'm', place: { field: place } }), plan);
    expect(at('recipes[1].port')).toBe('database.port');
    expect(at('recipes[7].port')).toBeNull();
    expect(at('hostId')).toBeNull();
  });
});
