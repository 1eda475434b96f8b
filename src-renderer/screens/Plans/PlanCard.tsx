import { ActionIcon, Anchor, Button, Group, Menu, Text } from '@mantine/core';
import { IconCopyPlus, IconDots, IconFileExport, IconPlayerPlayFilled, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { SavedPlan } from '../../../src-shared/model/plan.ts';
import { useAction, useCommand } from '../../api.tsx';
import type { StartRun } from '../../components/StartRun.tsx';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import { toastDone, toastError } from '../../components/toasts.tsx';
import { paths } from '../../routes.ts';
import classes from './Plans.module.css';
import { useDeletePlan } from './useDeletePlan.ts';
import { usePlanTarget } from './usePlanTarget.ts';
import { YamlDialog } from './YamlDialog.tsx';

/** One plan: what it does in one sentence, and the button that does it. */
export function PlanCard(props: { saved: SavedPlan; run: StartRun }): ReactNode {
  const { saved, run } = props;
  const { plan } = saved;
  const [, navigate] = useLocation();
  const [showYaml, setShowYaml] = useState(false);
  const judged = useCommand('plans.validate', { plan }).data;
  const save = useAction('plans.save');
  const remove = useDeletePlan();
  const { target } = usePlanTarget(plan.target);
  const runnable = target !== undefined && judged !== undefined && judged.problems.length === 0;

  function handleDuplicate(): void {
    const copy = { ...plan, name: `${plan.name}, copy`.slice(0, 200) };
    save.mutate(
      { id: null, plan: copy },
      {
        onSuccess: ({ id }) => {
          toastDone(`${copy.name} is saved among your plans`);
          navigate(paths.plan(id));
        },
        onError: toastError,
      },
    );
  }

  return (
    <article className={classes.card}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap={8}>
        <Anchor
          component={Link}
          href={paths.plan(saved.id)}
          fw={600}
          c="inherit"
          className={classes.cardName}
        >
          {plan.name}
        </Anchor>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`What can be done with ${plan.name}`}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconCopyPlus size={16} aria-hidden />} onClick={handleDuplicate}>
              Duplicate
            </Menu.Item>
            <Menu.Item
              leftSection={<IconFileExport size={16} aria-hidden />}
              onClick={() => setShowYaml(true)}
            >
              Show as YAML
            </Menu.Item>
            {!saved.sample && (
              <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={() => remove(saved)}>
                Delete
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Text size="sm" className={classes.cardText}>
        {judged === undefined
          ? ' '
          : judged.problems.length > 0
            ? `Has ${judged.problems.length === 1 ? 'a value' : `${judged.problems.length} values`} to correct before it can run.`
            : judged.summary}
      </Text>
      <Group justify="space-between" gap={8} mt={8}>
        <Text size="xs" c="dimmed">
          on {target?.name ?? plan.target}
          {!saved.sample && (
            <>
              {' · changed '}
              <TimeAgo iso={saved.updatedAt} />
            </>
          )}
        </Text>
        {runnable ? (
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<IconPlayerPlayFilled size={12} aria-hidden />}
            disabled={run.pending}
            aria-label={`Run ${plan.name}`}
            onClick={() => run.start(plan, target)}
          >
            Run
          </Button>
        ) : (
          <Button size="compact-sm" variant="default" component={Link} href={paths.plan(saved.id)}>
            Open
          </Button>
        )}
      </Group>
      {showYaml && <YamlDialog plan={plan} onClose={() => setShowYaml(false)} />}
    </article>
  );
}
