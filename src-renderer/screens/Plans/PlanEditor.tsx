import { Button, Menu, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import type { WorkloadInfo } from '../../../src-shared/model/engine.ts';
import type { SavedPlan } from '../../../src-shared/model/plan.ts';
import type { Target } from '../../../src-shared/model/target.ts';
import { Page } from '../../components/Page.tsx';
import { toastUndo } from '../../components/toasts.tsx';
import { useFocusProblem } from '../../form/useFocusProblem.ts';
import { fromText, toText } from '../../form/values.ts';
import { paths } from '../../routes.ts';
import { type PlanDraft, problemsOfPlan, problemsOfStep, withHint } from './draft.ts';
import { PlanActions } from './PlanActions.tsx';
import classes from './Plans.module.css';
import { RunPanel } from './RunPanel.tsx';
import { repeatField } from './repeatField.ts';
import { SeriesFields } from './SeriesFields.tsx';
import { StepCard } from './StepCard.tsx';
import { usePlanForm } from './usePlanForm.ts';

/** The form of a plan: what is done step by step on the left, on what and the button that does it on the right. */
export function PlanEditor(props: {
  draftKey: string;
  initial: PlanDraft;
  /** null: not saved yet. */
  saved: SavedPlan | null;
  workloads: readonly WorkloadInfo[];
  targets: readonly Target[];
  /** Above the form. */
  lead?: ReactNode;
}): ReactNode {
  const { saved, workloads, targets } = props;
  const form = usePlanForm(props.draftKey, props.initial, saved === null);
  const root = useRef<HTMLDivElement>(null);
  const focusFirst = useFocusProblem(root);
  const { draft, shown } = form;
  const own = problemsOfPlan(shown, draft.steps);
  const [alsoOn, setAlsoOn] = useState<readonly string[]>([]);
  const { settle, budget } = draft;
  const isSeries = alsoOn.length > 0 || (form.judged?.cells ?? 1) > 1 || (form.plan?.repeat ?? 1) > 1;
  const hasRules = [settle.idle, settle.below, settle.atMost, budget].some((value) => value !== '');
  const allSteps = workloads.flatMap((workload) => workload.steps);

  function focusProblem(): void {
    form.showAll();
    focusFirst();
  }

  function handleRemove(index: number, label: string): void {
    const step = form.removeStep(index);
    if (step === null) return;
    toastUndo(`${label} is removed from the plan`, async () => form.insertStep(index, step));
  }

  return (
    <Page
      title={saved === null ? 'New benchmark' : saved.plan.name}
      crumbs={[{ label: 'Plans', href: paths.plans }]}
      wide
      actions={<PlanActions form={form} saved={saved} draftKey={props.draftKey} onProblem={focusProblem} />}
    >
      <div className={classes.editor} ref={root}>
        <Stack gap={16}>
          {props.lead}
          {saved?.sample === true && (
            <Text c="dimmed">
              A sample that came with Benchberry. Run it as it is, or change it and save it as a plan of your
              own.
            </Text>
          )}
          <div className={classes.head}>
            <TextInput
              label="Name"
              description="What the run will be called."
              value={draft.name}
              error={own.name}
              onChange={(event) => form.set({ name: event.currentTarget.value })}
              onBlur={() => form.leave(null, 'name')}
            />
            <TextInput
              label="Repeat"
              description="Runs in a row; several show how much figures vary."
              inputMode="numeric"
              value={toText(draft.repeat)}
              error={own.repeat}
              onChange={(event) =>
                form.set({ repeat: fromText(repeatField, event.currentTarget.value) ?? '' })
              }
              onBlur={() => form.leave(null, 'repeat')}
            />
          </div>
          {(isSeries || hasRules) && <SeriesFields form={form} problems={own} />}
          <Text size="sm" c="dimmed">
            A number below may be a list, as 4, 8, 12: each of its values is measured, and of several lists
            every combination.
          </Text>
          {draft.steps.map((step, index) => {
            const info = allSteps.find((candidate) => candidate.id === step.id);
            const { byField, others } = problemsOfStep(shown, draft.steps, index, info);
            return (
              <StepCard
                key={step.key}
                step={step}
                info={info}
                number={index + 1}
                count={draft.steps.length}
                problems={byField}
                others={others}
                onChange={(field, value) => form.setField(step, field, value)}
                onLeave={(field) => form.leave(step, field)}
                onMove={(by) => form.move(index, by)}
                onRemove={() => handleRemove(index, info?.label ?? step.id)}
              />
            );
          })}
          {own.others.map((problem) => (
            <Text key={problem.path + problem.message} c="var(--bad)" size="sm">
              {withHint(problem)}
            </Text>
          ))}
          <AddStep workloads={workloads} onAdd={form.addStep} />
          <Textarea
            label="Thresholds"
            description="One a line, as rowsPerSecond >= 12000, p99 of lastpoint < 50ms, or noWorseThan: baseline 5%. A run that misses one says so, and the command line ends with exit code 1."
            autosize
            minRows={2}
            maxRows={12}
            spellCheck={false}
            value={draft.thresholds}
            error={own.thresholds}
            onChange={(event) => form.set({ thresholds: event.currentTarget.value })}
            onBlur={() => form.leave(null, 'thresholds')}
          />
        </Stack>
        <RunPanel
          form={form}
          targets={targets}
          targetProblem={own.target}
          alsoOn={alsoOn}
          onAlsoOn={setAlsoOn}
          onProblem={focusProblem}
        />
      </div>
    </Page>
  );
}

function AddStep(props: { workloads: readonly WorkloadInfo[]; onAdd: (id: string) => void }): ReactNode {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          style={{ alignSelf: 'flex-start' }}
        >
          Add a step
        </Button>
      </Menu.Target>
      <Menu.Dropdown maw={480}>
        {props.workloads.map((workload) => (
          <div key={workload.id}>
            <Menu.Label>{workload.label}</Menu.Label>
            {workload.steps.map((step) => (
              <Menu.Item key={step.id} onClick={() => props.onAdd(step.id)}>
                {step.label}
                <Text size="xs" c="dimmed">
                  {step.description}
                </Text>
              </Menu.Item>
            ))}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
