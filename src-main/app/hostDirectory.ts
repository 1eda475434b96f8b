import { AppError } from '../../src-shared/errors.ts';
import type { Host } from '../../src-shared/model/host.ts';
import type { StoredHost } from '../store/repositories.ts';
import type { AppContext } from './context.ts';

export type HostSecret = 'login' | 'sudo';

/** The saved hosts, with their secrets. */
export interface HostDirectory {
  list(): Promise<Host[]>;
  /** @throws AppError `not-found` */
  get(id: string): Promise<Host>;
  whole(host: StoredHost): Promise<Host>;
  /** Keeps it, or forgets it where it is empty. */
  setSecret(id: string, kind: HostSecret, secret: string): Promise<void>;
}

const secretId = (id: string, kind: HostSecret) => `host-${kind}-${id}`;

/** Under which the secret store keeps what belongs to a host. */
export const hostSecretIds = (id: string): string[] => [secretId(id, 'login'), secretId(id, 'sudo')];

export function createHostDirectory({
  store,
  secrets,
}: Pick<AppContext, 'store' | 'secrets'>): HostDirectory {
  const whole = async (host: StoredHost): Promise<Host> => ({
    ...host,
    hasSecret: (await secrets.get(secretId(host.id, 'login'))) !== null,
  });
  return {
    whole,
    list: () => Promise.all(store.hosts.list().map(whole)),
    async get(id) {
      const host = store.hosts.get(id);
      if (host) return whole(host);
      throw new AppError({
        code: 'not-found',
        message: `There is no host with the id ${JSON.stringify(id)}`,
        hint: 'It may have been removed: choose another host.',
      });
    },
    async setSecret(id, kind, secret) {
      if (secret === '') await secrets.remove(secretId(id, kind));
      else await secrets.set(secretId(id, kind), secret);
    },
  };
}
