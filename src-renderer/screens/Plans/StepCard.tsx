import { ActionIcon, Text } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconChevronRight,
  IconTrash,
} from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { Problem } from '../../../src-shared/contract/commands.ts';
import type { StepInfo } from '../../../src-shared/model/engine.ts';
import { FieldsForm } from '../../form/FieldsForm.tsx';
import { differs, type Json } from '../../form/values.ts';
import { type DraftStep, withHint } from './draft.ts';
import classes from './Plans.module.css';

/** One step: its form, its place among the others, and what of it departs from the defaults. */
export function StepCard(props: {
  step: DraftStep;
  /** undefined: no workload has a step of that name. */
  info: StepInfo | undefined;
  number: number;
  count: number;
  problems: ReadonlyMap<string, string>;
  others: readonly Problem[];
  onChange: (field: string, value: Json | undefined) => void;
  onLeave: (field: string) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}): ReactNode {
  const { step, info, number, count } = props;
  const [folded, setFolded] = useState(false);
  const bodyId = useId();
  const label = info?.label ?? step.id;
  const changed = info?.fields.filter((field) => differs(field, step.values)).length ?? 0;
  const opened = !folded || props.problems.size > 0;
  return (
    <section className={classes.step} aria-label={`Step ${number}: ${label}`}>
      <header className={classes.stepHead}>
        <h2 className={classes.stepTitle}>
          {number}. {label}
          <Text span size="xs" c="dimmed" fw={400} ml={8}>
            {changed === 0 ? 'all defaults' : `${changed} changed from the defaults`}
          </Text>
        </h2>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Move ${label} up`}
          disabled={number === 1}
          onClick={() => props.onMove(-1)}
        >
          <IconArrowUp size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Move ${label} down`}
          disabled={number === count}
          onClick={() => props.onMove(1)}
        >
          <IconArrowDown size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${label}`} onClick={props.onRemove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={opened ? `Fold ${label}` : `Open ${label}`}
          aria-expanded={opened}
          aria-controls={bodyId}
          onClick={() => setFolded(opened)}
        >
          {opened ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
        </ActionIcon>
      </header>
      <div id={bodyId} className={classes.stepBody} hidden={!opened}>
        {info !== undefined && (
          <>
            <Text c="dimmed" mb={16}>
              {info.description}
            </Text>
            <FieldsForm
              fields={info.fields}
              values={step.values}
              lists
              problems={props.problems}
              onChange={props.onChange}
              onLeave={props.onLeave}
            />
          </>
        )}
        {props.others.map((problem) => (
          <Text key={problem.path + problem.message} c="var(--bad)" size="sm" mt={8}>
            {withHint(problem)}
          </Text>
        ))}
      </div>
    </section>
  );
}
