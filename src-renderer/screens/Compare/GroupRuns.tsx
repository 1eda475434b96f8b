import { Button, Group, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Run } from '../../../src-shared/model/run.ts';
import { notCounted } from '../../../src-shared/stats/sides.ts';
import { numberWord } from '../../../src-shared/stats/words.ts';
import { useAction, useApi } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { HeadRate } from '../../components/HeadRate.tsx';
import { toastUndo } from '../../components/toasts.tsx';
import { RunVerdicts } from '../../components/VerdictBadge.tsx';
import { paths } from '../../routes.ts';
import classes from './Compare.module.css';
import type { Side } from './useSides.ts';

/** The runs of a group; those that do not count say why, and one can be left out or taken in again. */
export function GroupRuns(props: { side: Side }): ReactNode {
  const { runs, counted, label } = props.side;
  const [leaving, setLeaving] = useState<Run | null>(null);
  const out = runs.length - counted.length;
  const words = `${numberWord(counted.length)} ${counted.length === 1 ? 'run' : 'runs'}${out > 0 ? `, ${numberWord(out)} left out` : ''}`;
  return (
    // Left-out runs are never hidden.
    <details className={classes.members} open={out > 0 || undefined}>
      <summary>
        {words.slice(0, 1).toUpperCase()}
        {words.slice(1)}
      </summary>
      <ol>
        {runs.map((run, i) => (
          <li key={run.id} data-out={notCounted(run) !== null || undefined}>
            <Link href={paths.run(run.id)}>Run {i + 1}</Link>
            <span className="num">
              <HeadRate head={run} />
            </span>
            <RunVerdicts head={run} />
            <Counting run={run} name={`run ${i + 1} of ${label}`} onLeave={() => setLeaving(run)} />
          </li>
        ))}
      </ol>
      {leaving && <LeaveOut run={leaving} onClose={() => setLeaving(null)} />}
    </details>
  );
}

function Counting(props: { run: Run; name: string; onLeave: () => void }): ReactNode {
  const { run, name } = props;
  const leaveOut = useAction('runs.leaveOut');
  const reason = notCounted(run);
  if (reason === null) {
    return (
      <UnstyledButton
        className={classes.leave ?? ''}
        aria-label={`Leave out ${name}`}
        onClick={props.onLeave}
      >
        Leave out
      </UnstyledButton>
    );
  }
  return (
    <Text component="span" size="xs">
      Left out: {reason}{' '}
      {run.leftOut !== undefined && (
        <UnstyledButton
          className={classes.leave ?? ''}
          aria-label={`Take in ${name}`}
          onClick={() => leaveOut.mutate({ id: run.id, reason: null })}
        >
          Take in
        </UnstyledButton>
      )}
    </Text>
  );
}

function LeaveOut(props: { run: Run; onClose: () => void }): ReactNode {
  const { run, onClose } = props;
  const api = useApi();
  const [reason, setReason] = useState('');
  const leaveOut = useAction('runs.leaveOut');
  const said = reason.trim();
  return (
    <Modal opened onClose={onClose} title="Leave a run out of its group">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          leaveOut.mutate(
            { id: run.id, reason: said },
            {
              onSuccess: () => {
                onClose();
                toastUndo(`${run.name} left out`, () =>
                  api.call('runs.leaveOut', { id: run.id, reason: null }),
                );
              },
            },
          );
        }}
      >
        <Stack gap={16}>
          <Text size="sm">
            It is kept, but counts in no comparison of its group. The reason is shown wherever the figures of
            the group are. A run that is merely slow belongs in: leaving it out makes the group look better
            than it is.
          </Text>
          <TextInput
            label="Reason"
            placeholder="The fan had come off"
            value={reason}
            maxLength={200}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          {leaveOut.error !== null && <ErrorPanel error={leaveOut.error} />}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              Keep it in
            </Button>
            <Button type="submit" disabled={said === ''} loading={leaveOut.isPending}>
              Leave it out
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
