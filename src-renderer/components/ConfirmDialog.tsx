import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AppError } from '../../src-shared/errors.ts';
import { ErrorPanel } from './ErrorPanel.tsx';

/**
 * Asks before something is lost for good. `children` says what will be lost; with `typeName` the name has to be typed.
 * The dialog stays open with the error if the act fails.
 */
export function ConfirmDialog(props: {
  opened: boolean;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  typeName?: string;
  pending: boolean;
  error: AppError | null;
  onConfirm: () => void;
  onClose: () => void;
}): ReactNode {
  const [typed, setTyped] = useState('');
  const ready = props.typeName === undefined || typed === props.typeName;
  function handleClose(): void {
    setTyped('');
    props.onClose();
  }
  return (
    <Modal opened={props.opened} onClose={handleClose} title={props.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) props.onConfirm();
        }}
      >
        <Stack gap={16}>
          <Text component="div">{props.children}</Text>
          {props.typeName !== undefined && (
            <TextInput
              label={`Type ${props.typeName} to go on`}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
            />
          )}
          {props.error !== null && <ErrorPanel error={props.error} />}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={handleClose} data-autofocus>
              Keep
            </Button>
            <Button type="submit" disabled={!ready} loading={props.pending}>
              {props.confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
