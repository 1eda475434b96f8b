import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ConfigPlan } from '../../../src-shared/contract/commands.ts';
import classes from './Plans.module.css';
import { LeftOutList, PlanPreview } from './ReadPlan.tsx';

type Mistake = ConfigPlan['mistakes'][number];

/** What of a configuration of `tsbs_load` is in the plan, what is not, and which of its lines are to be corrected. */
export function ConfigOutcome(props: {
  read: ConfigPlan;
  onGo: (line: number, column: number) => void;
  /** Puts the fixes into the text. */
  onCorrect: (mistakes: readonly Mistake[]) => void;
}): ReactNode {
  const { plan, serverNamed, taken, leftOut, mistakes } = props.read;
  const fixable = mistakes.filter(({ fix }) => fix !== null);
  return (
    <Stack gap={8} aria-live="polite">
      <PlanPreview plan={plan} serverNamed={serverNamed} />
      {mistakes.length > 0 && (
        <section aria-label="Lines to correct" className={classes.mistakes}>
          <Text size="sm" fw={600}>
            {mistakes.length === 1
              ? '1 line is passed over, all others are read'
              : `${mistakes.length} lines are passed over, all others are read`}
          </Text>
          <ul className={classes.items}>
            {mistakes.map((mistake) => (
              <li key={`${mistake.line} ${mistake.column}`} className={classes.item}>
                <IconAlertTriangle size={16} aria-hidden color="var(--warn)" />
                <span>
                  <button
                    type="button"
                    className={classes.place}
                    onClick={() => props.onGo(mistake.line, mistake.column)}
                  >
                    Line {mistake.line}, column {mistake.column}
                  </button>{' '}
                  {mistake.message}. {mistake.fix === null ? mistake.hint : 'It should be:'}
                  {mistake.fix !== null && <Code block>{dedented(mistake.fix)}</Code>}
                </span>
              </li>
            ))}
          </ul>
          {fixable.length > 0 && (
            <Group mt={8}>
              <Button variant="default" onClick={() => props.onCorrect(fixable)}>
                {fixable.length === 1 ? 'Correct this line' : `Correct these ${fixable.length} lines`}
              </Button>
            </Group>
          )}
        </section>
      )}
      <LeftOutList leftOut={leftOut} />
      {taken.length > 0 && (
        <details>
          <summary className={classes.summary}>
            {taken.length === 1 ? '1 key is taken over' : `${taken.length} keys are taken over`}
          </summary>
          <table className={classes.taken}>
            <thead>
              <tr>
                <th scope="col">In the file</th>
                <th scope="col">In the plan</th>
              </tr>
            </thead>
            <tbody>
              {taken.map(({ option, parameter, value }) => (
                <tr key={option}>
                  <td>{option}</td>
                  <td>{parameter === '' ? 'as it is anyway' : `${parameter}: ${JSON.stringify(value)}`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </Stack>
  );
}

function dedented(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n');
}

/** The text with the lines of the mistakes put right. */
export function corrected(text: string, mistakes: readonly Mistake[]): string {
  const fixes = new Map(mistakes.map(({ line, fix }) => [line, fix]));
  return text
    .split('\n')
    .map((line, index) => fixes.get(index + 1) ?? line)
    .join('\n');
}
