import type { Provisioning } from '../../src-shared/model/provision.ts';
import type { StoredHost } from './repositories.ts';

/** Records with every part filled in, for tests; a partial overrides. */
export function makeHost(part: Partial<StoredHost> = {}): StoredHost {
  return {
    id: 'host-1',
    name: 'rpi-3',
    address: 'rpi-3.local',
    port: 22,
    user: 'pi',
    auth: { method: 'password' },
    hostKey: null,
    group: null,
    inventory: null,
    gate: null,
    measured: null,
    createdAt: '2026-01-31T12:00:00.000Z',
    ...part,
  };
}

export function makeProvisioning(part: Partial<Provisioning> = {}): Provisioning {
  return {
    id: 'provisioning-1',
    hostId: 'host-1',
    plan: {
      hostId: 'host-1',
      recipes: [{ id: 'headless', parameters: { stronger: false } }],
      before: '',
      after: '',
    },
    status: 'planned',
    preflight: [],
    steps: [],
    targetId: null,
    error: null,
    generated: [],
    updatedAt: '2026-01-31T12:00:00.000Z',
    ...part,
  };
}
