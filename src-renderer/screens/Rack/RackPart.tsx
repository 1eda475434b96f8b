import { Anchor, Button, Group, Loader, Progress, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'wouter';
import type { AppError } from '../../../src-shared/errors.ts';
import type { Host } from '../../../src-shared/model/host.ts';
import type { Provisioning, RecipeInfo } from '../../../src-shared/model/provision.ts';
import { useAction } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { MachineChecks } from '../../components/MachineChecks.tsx';
import { paths } from '../../routes.ts';
import { ProvisioningBadge } from '../Provision/ProvisioningBadge.tsx';
import { Steps } from '../Provision/Steps.tsx';
import { UndoButton } from '../Provision/UndoButton.tsx';
import { changeWords, consequences, isAtWork, progress } from '../Provision/words.ts';
import classes from './Rack.module.css';

/** One host of a rack while it is set up: its own state, its own steps and log, its own failure. */
export function RackPart(props: {
  host: Host;
  recipes: readonly RecipeInfo[];
  /** null before it is planned, and where that failed. */
  provisioning: Provisioning | null;
  /** Why it could not be planned. */
  error: AppError | null;
  pending: boolean;
  /** null while it is not known what to plan. */
  onPlan: (() => void) | null;
}): ReactNode {
  const { host, provisioning, error, onPlan } = props;
  return (
    <section className={`panel ${classes.part}`} aria-label={host.name}>
      {provisioning === null || props.pending || error !== null ? (
        <Group gap={12}>
          <h2 className={classes.partTitle}>{host.name}</h2>
          {props.pending && <Loader size="xs" />}
          {props.pending && <Text size="sm">Looking at every step</Text>}
          {!props.pending && error === null && onPlan !== null && (
            <Button size="compact-sm" variant="default" onClick={onPlan}>
              Look at every step
            </Button>
          )}
        </Group>
      ) : (
        <Planned host={host} provisioning={provisioning} recipes={props.recipes} />
      )}
      {!props.pending && error !== null && (
        <>
          <ErrorPanel
            error={error}
            next={onPlan === null ? undefined : { label: 'Try again', onClick: onPlan }}
          />
          <Anchor
            component={Link}
            href={paths.host(host.id)}
            size="sm"
            c="var(--accent-text)"
            underline="always"
          >
            Look at {host.name}
          </Anchor>
        </>
      )}
    </section>
  );
}

function Planned(props: {
  host: Host;
  provisioning: Provisioning;
  recipes: readonly RecipeInfo[];
}): ReactNode {
  const { host, provisioning } = props;
  const { id, status, steps, error, preflight } = provisioning;
  const apply = useAction('provision.apply');
  const cancel = useAction('provision.cancel');
  const failed = preflight.filter(({ result }) => result === 'fail');
  const [opened, setOpened] = useState<boolean | null>(null);
  const show = opened ?? (status === 'failed' || failed.length > 0);
  const undoing = status === 'undoing' || steps.some(({ state }) => state === 'undone');
  const { done, all } = progress(steps, undoing);
  const details = useId();
  const ofStep = steps.some((step) => step.error !== null);
  const refused = apply.error ?? cancel.error;
  return (
    <>
      <Group gap={12}>
        <h2 className={classes.partTitle}>{host.name}</h2>
        <ProvisioningBadge status={status} />
        {status === 'planned' ? (
          <Text size="sm">{[changeWords(steps), ...consequences(steps, host)].join('. ')}.</Text>
        ) : (
          <>
            <Progress
              className={classes.bar}
              value={all === 0 ? 100 : (done / all) * 100}
              aria-label={`Steps that are through on ${host.name}`}
            />
            <Text size="sm" className="num">
              {done} of {all} steps
            </Text>
          </>
        )}
        <Group gap={8} ml="auto">
          {isAtWork(status) && (
            <Button
              size="compact-sm"
              variant="default"
              loading={cancel.isPending}
              aria-label={`Stop on ${host.name}`}
              onClick={() => cancel.mutate({ id })}
            >
              Stop
            </Button>
          )}
          {(status === 'failed' || status === 'cancelled') && !undoing && (
            <Button
              size="compact-sm"
              loading={apply.isPending}
              aria-label={`Resume on ${host.name}`}
              onClick={() => apply.mutate({ id })}
            >
              Resume
            </Button>
          )}
          {!isAtWork(status) && status !== 'planned' && status !== 'undone' && (
            <UndoButton host={host} provisioning={provisioning} />
          )}
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={
              show ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />
            }
            aria-expanded={show}
            aria-controls={details}
            aria-label={`Steps of ${host.name}`}
            onClick={() => setOpened(!show)}
          >
            Steps
          </Button>
        </Group>
      </Group>
      {failed.length > 0 && status === 'planned' && (
        <MachineChecks checks={failed} label={`In the way on ${host.name}`} />
      )}
      {status === 'failed' && error !== null && !ofStep && <ErrorPanel error={error} />}
      {refused !== null && <ErrorPanel error={refused} />}
      {provisioning.targetId !== null && status === 'done' && (
        <Anchor
          component={Link}
          href={paths.target(provisioning.targetId)}
          size="sm"
          c="var(--accent-text)"
          underline="always"
        >
          Its database is a target now
        </Anchor>
      )}
      {show && (
        <div id={details}>
          <Steps steps={steps} recipes={props.recipes} brief={status !== 'planned'} />
        </div>
      )}
    </>
  );
}
