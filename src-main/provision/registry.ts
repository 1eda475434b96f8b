import { AppError } from '../../src-shared/errors.ts';
import { databaseFromPackages } from './recipes/databaseFromPackages/index.ts';
import { databaseInDocker } from './recipes/databaseInDocker/index.ts';
import { docker } from './recipes/docker/index.ts';
import { headless } from './recipes/headless/index.ts';
import { portInTheWay } from './recipes/portInTheWay/index.ts';
import { quiet } from './recipes/quiet/index.ts';
import { tune } from './recipes/tune/index.ts';
import type { Recipe } from './step.ts';

/** Every recipe, one line each; nothing else in the project switches on a recipe's name. */
export const recipes: readonly Recipe[] = [
  headless,
  quiet,
  portInTheWay,
  databaseFromPackages,
  docker,
  databaseInDocker,
  tune,
];

/** @throws AppError `not-found` naming the recipes there are */
export function findRecipe(id: string): Recipe {
  const recipe = recipes.find((candidate) => candidate.id === id);
  if (recipe) return recipe;
  throw new AppError({
    code: 'not-found',
    message: `There is no recipe ${JSON.stringify(id)}`,
    hint: `Recipes: ${recipes.map((candidate) => candidate.id).join(', ')}.`,
  });
}
