import { AppError } from '../../src-shared/errors.ts';
import type { ProvisionPlan, RecipeInfo } from '../../src-shared/model/provision.ts';
import { nearest } from '../../src-shared/nearest.ts';
import type { Cli } from './cli.ts';
import { fieldValue, passwordVariable } from './targets.ts';

/** What the commands that make a plan take. */
export interface PlanOptions {
  recipe: string[];
  set: string[];
  before?: string;
  after?: string;
}
/** Recipes by name, each with the `--set` pairs that are its own. */
export async function chosenRecipes(
  cli: Cli,
  recipes: readonly RecipeInfo[],
  { recipe: names, set }: PlanOptions,
): Promise<ProvisionPlan['recipes']> {
  const chosen = names.map((name) => {
    const found = recipes.find(({ id }) => id === name);
    if (found) return found;
    const ids = recipes.map(({ id }) => id);
    const near = nearest(name, ids);
    throw new AppError({
      code: 'not-found',
      message: `There is no recipe named ${JSON.stringify(name)}`,
      hint: near === null ? `Recipes: ${ids.join(', ')}.` : `Did you mean ${near}?`,
    });
  });
  const pairs = set.map((text) => settingOf(text, chosen));
  const result: ProvisionPlan['recipes'] = [];
  for (const { id, fields } of chosen) {
    const parameters: ProvisionPlan['recipes'][number]['parameters'] = {};
    for (const field of fields) {
      const pair = pairs.find(({ recipe, key }) => key === field.key && (recipe === null || recipe === id));
      if (field.kind === 'secret') {
        const question = `${field.label}${field.generated ? ' (Enter: one is made where it is needed)' : ''}: `;
        const secret = cli.env[passwordVariable] ?? (await cli.terminal.secret(question));
        if (secret !== null) parameters[field.key] = secret;
      } else if (pair) {
        parameters[field.key] =
          field.kind === 'choices'
            ? pair.value.split(',').map((each) => each.trim())
            : fieldValue(field, pair.value);
      }
    }
    result.push({ id, parameters });
  }
  return result;
}

function settingOf(
  text: string,
  chosen: readonly RecipeInfo[],
): { recipe: string | null; key: string; value: string } {
  const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const dot = name.lastIndexOf('.');
  const recipe = dot < 0 ? null : name.slice(0, dot);
  const key = name.slice(dot + 1);
  const fields = chosen.filter(({ id }) => recipe === null || id === recipe).flatMap((each) => each.fields);
  const field = fields.find((each) => each.key === key);
  if (field === undefined || !text.includes('=')) {
    const near = nearest(
      key,
      fields.map((each) => each.key),
    );
    throw new AppError({
      code: 'unknown-key',
      message: `${JSON.stringify(text)} sets nothing that these recipes have`,
      hint:
        near === null
          ? `Settings: ${fields.map((each) => each.key).join(', ') || 'none'}.`
          : `Did you mean ${near}?`,
    });
  }
  if (field.kind === 'secret') {
    throw new AppError({
      code: 'bad-input',
      message: `${field.label} is not taken from the command line: others can read that`,
      hint: `Set ${passwordVariable}, or leave it out to be asked.`,
    });
  }
  return { recipe, key, value };
}
