import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AppError } from '../../src-shared/errors.ts';
import type { MachineCheck } from '../../src-shared/model/host.ts';
import { MachineChecks } from './MachineChecks.tsx';
import { Waiting } from './Waiting.tsx';

/** The gate before a run: what is looked at and waited for on the host, and the way past it with a note. */
export function GateDialog(props: {
  hostName: string;
  /** The last answer; null before the first. */
  checks: readonly MachineCheck[] | null;
  /** `Date.now()` of the start; null once it was refused. */
  startedAt: number | null;
  refused: AppError | null;
  onCancel: () => void;
  onAgain: () => void;
  onOverride: (note: string) => void;
}): ReactNode {
  const { hostName, checks, refused, startedAt } = props;
  const [note, setNote] = useState('');
  const waiting = checks?.filter(({ result }) => result === 'wait') ?? [];
  const doing =
    waiting.length === 0
      ? `Looking at ${hostName}`
      : `Waiting for ${waiting.map(({ title }) => title.toLowerCase()).join(', ')}`;
  return (
    <Modal opened size="lg" onClose={props.onCancel} title={`Is ${hostName} ready for a run?`}>
      <Stack gap={16}>
        {startedAt !== null && <Waiting doing={doing} startedAt={startedAt} onCancel={props.onCancel} />}
        {refused !== null && (
          <Text role="alert">
            <b>{refused.message}.</b> Figures taken now would be hard to compare with others.
          </Text>
        )}
        {checks !== null && <MachineChecks checks={checks} label={`What was looked at on ${hostName}`} />}
        {(waiting.length > 0 || refused !== null) && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (note.trim() !== '') props.onOverride(note.trim());
            }}
          >
            <TextInput
              label="Begin all the same, because"
              description="The note is kept with the run, beside what had not passed."
              maxLength={500}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
            <Group justify="flex-end" gap={8} mt={12}>
              {refused !== null && (
                <>
                  <Button variant="default" onClick={props.onCancel}>
                    Cancel
                  </Button>
                  <Button variant="default" onClick={props.onAgain}>
                    Look again
                  </Button>
                </>
              )}
              <Button type="submit" disabled={note.trim() === ''}>
                Begin all the same
              </Button>
            </Group>
          </form>
        )}
      </Stack>
    </Modal>
  );
}
