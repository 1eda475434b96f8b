import { Button, Group, Progress, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Host } from '../../../src-shared/model/host.ts';
import type { Provisioning, RecipeInfo } from '../../../src-shared/model/provision.ts';
import { useAction } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { MissingSecret, missingSecret } from './MissingSecret.tsx';
import classes from './Provision.module.css';
import { ProvisioningBadge } from './ProvisioningBadge.tsx';
import { Steps } from './Steps.tsx';
import { UndoButton } from './UndoButton.tsx';
import { isAtWork, progress } from './words.ts';

/** The steps as they are made or taken back, with their logs; it can be left, stopped and resumed. */
export function ApplyStage(props: {
  host: Host;
  provisioning: Provisioning;
  recipes: readonly RecipeInfo[];
}): ReactNode {
  const { host, provisioning } = props;
  const { id, status, steps, error } = provisioning;
  const apply = useAction('provision.apply');
  const undo = useAction('provision.undo');
  const cancel = useAction('provision.cancel');
  const [asking, setAsking] = useState(false);
  const undoing = status === 'undoing' || steps.some(({ state }) => state === 'undone');
  const { done, all } = progress(steps, undoing);
  const resume = () => apply.mutate({ id });
  const waiting = provisioning.preflight.find(({ result }) => result === 'wait');
  const ofStep = steps.find((step) => step.error !== null);
  const secret = missingSecret(error);
  const refused = apply.error ?? undo.error ?? cancel.error;

  return (
    <div className={classes.stack}>
      <Group gap={12}>
        <ProvisioningBadge status={status} />
        <Progress
          className={classes.bar}
          value={all === 0 ? 100 : (done / all) * 100}
          aria-label="Steps that are through"
        />
        <Text size="sm" className="num">
          {done} of {all} steps
        </Text>
        <Group gap={8} ml="auto">
          {isAtWork(status) && (
            <Button
              variant="default"
              loading={cancel.isPending}
              title="What is made stays; it can be resumed or undone"
              onClick={() => cancel.mutate({ id })}
            >
              Stop
            </Button>
          )}
          {(status === 'failed' || status === 'cancelled') && (
            <>
              <UndoButton host={host} provisioning={provisioning} />
              {!undoing && (
                <Button loading={apply.isPending} onClick={resume}>
                  Resume
                </Button>
              )}
            </>
          )}
        </Group>
      </Group>
      {status === 'applying' && (
        <Text size="sm" c="dimmed">
          {waiting === undefined
            ? 'This goes on when you leave this screen, and on the host also when the connection is lost.'
            : `Waiting: ${waiting.detail}`}
        </Text>
      )}
      {status === 'cancelled' && (
        <Text size="sm" c="dimmed">
          Stopped before all was done. What was made by then is marked; Resume goes on with the rest.
        </Text>
      )}
      {status === 'failed' && error !== null && (ofStep === undefined || secret !== null) && (
        <ErrorPanel
          error={error}
          next={secret === null ? undefined : { label: 'Give the password', onClick: () => setAsking(true) }}
        />
      )}
      {refused !== null && <ErrorPanel error={refused} />}
      <Steps steps={steps} recipes={props.recipes} brief />
      {asking && error !== null && (
        <MissingSecret
          host={host}
          provisioning={provisioning}
          error={error}
          onClose={() => setAsking(false)}
          onKept={() => {
            setAsking(false);
            // What was begun to be taken back goes on being taken back.
            if (undoing) undo.mutate({ id });
            else resume();
          }}
        />
      )}
    </div>
  );
}
