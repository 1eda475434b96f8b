import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type AppError, toAppError } from '../../src-shared/errors.ts';
import { useCommand } from '../api.tsx';
import { ErrorPanel } from './ErrorPanel.tsx';

/** Asks for a password and keeps it as the app keeps passwords. */
export function SecretDialog(props: {
  /** With what it is for: `Password for rpi-5`. */
  title: string;
  label: string;
  /** Why it is asked for. */
  children: ReactNode;
  /** What was wrong with the one before. */
  complaint?: string | undefined;
  keep: (secret: string) => Promise<unknown>;
  onClose: () => void;
  onKept: () => void;
}): ReactNode {
  const secrets = useCommand('app.info', null).data?.secrets;
  const [secret, setSecret] = useState('');
  const [error, setError] = useState<AppError | null>(null);
  const [pending, setPending] = useState(false);

  async function handleSubmit(): Promise<void> {
    setPending(true);
    try {
      await props.keep(secret);
    } catch (thrown) {
      setError(toAppError(thrown));
      setPending(false);
      return;
    }
    props.onKept();
  }

  return (
    <Modal opened onClose={props.onClose} title={props.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void handleSubmit();
        }}
      >
        <Stack gap={16}>
          <Text size="sm">{props.children}</Text>
          <PasswordInput
            label={props.label}
            description={secrets?.detail}
            value={secret}
            error={props.complaint}
            aria-invalid={props.complaint !== undefined || undefined}
            autoComplete="off"
            onChange={(event) => setSecret(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show it' }}
            data-autofocus
          />
          {error !== null && <ErrorPanel error={error} />}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={pending} disabled={secret === ''}>
              Go on
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
