import { randomUUID } from 'node:crypto';
import { AppError, toAppError } from '../../src-shared/errors.ts';
import type { Host, HostDraft, HostKey, MachineCheck } from '../../src-shared/model/host.ts';
import { gate, machineChecks } from '../hosts/checks/index.ts';
import { discover } from '../hosts/discovery/discover.ts';
import { watchHealth } from '../hosts/health/index.ts';
import type { Remote } from '../hosts/remote.ts';
import { readHostKey } from '../hosts/ssh/index.ts';
import { disturbersOn } from '../provision/quietHost.ts';
import type { AppContext, HandlersOf } from './context.ts';
import { placeOfTarget } from './dataPlace.ts';
import type { HostDirectory } from './hostDirectory.ts';

/** Where databases of packages and of Docker lie unless somebody chose another place. */
const usualFolder = '/var/lib';

export function hostHandlers(
  { store, now, publish }: AppContext,
  directory: HostDirectory,
): HandlersOf<'hosts'> {
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
      gate: samePlace ? before.gate : null,
      measured: samePlace ? before.measured : null,
      createdAt: before?.createdAt ?? now().toISOString(),
    });
    if (secret !== null) await directory.setSecret(id, 'login', secret);
    // A password is no passphrase of a key.
    else if (before && before.auth.method !== draft.auth.method) await directory.setSecret(id, 'login', '');
    return directory.get(id);
  }

  async function trust(id: string, key: HostKey, signal: AbortSignal): Promise<Host> {
    const host = await directory.get(id);
    const shown = await readHostKey(host, signal);
    const same = shown.key.fingerprint === key.fingerprint && shown.key.type === key.type;
    if (!same || shown.standing === 'changed') {
      throw new AppError({
        code: 'host-key-changed',
        message: same
          ? 'This is not the key that is known of this host'
          : 'The host now shows another key than the one that was looked at',
        place: { host: host.address, port: host.port },
        detail: `Now ${shown.key.fingerprint}, before ${(same ? shown.expected : key)?.fingerprint ?? 'none'}`,
        hint: 'Somebody may be in between, or the card was written anew. In that case remove the host and add it again.',
      });
    }
    const stored = store.hosts.get(id);
    if (stored) store.hosts.save({ ...stored, hostKey: key });
    return directory.get(id);
  }

  /** Signs in, works, hangs up. */
  async function signedIn<T>(
    id: string,
    signal: AbortSignal,
    work: (remote: Remote) => Promise<T>,
  ): Promise<T> {
    const remote = await directory.connect(id, signal);
    try {
      return await work(remote);
    } finally {
      await remote.close();
    }
  }

  /** The folder whose disk is looked at: that of a database that is known to run on the host. */
  function dataFolder(id: string): string {
    const places = store.targets
      .list()
      .filter(({ hostId }) => hostId === id)
      .map((target) => placeOfTarget(store, id, target, target.lastSeen));
    return places.find((place) => place !== null)?.folder ?? usualFolder;
  }

  function checked(id: string, which: 'gate' | 'measured', checks: MachineCheck[]): MachineCheck[] {
    store.hosts.checked(id, which, { at: now().toISOString(), checks });
    publish('lists.changed', { what: 'hosts' });
    return checks;
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
    'hosts.discover': (_input, signal) => discover(signal),
    async 'hosts.key'({ id }, signal) {
      return readHostKey(await directory.get(id), signal);
    },
    'hosts.trust': ({ id, key }, signal) => trust(id, key, signal),
    'hosts.inventory': ({ id }, signal) =>
      signedIn(id, signal, (remote) => directory.inventory(id, remote, signal)),
    async 'hosts.checks'({ id }, signal) {
      const checks = await signedIn(id, signal, (remote) =>
        machineChecks(remote, { folder: dataFolder(id) }, signal),
      );
      return checked(id, 'measured', checks);
    },
    async 'hosts.gate'({ id }, signal) {
      return checked(
        id,
        'gate',
        await signedIn(id, signal, (remote) => gate(remote, signal, { folder: dataFolder(id) })),
      );
    },
    'hosts.disturbers': ({ id }, signal) => signedIn(id, signal, (remote) => disturbersOn(remote, signal)),
    async 'hosts.watch'({ id }, signal) {
      await directory.get(id);
      await watchHealth(
        {
          open: (each) => directory.connect(id, each),
          path: dataFolder(id),
          onSample: (sample) => publish('host.health', { hostId: id, sample }),
          onLost: (error) =>
            publish('notice', {
              level: 'warning',
              text: 'The health of the host cannot be watched for now',
              error: toAppError(error).toData(),
            }),
        },
        signal,
      );
      return null;
    },
  };
}
