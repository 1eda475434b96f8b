import { Code, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LeftOut } from '../../../src-shared/contract/commands.ts';
import type { Plan } from '../../../src-shared/model/plan.ts';
import { useCommand } from '../../api.tsx';
import classes from './Plans.module.css';

/** What a text of another program comes to: what the plan will do, and on which server. */
export function PlanPreview(props: { plan: Plan; serverNamed: boolean }): ReactNode {
  const { plan, serverNamed } = props;
  const check = useCommand('plans.validate', { plan }, { keepPrevious: true });
  return (
    <>
      <Text fw={600}>{check.data?.summary || plan.name}</Text>
      <Text size="sm" c="dimmed">
        {serverNamed
          ? `On ${plan.target}; its password is asked for.`
          : 'It names no server: the plan is for the built-in PostgreSQL. Choose another target there.'}
      </Text>
      {check.data?.problems.map((problem) => (
        <Text key={problem.path + problem.message} size="sm" c="var(--bad)">
          To correct in the plan: {problem.message}
        </Text>
      ))}
    </>
  );
}

/** What could not be taken over, each with its reason; nothing where all was. */
export function LeftOutList(props: { leftOut: readonly LeftOut[] }): ReactNode {
  if (props.leftOut.length === 0) return null;
  return (
    <section aria-label="Left out">
      <Text size="sm" fw={600}>
        Left out
      </Text>
      <ul className={classes.leftOut}>
        {props.leftOut.map(({ option, reason, place }) => (
          <li key={`${place?.line} ${option}: ${reason}`}>
            <Code>{option}</Code> {place && `(line ${place.line}) `}
            {reason}
          </li>
        ))}
      </ul>
    </section>
  );
}
