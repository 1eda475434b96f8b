import { useCallback } from 'react';
import type { CommandOutput } from '../../../src-shared/contract/commands.ts';
import type { AppError } from '../../../src-shared/errors.ts';
import type { HostKey, Inventory } from '../../../src-shared/model/host.ts';
import { useAction } from '../../api.tsx';
import { useCancellable } from '../../components/useCancellable.ts';

export interface SignIn {
  /** Looks at the host's key and, where it is the pinned one, signs in and reads the inventory. */
  start: () => Promise<void>;
  /** Pins the key that was shown, and goes on. */
  trust: (key: HostKey) => Promise<void>;
  cancel: () => void;
  /** What is being done; null while nothing is. */
  doing: { what: 'key' | 'inventory'; startedAt: number } | null;
  /** A key that nobody vouched for yet, or that is not the pinned one; null where there is nothing to decide. */
  question: CommandOutput<'hosts.key'> | null;
  error: AppError | null;
  inventory: Inventory | null;
}

/** The way into a host: its key first, then the inventory. */
export function useSignIn(id: string): SignIn {
  const key = useCancellable('hosts.key');
  const inventory = useCancellable('hosts.inventory');
  const pin = useAction('hosts.trust');
  const undecided = key.data?.standing === 'new' || key.data?.standing === 'changed';

  const { start: askKey } = key;
  const { start: readInventory, clear: forgetInventory } = inventory;
  const { reset: forgetPin } = pin;
  const start = useCallback(async (): Promise<void> => {
    forgetPin();
    forgetInventory();
    const shown = await askKey({ id });
    if (shown?.standing === 'pinned' || shown?.standing === 'known-hosts') await readInventory({ id });
  }, [id, askKey, readInventory, forgetInventory, forgetPin]);

  async function trust(shown: HostKey): Promise<void> {
    const pinned = await pin.mutateAsync({ id, key: shown }).catch(() => null); // shown from pin.error
    if (pinned === null) return;
    key.clear();
    await inventory.start({ id });
  }

  const doing =
    key.startedAt !== null
      ? { what: 'key' as const, startedAt: key.startedAt }
      : inventory.startedAt !== null
        ? { what: 'inventory' as const, startedAt: inventory.startedAt }
        : null;
  return {
    start,
    trust,
    cancel: () => {
      key.cancel();
      inventory.cancel();
    },
    doing,
    question: undecided ? key.data : null,
    error: key.error ?? pin.error ?? inventory.error,
    inventory: inventory.data,
  };
}
