import { AppError } from '../../src-shared/errors.ts';
import type { Host, Inventory } from '../../src-shared/model/host.ts';
import { readInventory } from '../hosts/inventory/readInventory.ts';
import type { Remote } from '../hosts/remote.ts';
import { openRemote } from '../hosts/ssh/index.ts';
import type { StoredHost } from '../store/repositories.ts';
import type { AppContext } from './context.ts';

export type HostSecret = 'login' | 'sudo';

/** The saved hosts, with their secrets and the way in. */
export interface HostDirectory {
  list(): Promise<Host[]>;
  /** @throws AppError `not-found` */
  get(id: string): Promise<Host>;
  /** Keeps it, or forgets it where it is empty. */
  setSecret(id: string, kind: HostSecret, secret: string): Promise<void>;
  /** Signs in. @throws AppError of `openRemote` */
  connect(id: string, signal: AbortSignal): Promise<Remote>;
  /** Reads what the host is, and keeps it. */
  inventory(id: string, remote: Remote, signal: AbortSignal): Promise<Inventory>;
}

const secretId = (id: string, kind: HostSecret) => `host-${kind}-${id}`;

/** Under which the secret store keeps what belongs to a host. */
export const hostSecretIds = (id: string): string[] => [secretId(id, 'login'), secretId(id, 'sudo')];

export function createHostDirectory({
  store,
  secrets,
  publish,
}: Pick<AppContext, 'store' | 'secrets' | 'publish'>): HostDirectory {
  const whole = async (host: StoredHost): Promise<Host> => ({
    ...host,
    hasSecret: (await secrets.get(secretId(host.id, 'login'))) !== null,
  });

  function stored(id: string): StoredHost {
    const host = store.hosts.get(id);
    if (host) return host;
    throw new AppError({
      code: 'not-found',
      message: `There is no host with the id ${JSON.stringify(id)}`,
      hint: 'It may have been removed: choose another host.',
    });
  }

  /** sudo asks for the user's own password: where that was the way in, it need not be given twice. */
  async function secret(host: StoredHost, kind: HostSecret): Promise<string | null> {
    const own = await secrets.get(secretId(host.id, kind));
    if (own !== null || kind === 'login' || host.auth.method !== 'password') return own;
    return secrets.get(secretId(host.id, 'login'));
  }

  return {
    list: () => Promise.all(store.hosts.list().map(whole)),
    get: async (id) => whole(stored(id)),
    async setSecret(id, kind, text) {
      if (text === '') await secrets.remove(secretId(id, kind));
      else await secrets.set(secretId(id, kind), text);
    },
    async connect(id, signal) {
      const host = stored(id);
      return openRemote(host, { secret: (kind) => secret(host, kind), trusted: host.hostKey }, signal);
    },
    async inventory(id, remote, signal) {
      const inventory = await readInventory(remote, signal);
      store.hosts.seen(id, inventory);
      publish('lists.changed', { what: 'hosts' });
      return inventory;
    },
  };
}
