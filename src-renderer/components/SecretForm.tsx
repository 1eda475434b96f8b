import { Button, Group, Modal, PasswordInput, type PasswordInputProps, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type AppError, toAppError } from '../../src-shared/errors.ts';
import { useCommand } from '../api.tsx';
import { ErrorPanel } from './ErrorPanel.tsx';

/** The dialog around fields for passwords: keeps them when it is sent off, and says why where that fails. */
export function SecretForm(props: {
  title: string;
  /** What they are needed for. */
  intro: ReactNode;
  /** The fields. */
  children: ReactNode;
  /** Whether every field has what it needs. */
  complete: boolean;
  keep: () => Promise<unknown>;
  onClose: () => void;
  onKept: () => void;
}): ReactNode {
  const [error, setError] = useState<AppError | null>(null);
  const [pending, setPending] = useState(false);

  async function handleSubmit(): Promise<void> {
    setPending(true);
    try {
      await props.keep();
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
          <Text size="sm">{props.intro}</Text>
          {props.children}
          {error !== null && <ErrorPanel error={error} />}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={pending} disabled={!props.complete}>
              Go on
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** A password; the first one of a form has the focus and says how the app keeps it. */
export function SecretField(
  props: Pick<PasswordInputProps, 'label' | 'error' | 'aria-invalid'> & {
    value: string;
    first: boolean;
    onValue: (value: string) => void;
  },
): ReactNode {
  const { first, onValue, ...input } = props;
  const kept = useCommand('app.info', null).data?.secrets;
  return (
    <PasswordInput
      {...input}
      description={first ? kept?.detail : undefined}
      autoComplete="off"
      onChange={(event) => onValue(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show it' }}
      {...(first && { 'data-autofocus': true })}
    />
  );
}
