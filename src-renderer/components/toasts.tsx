import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { describeError, toAppError } from '../../src-shared/errors.ts';

const closeButtonProps = { 'aria-label': 'Close this message' };

/** Says what was done and offers to take it back. `undo` puts everything as it was. */
export function toastUndo(text: string, undo: () => Promise<unknown>): void {
  const id = crypto.randomUUID();
  notifications.show({
    id,
    autoClose: 10_000,
    withCloseButton: true,
    closeButtonProps,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{text}</Text>
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id);
            undo().catch(toastError);
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}

/** Something was done; nothing to decide. */
export function toastDone(text: string): void {
  notifications.show({ message: text, autoClose: 5000, closeButtonProps });
}

/** An act failed whose screen may be gone by now. Stays until closed. */
export function toastError(error: unknown): void {
  const known = toAppError(error);
  notifications.show({
    color: 'red',
    title: known.message,
    message: describeError({ ...known.toData(), message: '' }).trim(),
    autoClose: false,
    closeButtonProps,
  });
}
