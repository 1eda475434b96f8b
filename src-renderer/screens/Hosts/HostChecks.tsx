import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DatedChecks, Host, MachineCheck } from '../../../src-shared/model/host.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { MachineChecks } from '../../components/MachineChecks.tsx';
import { TimeAgo } from '../../components/TimeAgo.tsx';
import { type Cancellable, useCancellable } from '../../components/useCancellable.ts';
import { Waiting } from '../../components/Waiting.tsx';
import classes from './Hosts.module.css';

/** Is the machine ready for a run, and what can it do? */
export function HostChecks(props: { host: Host }): ReactNode {
  const { host } = props;
  const gate = useCancellable('hosts.gate');
  const checks = useCancellable('hosts.checks');
  return (
    <div className={classes.stack}>
      <CheckPanel
        title="May a run begin?"
        about="Looks at temperature, throttling, what else is running, and the clock. Takes some seconds."
        button="Look now"
        doing={`Looking at ${host.name}`}
        call={gate}
        last={host.gate}
        onStart={() => void gate.start({ id: host.id })}
      />
      <CheckPanel
        title="What can it do?"
        about="Measures the disk, its fsync, the network and the processor’s clock. Takes up to a minute, and leaves nothing behind."
        button="Measure"
        doing={`Measuring ${host.name}`}
        call={checks}
        last={host.measured}
        onStart={() => void checks.start({ id: host.id })}
      />
    </div>
  );
}

function CheckPanel(props: {
  title: string;
  about: string;
  button: string;
  doing: string;
  call: Pick<
    Cancellable<'hosts.gate' | 'hosts.checks'>,
    'startedAt' | 'error' | 'data' | 'cancel' | 'pending'
  >;
  /** Of the last time; null before. */
  last: DatedChecks | null;
  onStart: () => void;
}): ReactNode {
  const { call } = props;
  const shown = call.data ?? (call.pending ? null : props.last?.checks);
  return (
    <section className="panel" aria-label={props.title}>
      <Group justify="space-between" wrap="nowrap" align="start" mb={8}>
        <div>
          <h2 className={classes.asideTitle}>{props.title}</h2>
          <Text size="sm" c="dimmed">
            {props.about}
          </Text>
        </div>
        <Button variant="default" disabled={call.pending} onClick={props.onStart}>
          {props.button}
        </Button>
      </Group>
      {call.startedAt !== null && (
        <Waiting doing={props.doing} startedAt={call.startedAt} onCancel={call.cancel} />
      )}
      {call.error !== null && (
        <ErrorPanel error={call.error} next={{ label: 'Try again', onClick: props.onStart }} />
      )}
      {shown && (
        <>
          <Text role="status" fw={600}>
            {sum(shown)}
            {call.data === null && props.last !== null && (
              <Text span size="sm" c="dimmed" fw={400}>
                {' '}
                <TimeAgo iso={props.last.at} />
              </Text>
            )}
          </Text>
          <MachineChecks checks={shown} label={props.title} figures />
        </>
      )}
    </section>
  );
}

function sum(checks: readonly MachineCheck[]): string {
  const count = (result: MachineCheck['result']) => checks.filter((check) => check.result === result).length;
  const parts = [
    count('fail') > 0 && `${count('fail')} in the way`,
    count('wait') > 0 && `${count('wait')} to wait for`,
    count('warn') > 0 && `${count('warn')} worth a look`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'Nothing in the way' : parts.join(', ');
}
