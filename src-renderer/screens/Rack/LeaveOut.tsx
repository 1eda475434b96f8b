import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { RackMember } from '../../../src-shared/model/rack.ts';
import { useAction } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';

/** Why a host shall not count; the reason stands wherever the figures stand. */
export function LeaveOut(props: {
  id: string;
  member: Pick<RackMember, 'hostId' | 'hostName'>;
  onClose: () => void;
}): ReactNode {
  const { member } = props;
  const leave = useAction('racks.leaveOut');
  const [reason, setReason] = useState('');
  return (
    <Modal opened onClose={props.onClose} title={`Leave ${member.hostName} out`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          leave.mutate({ id: props.id, hostId: member.hostId, reason }, { onSuccess: props.onClose });
        }}
      >
        <Stack gap={16}>
          <Text size="sm">
            Mean and median are then those of the other hosts, and say so. Its own figures stay, and it can be
            taken in again.
          </Text>
          <TextInput
            label="Why?"
            description="Shown beside mean and median, e.g. a worn card"
            value={reason}
            maxLength={200}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          {leave.error !== null && <ErrorPanel error={leave.error} />}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={props.onClose}>
              Keep it in
            </Button>
            <Button type="submit" loading={leave.isPending} disabled={reason.trim() === ''}>
              Leave it out
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
