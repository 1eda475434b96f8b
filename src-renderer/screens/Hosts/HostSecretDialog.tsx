import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Host } from '../../../src-shared/model/host.ts';
import { useAction, useCommand } from '../../api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';

/** Asks for what is needed to sign in or to become root, and keeps it as the app keeps passwords. */
export function HostSecretDialog(props: {
  host: Pick<Host, 'id' | 'name' | 'user' | 'auth'>;
  kind: 'login' | 'sudo';
  /** What was wrong with the one before. */
  complaint?: string | undefined;
  onClose: () => void;
  onKept: () => void;
}): ReactNode {
  const { host, kind } = props;
  const keep = useAction('hosts.setSecret');
  const secrets = useCommand('app.info', null).data?.secrets;
  const [secret, setSecret] = useState('');
  const label =
    kind === 'sudo' ? 'Password for sudo' : host.auth.method === 'key' ? 'Passphrase of the key' : 'Password';

  return (
    <Modal opened onClose={props.onClose} title={`${label} on ${host.name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          keep.mutate({ id: host.id, kind, secret }, { onSuccess: props.onKept });
        }}
      >
        <Stack gap={16}>
          <Text size="sm">
            {kind === 'sudo'
              ? `${host.user} may become root on ${host.name} with a password; it is usually the one of the sign-in.`
              : `It is needed to sign in to ${host.name} as ${host.user}.`}
          </Text>
          <PasswordInput
            label={label}
            description={secrets?.detail}
            value={secret}
            error={props.complaint}
            aria-invalid={props.complaint !== undefined || undefined}
            autoComplete="off"
            onChange={(event) => setSecret(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show it' }}
            data-autofocus
          />
          {keep.error !== null && <ErrorPanel error={keep.error} />}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={keep.isPending} disabled={secret === ''}>
              Go on
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
