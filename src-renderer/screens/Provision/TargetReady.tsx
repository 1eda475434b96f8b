import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlayerPlayFilled } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import type { Target } from '../../../src-shared/model/target.ts';
import { useCommand } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { StartFailed, useStartRun } from '../../components/StartRun.tsx';
import { useCancellable } from '../../components/useCancellable.ts';
import { Waiting } from '../../components/Waiting.tsx';
import { paths } from '../../routes.ts';
import { ServerFacts } from '../Targets/ServerFacts.tsx';
import classes from './Provision.module.css';

/** The database that came out of it: a target already, tested at once, and a run one click away. */
export function TargetReady(props: { targetId: string }): ReactNode {
  const targets = useCommand('targets.list', null).data;
  const target = targets?.find(({ id }) => id === props.targetId);
  if (target !== undefined) return <Ready target={target} />;
  if (targets === undefined) return null;
  return (
    <Text size="sm" c="dimmed">
      Its target was removed from the list of targets since.
    </Text>
  );
}

function Ready(props: { target: Target }): ReactNode {
  const { target } = props;
  const { start, cancel, startedAt, error, data } = useCancellable('targets.test');
  const plans = useCommand('plans.list', null).data;
  const quick = plans?.find(({ id }) => id === 'sample:quick');
  const run = useStartRun();
  const test = () => void start({ id: target.id, secret: null });
  useEffect(() => void start({ id: target.id, secret: null }), [start, target.id]);

  return (
    <Stack gap={12} component="section" className="panel" aria-label="The database">
      <h3 className={classes.small}>The database is the target {target.name}</h3>
      {startedAt !== null && (
        <Waiting doing={`Connecting to ${target.name}`} startedAt={startedAt} onCancel={cancel} />
      )}
      {error !== null && <ErrorPanel error={error} next={{ label: 'Try again', onClick: test }} />}
      {data !== null && <ServerFacts server={data} seenAt={null} />}
      <Group gap={8}>
        {quick !== undefined && (
          <Button
            leftSection={<IconPlayerPlayFilled size={16} aria-hidden />}
            loading={run.pending}
            onClick={() =>
              run.start({ ...quick.plan, name: 'Quick look at TSBS', target: target.name }, target)
            }
          >
            Run the quick benchmark on {target.name}
          </Button>
        )}
        <Button variant="default" component={Link} href={paths.newPlanOn(target.name)}>
          Choose a benchmark
        </Button>
        <Button variant="default" disabled={startedAt !== null} onClick={test}>
          Test connection
        </Button>
      </Group>
      {run.error !== null && <StartFailed error={run.error} />}
      {run.dialog}
    </Stack>
  );
}
