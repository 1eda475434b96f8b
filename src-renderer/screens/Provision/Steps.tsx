import type { ReactNode } from 'react';
import type { ProvisionStep, RecipeInfo } from '../../../src-shared/model/provision.ts';
import classes from './Provision.module.css';
import { StepCard } from './StepCard.tsx';
import { labelOf } from './words.ts';

/** Every step of a plan in its order, under the recipe that it belongs to. */
export function Steps(props: {
  steps: readonly ProvisionStep[];
  recipes: readonly RecipeInfo[];
  /** What each changes is folded away, so that the list is seen at once. */
  brief?: boolean;
}): ReactNode {
  return byRecipe(props.steps).map(([recipe, steps]) => {
    const label = recipe === '' ? 'Your own commands' : labelOf(props.recipes, recipe);
    return (
      <section key={steps[0]?.id} aria-label={label}>
        <h2 className={classes.small}>{label}</h2>
        <ol className={classes.steps}>
          {steps.map((step) => (
            <StepCard key={step.id} step={step} brief={props.brief === true} />
          ))}
        </ol>
      </section>
    );
  });
}

/** Neighbours of the same recipe together; the order stays. */
function byRecipe(steps: readonly ProvisionStep[]): [string, ProvisionStep[]][] {
  const groups: [string, ProvisionStep[]][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last?.[0] === step.recipe) last[1].push(step);
    else groups.push([step.recipe, [step]]);
  }
  return groups;
}
