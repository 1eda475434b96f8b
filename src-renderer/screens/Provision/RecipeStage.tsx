import { Button, Checkbox, Collapse, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { AppError } from '../../../src-shared/errors.ts';
import type { ProvisionPlan, RecipeInfo } from '../../../src-shared/model/provision.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { FieldsForm } from '../../form/FieldsForm.tsx';
import { useFocusProblem } from '../../form/useFocusProblem.ts';
import { withValue } from '../../form/values.ts';
import { checkDraft, type Draft, fieldId, fieldOfError, toPlan } from './draft.ts';
import classes from './Provision.module.css';

/** What is to be set up: recipes to choose from, each with its form. */
export function RecipeStage(props: {
  hostId: string;
  hostName: string;
  recipes: readonly RecipeInfo[];
  draft: Draft;
  error: AppError | null;
  pending: boolean;
  onChange: (draft: Draft) => void;
  onPlan: (plan: ProvisionPlan) => void;
}): ReactNode {
  const { recipes, draft, error } = props;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [said, setSaid] = useState(false);
  const root = useRef<HTMLFormElement>(null);
  const focusProblem = useFocusProblem(root);
  const plan = toPlan(draft, props.hostId, recipes);
  const found = checkDraft(draft, recipes);
  const problems = new Map([...found].filter(([id]) => said || left.has(id)));
  const about = error === null ? null : fieldOfError(error, plan);
  if (error !== null && about !== null) problems.set(about, error.message);

  function choose(id: string, chosen: boolean): void {
    const others = draft.chosen.filter((other) => other !== id);
    props.onChange({ ...draft, chosen: chosen ? [...others, id] : others });
  }

  function handleSubmit(): void {
    setSaid(true);
    if (found.size > 0) focusProblem();
    else props.onPlan(plan);
  }

  return (
    <form
      ref={root}
      onSubmit={(event) => {
        event.preventDefault();
        handleSubmit();
      }}
    >
      <Stack gap={12}>
        <div>
          <h2 className={classes.heading}>What should be set up on {props.hostName}?</h2>
          <Text c="dimmed">The next step shows every change. Nothing is changed before you apply it.</Text>
        </div>
        {recipes.map((recipe) => {
          const chosen = draft.chosen.includes(recipe.id);
          return (
            <div key={recipe.id} className={classes.recipe} data-chosen={chosen || undefined}>
              <div className={classes.recipeHead}>
                <Checkbox
                  label={<b>{recipe.label}</b>}
                  description={recipe.description}
                  checked={chosen}
                  onChange={(event) => choose(recipe.id, event.currentTarget.checked)}
                />
              </div>
              {chosen && recipe.fields.length > 0 && (
                <div className={classes.recipeBody}>
                  <FieldsForm
                    fields={recipe.fields}
                    values={draft.values[recipe.id] ?? {}}
                    problems={ofRecipe(problems, recipe)}
                    onChange={(key, value) =>
                      props.onChange({
                        ...draft,
                        values: {
                          ...draft.values,
                          [recipe.id]: withValue(draft.values[recipe.id] ?? {}, key, value),
                        },
                      })
                    }
                    onLeave={(key) => setLeft((old) => new Set(old).add(fieldId(recipe.id, key)))}
                  />
                </div>
              )}
            </div>
          );
        })}
        <OwnCommands draft={draft} onChange={props.onChange} />
        {error !== null && <ErrorPanel error={error} />}
        <Group gap={12} className={classes.foot}>
          <Button type="submit" loading={props.pending} disabled={plan.recipes.length === 0}>
            {plan.recipes.length === 0 ? 'Choose a recipe first' : 'Show every change'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function OwnCommands(props: { draft: Draft; onChange: (draft: Draft) => void }): ReactNode {
  const { draft, onChange } = props;
  const [opened, setOpened] = useState(draft.before !== '' || draft.after !== '');
  const id = useId();
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={
          opened ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />
        }
        aria-expanded={opened}
        aria-controls={id}
        onClick={() => setOpened(!opened)}
      >
        Commands of your own, before and after
      </Button>
      <Collapse id={id} expanded={opened}>
        <Stack gap={12} mt={8}>
          <Textarea
            label="Before the first step"
            description="Shell commands, run as the user who signs in. Benchberry does not look into them and cannot undo them."
            classNames={{ input: 'mono' }}
            spellCheck={false}
            autosize
            minRows={2}
            value={draft.before}
            onChange={(event) => onChange({ ...draft, before: event.currentTarget.value })}
          />
          <Textarea
            label="After the last step"
            classNames={{ input: 'mono' }}
            spellCheck={false}
            autosize
            minRows={2}
            value={draft.after}
            onChange={(event) => onChange({ ...draft, after: event.currentTarget.value })}
          />
        </Stack>
      </Collapse>
    </div>
  );
}

function ofRecipe(problems: ReadonlyMap<string, string>, recipe: RecipeInfo): Map<string, string> {
  return new Map(
    recipe.fields.flatMap(({ key }) => {
      const problem = problems.get(fieldId(recipe.id, key));
      return problem === undefined ? [] : [[key, problem] as const];
    }),
  );
}
