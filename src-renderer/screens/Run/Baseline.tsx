import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Run } from '../../../src-shared/model/run.ts';
import { useApi, useCommand } from '../../api.tsx';
import { toastError } from '../../components/toasts.tsx';
import { paths } from '../../routes.ts';
import { VerdictMark } from '../Compare/VerdictMark.tsx';

/** Makes the run, or the repeats that it is one of, what further runs of its plan are held against; pressed again it is no more. */
export function BaselineStar(props: { run: Pick<Run, 'id' | 'plan'> }): ReactNode {
  const { run } = props;
  const api = useApi();
  const { data } = useCommand('baselines.ofRun', { runId: run.id });
  if (data === undefined) return null;
  const { side, runs, isBaseline } = data;
  const plan = run.plan.name;
  const change = () =>
    (isBaseline ? api.call('baselines.clear', { plan }) : api.call('baselines.set', { side })).catch(
      toastError,
    );
  const Icon = isBaseline ? IconStarFilled : IconStar;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<Icon size={14} aria-hidden />}
      aria-pressed={isBaseline}
      title={
        isBaseline
          ? `Further runs of ${plan} are held against ${runs === 1 ? 'this run' : `these ${runs} runs`}. Press to end that.`
          : `Further runs of ${plan} are held against ${runs === 1 ? 'this run' : `this run and its repeats, ${runs} in all`}`
      }
      onClick={() => void change()}
    >
      {isBaseline ? 'Baseline' : 'Make it the baseline'}
    </Button>
  );
}

/** What the run comes to against the baseline of its plan, without being asked; nothing where there is none. */
export function AgainstBaseline(props: { runId: string }): ReactNode {
  const found = useCommand('baselines.compare', { runId: props.runId }).data;
  if (found === undefined || found === null) return null;
  const { baseline, side, comparison } = found;
  const verdict = comparison.verdicts[1] ?? null;
  return (
    <Group gap={8} mt={4} wrap="wrap" role="group" aria-label="Against the baseline">
      {verdict !== null && <VerdictMark verdict={verdict} short />}
      <Text size="sm">vs baseline: {verdict?.sentence ?? 'no rate in common'}</Text>
      <Anchor
        component={Link}
        href={paths.compare([baseline.side, side])}
        size="sm"
        c="var(--accent-text)"
        underline="always"
      >
        Compare
      </Anchor>
    </Group>
  );
}
