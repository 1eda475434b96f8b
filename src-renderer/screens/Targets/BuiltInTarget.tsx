import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { builtInTargets, type Target } from '../../../src-shared/model/target.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Page } from '../../components/Page.tsx';
import { useCancellable } from '../../components/useCancellable.ts';
import { Waiting } from '../../components/Waiting.tsx';
import { paths } from '../../routes.ts';
import { ResetSandbox } from './ResetSandbox.tsx';
import { ServerFacts } from './ServerFacts.tsx';

/** A target that came with Benchberry: nothing to fill in, something to try. */
export function BuiltInTarget(props: { target: Target; description: string }): ReactNode {
  const { target } = props;
  const [resetting, setResetting] = useState(false);
  const test = useCancellable('targets.test');
  const server = test.data ?? target.lastSeen;
  const testIt = () => void test.start({ id: target.id, secret: null });
  return (
    <Page
      title={target.name}
      crumbs={[{ label: 'Targets', href: paths.targets }]}
      actions={
        <Button component={Link} href={paths.newPlanOn(target.name)}>
          New benchmark on {target.name}
        </Button>
      }
    >
      <Stack gap={16}>
        <Text>{props.description}</Text>
        <Group gap={8}>
          <Button
            variant="default"
            // Not `disabled`: that would throw the focus away.
            aria-disabled={test.pending}
            data-disabled={test.pending}
            onClick={() => test.pending || testIt()}
          >
            Test connection
          </Button>
          {target.id === builtInTargets.sandbox && (
            <Button variant="default" onClick={() => setResetting(true)}>
              Reset
            </Button>
          )}
        </Group>
        {test.startedAt !== null && (
          <Waiting doing={`Connecting to ${target.name}`} startedAt={test.startedAt} onCancel={test.cancel} />
        )}
        {test.error !== null && (
          <ErrorPanel error={test.error} next={{ label: 'Try again', onClick: testIt }} />
        )}
        {server !== null && !test.pending && test.error === null && (
          <ServerFacts server={server} seenAt={test.data === null ? target.lastSeenAt : null} />
        )}
      </Stack>
      <ResetSandbox opened={resetting} onClose={() => setResetting(false)} />
    </Page>
  );
}
