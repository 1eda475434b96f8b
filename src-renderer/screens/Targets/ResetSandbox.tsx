import type { ReactNode } from 'react';
import { useAction } from '../../api.tsx';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { toastDone } from '../../components/toasts.tsx';

/** Asks, then deletes the built-in server with everything in it. */
export function ResetSandbox(props: { opened: boolean; onClose: () => void }): ReactNode {
  const reset = useAction('sandbox.reset');
  return (
    <ConfirmDialog
      opened={props.opened}
      title="Reset the sandbox"
      confirmLabel="Delete the sandbox’s databases"
      pending={reset.isPending}
      error={reset.error}
      onConfirm={() =>
        reset.mutate(null, {
          onSuccess: () => {
            props.onClose();
            toastDone('The sandbox is empty. Its next start makes a new server.');
          },
        })
      }
      onClose={() => {
        reset.reset();
        props.onClose();
      }}
    >
      The built-in server stops and its folder is deleted, with every database in it. Runs, plans and targets
      are kept.
    </ConfirmDialog>
  );
}
