import type { AppError } from '../../../src-shared/errors.ts';
import type { ProvisionPlan, RecipeInfo } from '../../../src-shared/model/provision.ts';
import { checkField, effective, type Values } from '../../form/values.ts';

/** What the recipe step holds. Values of a recipe stay when it is left out, so that a second thought costs nothing. */
export interface Draft {
  chosen: readonly string[];
  values: Readonly<Record<string, Values>>;
  before: string;
  after: string;
}

export const emptyDraft: Draft = { chosen: [], values: {}, before: '', after: '' };

/** A plan that was made before, to be made again; secrets are not kept in plans and are typed anew. */
export function draftOf(plan: ProvisionPlan, recipes: readonly RecipeInfo[]): Draft {
  const known = plan.recipes.filter(({ id }) => recipes.some((recipe) => recipe.id === id));
  const values = known.map(({ id, parameters }) => {
    const secrets = recipes
      .find((recipe) => recipe.id === id)
      ?.fields.filter((field) => field.kind === 'secret')
      .map((field) => field.key);
    const kept = Object.entries(parameters).filter(([key]) => secrets?.includes(key) !== true);
    return [id, Object.fromEntries(kept)] as const;
  });
  return {
    chosen: known.map(({ id }) => id),
    values: Object.fromEntries(values),
    before: plan.before,
    after: plan.after,
  };
}

/** The plan of a draft: its recipes in the order in which they are listed. */
export function toPlan(draft: Draft, hostId: string, recipes: readonly RecipeInfo[]): ProvisionPlan {
  return {
    hostId,
    recipes: recipes
      .filter(({ id }) => draft.chosen.includes(id))
      .map(({ id }) => ({ id, parameters: { ...draft.values[id] } })),
    before: draft.before,
    after: draft.after,
  };
}

export const fieldId = (recipe: string, key: string): string => `${recipe}.${key}`;

/** `recipe.field` → what is wrong, as far as the forms alone can tell. */
export function checkDraft(draft: Draft, recipes: readonly RecipeInfo[]): Map<string, string> {
  const problems = new Map<string, string>();
  for (const { id, fields } of recipes.filter((recipe) => draft.chosen.includes(recipe.id))) {
    for (const field of fields) {
      const problem = checkField(field, effective(field, draft.values[id] ?? {}));
      if (problem !== null) problems.set(fieldId(id, field.key), problem);
    }
  }
  return problems;
}

/** The field that the core complains about (`recipes[0].port`) as `recipe.field`; null where it names none. */
export function fieldOfError(error: AppError, plan: ProvisionPlan): string | null {
  const [, index, key] = /^recipes\[(\d+)\]\.([^.[]+)/.exec(error.place?.field ?? '') ?? [];
  const recipe = index === undefined ? undefined : plan.recipes[Number(index)];
  return recipe === undefined || key === undefined ? null : fieldId(recipe.id, key);
}
