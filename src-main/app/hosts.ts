import { randomUUID } from 'node:crypto';
import type { Host, HostDraft } from '../../src-shared/model/host.ts';
import type { AppContext, HandlersOf } from './context.ts';
import type { HostDirectory } from './hostDirectory.ts';

export function hostHandlers({ store, now }: AppContext, directory: HostDirectory): HandlersOf<'hosts'> {
  async function save({ secret, ...draft }: HostDraft): Promise<Host> {
    const before = draft.id === null ? null : await directory.get(draft.id);
    const id = draft.id ?? randomUUID();
    // Key and inventory belong to the place they were read from.
    const samePlace = before !== null && before.address === draft.address && before.port === draft.port;
    store.hosts.save({
      ...draft,
      id,
      hostKey: samePlace ? before.hostKey : null,
      inventory: samePlace ? before.inventory : null,
      createdAt: before?.createdAt ?? now().toISOString(),
    });
    if (secret !== null) await directory.setSecret(id, 'login', secret);
    // A password is no passphrase of a key.
    else if (before && before.auth.method !== draft.auth.method) await directory.setSecret(id, 'login', '');
    return directory.get(id);
  }

  return {
    'hosts.list': () => directory.list(),
    'hosts.save': save,
    async 'hosts.remove'({ id }) {
      await directory.get(id);
      // Its secrets stay until it is purged, so that the removal can be undone.
      store.hosts.remove(id);
      return null;
    },
    async 'hosts.restore'({ id }) {
      store.hosts.restore(id);
      return directory.get(id);
    },
    async 'hosts.setSecret'({ id, kind, secret }) {
      await directory.get(id);
      await directory.setSecret(id, kind, secret);
      return null;
    },
  };
}
