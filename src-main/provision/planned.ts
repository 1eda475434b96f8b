import type { z } from 'zod';
import { AppError } from '../../src-shared/errors.ts';
import type { FieldMeta } from '../../src-shared/model/form.ts';
import type { Inventory, MachineCheck } from '../../src-shared/model/host.ts';
import type { ProvisionPlan, ProvisionStep } from '../../src-shared/model/provision.ts';
import { findRecipe } from './registry.ts';
import type { Recipe, RecipeTarget, Step } from './step.ts';

/** A step of a plan, with the id that is unique in it. */
export interface PlannedStep {
  id: string;
  recipe: string;
  step: Step;
  /** The user's own shell text: run once, nothing to look at before or after. */
  own: boolean;
  /** Of its recipe in the plan; null for the user's own. */
  place: number | null;
}

/** A recipe of a plan with its parameters checked. */
interface Chosen {
  recipe: Recipe;
  parameters: Record<string, unknown>;
  /** As the recipes before it in the plan leave it. */
  host: Inventory;
}

export type Secrets = Readonly<Record<string, string>>;
/** Under which a plan's secret is kept: the path of its field in the plan. */
const secretKey = (index: number, field: string) => `recipes[${index}].${field}`;

/** Fields whose meta says `secret`. */
const secretFields = (parameters: z.ZodObject) => fieldsWith(parameters, ({ kind }) => kind === 'secret');

function fieldsWith(parameters: z.ZodObject, is: (meta: Partial<FieldMeta>) => boolean): string[] {
  return Object.entries(parameters.shape).flatMap(([key, field]) =>
    isMeta(field) && is(field.meta() ?? {}) ? [key] : [],
  );
}
function isMeta(field: unknown): field is { meta(): Partial<FieldMeta> | undefined } {
  return field instanceof Object && 'meta' in field && typeof field.meta === 'function';
}

/** The plan as it may be stored, a given secret empty in it, and its secrets apart. */
export function withoutSecrets(plan: ProvisionPlan): { plan: ProvisionPlan; secrets: Secrets } {
  const secrets: Record<string, string> = {};
  const recipes = plan.recipes.map(({ id, parameters }, index) => {
    const hidden = secretFields(findRecipe(id).parameters);
    const kept = Object.entries(parameters).flatMap(([key, value]) => {
      if (!hidden.includes(key)) return [[key, value]];
      if (typeof value !== 'string' || value === '') return [];
      secrets[secretKey(index, key)] = value;
      return [[key, '']];
    });
    return { id, parameters: Object.fromEntries(kept) };
  });
  return { plan: { ...plan, recipes }, secrets };
}

/** Names of the secrets that were given with a stored plan. */
export function secretKeys(plan: ProvisionPlan): string[] {
  return plan.recipes.flatMap(({ id, parameters }, index) =>
    secretFields(findRecipe(id).parameters)
      .filter((field) => field in parameters)
      .map((field) => secretKey(index, field)),
  );
}

/**
 * Secrets for the steps that cannot do without one where none was given: a database that is to be made gets a password.
 * @param todo steps that are not so yet
 * @param make returns a new one each time
 */
export function missingSecrets(
  plan: ProvisionPlan,
  todo: readonly PlannedStep[],
  make: () => string,
): { plan: ProvisionPlan; secrets: Secrets } {
  const secrets: Record<string, string> = {};
  const recipes = plan.recipes.map((recipe, index) => {
    const needed = todo.some(({ step, place }) => place === index && step.secretInput?.includes(''));
    const fields = needed
      ? fieldsWith(findRecipe(recipe.id).parameters, ({ generated }) => generated === true)
      : [];
    const missing = fields.filter((field) => !(field in recipe.parameters));
    for (const field of missing) secrets[secretKey(index, field)] = make();
    const empty = Object.fromEntries(missing.map((field) => [field, '']));
    return { ...recipe, parameters: { ...recipe.parameters, ...empty } };
  });
  return { plan: { ...plan, recipes }, secrets };
}

/** @throws AppError `bad-input` naming the field: `recipes[0].port` */
function chosen(plan: ProvisionPlan, secrets: Secrets, host: Inventory): Chosen[] {
  let expected = host;
  return plan.recipes.map(({ id, parameters }, index) => {
    const recipe = findRecipe(id);
    const given = { ...parameters };
    for (const field of secretFields(recipe.parameters)) {
      const secret = secrets[secretKey(index, field)];
      if (secret !== undefined) given[field] = secret;
    }
    const parsed = recipe.parameters.safeParse(given);
    if (parsed.success) {
      const found = { recipe, parameters: parsed.data, host: expected };
      if (recipe.refuse(expected, parsed.data) === null)
        expected = recipe.leaves?.(expected, parsed.data) ?? expected;
      return found;
    }
    const issue = parsed.error.issues[0];
    throw new AppError({
      code: 'bad-input',
      message: issue?.message ?? 'The parameters have the wrong shape',
      place: { field: `recipes[${index}].${issue?.path.join('.') ?? ''}` },
      detail: recipe.label,
    });
  });
}

/** What speaks against a recipe on this host, as lines of the preflight. */
export function refusals(plan: ProvisionPlan, secrets: Secrets, host: Inventory): MachineCheck[] {
  return chosen(plan, secrets, host).flatMap(({ recipe, parameters, host: before }) => {
    const reason = recipe.refuse(before, parameters);
    return reason === null ? [] : [refusal(recipe, reason)];
  });
}

/** Of the ids of these lines. */
export const refusalPrefix = 'recipe-';

function refusal(recipe: Recipe, reason: string): MachineCheck {
  return {
    id: refusalPrefix + recipe.id,
    title: recipe.label,
    result: 'fail',
    detail: reason,
    advice: 'Leave this recipe out, or choose another one.',
    value: null,
    unit: null,
    raw: '',
  };
}

/** Every step in its order: own commands before, those of the recipes that this host can have, own commands after. */
export function planSteps(plan: ProvisionPlan, secrets: Secrets, host: Inventory): PlannedStep[] {
  const steps = chosen(plan, secrets, host).flatMap(({ recipe, parameters, host: before }, index) =>
    recipe.refuse(before, parameters) === null
      ? recipe.steps(before, parameters).map((step) => ({
          id: uniqueId(plan, index, recipe.id, step.id),
          recipe: recipe.id,
          step,
          own: false,
          place: index,
        }))
      : [],
  );
  return [...ownStep('before', plan.before), ...steps, ...ownStep('after', plan.after)];
}

/** A recipe that is in a plan twice has its place in the ids. */
function uniqueId(plan: ProvisionPlan, index: number, recipe: string, step: string): string {
  const twice = plan.recipes.filter(({ id }) => id === recipe).length > 1;
  return twice ? `${recipe}-${index + 1}.${step}` : `${recipe}.${step}`;
}

function ownStep(id: 'before' | 'after', text: string): PlannedStep[] {
  if (text.trim() === '') return [];
  const step: Step = {
    id,
    title: id === 'before' ? 'Run your own commands first' : 'Run your own commands last',
    changes: ['What your commands change: Benchberry does not look into them and cannot undo them.'],
    needsRoot: false,
    needsReboot: false,
    reversible: false,
    check: async () => ({ done: false, evidence: 'Your own commands are run each time.', saved: {} }),
    test: 'false',
    apply: () => text,
    undo: () => null,
  };
  return [{ id: `own.${id}`, recipe: '', step, own: true, place: null }];
}

/** As the renderer sees it before anything was looked at. */
export function shownStep({ id, recipe, step }: PlannedStep): ProvisionStep {
  return {
    id,
    recipe,
    title: step.title,
    changes: [...step.changes],
    needsRoot: step.needsRoot,
    needsReboot: step.needsReboot,
    reversible: step.reversible,
    script: step.apply(),
    state: 'waiting',
    evidence: '',
    log: '',
    error: null,
  };
}

/** Databases that stand when the plan is done. */
export function targetsOf(plan: ProvisionPlan, secrets: Secrets, host: Inventory): RecipeTarget[] {
  return chosen(plan, secrets, host).flatMap(
    ({ recipe, parameters, host: before }) => recipe.target?.(before, parameters) ?? [],
  );
}
