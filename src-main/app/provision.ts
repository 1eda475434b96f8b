import { AppError } from '../../src-shared/errors.ts';
import type { RecipeInfo } from '../../src-shared/model/provision.ts';
import { recipes } from '../provision/registry.ts';
import type { AppContext, HandlersOf } from './context.ts';
import { formFields } from './forms.ts';

/** What can be set up on a host: the registry of recipes, their parameters as forms. */
export function recipeInfos(): RecipeInfo[] {
  return recipes.map(({ id, label, description, parameters }) => ({
    id,
    label,
    description,
    fields: formFields(parameters),
  }));
}

export function provisionHandlers({ store }: AppContext): HandlersOf<'provision'> {
  const infos = recipeInfos();
  return {
    'provision.recipes': async () => infos,
    async 'provision.get'({ id }) {
      const stored = store.provisionings.get(id);
      if (stored) return stored.provisioning;
      throw new AppError({
        code: 'not-found',
        message: `There is no provisioning with the id ${JSON.stringify(id)}`,
      });
    },
    'provision.list': async ({ hostId }) =>
      store.provisionings.list(hostId).map(({ provisioning }) => provisioning),
  };
}
