import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Host } from '../../../src-shared/model/host.ts';
import type { Provisioning, ProvisionPlan } from '../../../src-shared/model/provision.ts';
import { commandKey } from '../../api.tsx';
import { type Cancellable, useCancellable } from '../../components/useCancellable.ts';
import { paths } from '../../routes.ts';

export interface Planning {
  call: Cancellable<'provision.plan'>;
  /** The plan that is being looked at, or was last; null before. */
  plan: ProvisionPlan | null;
  /** Looks at every step on the host, then opens the review. */
  start: (plan: ProvisionPlan) => Promise<void>;
}

/** Planning: every step is looked at on the host, nothing is changed. */
export function usePlanning(host: Pick<Host, 'id'>): Planning {
  const call = useCancellable('provision.plan');
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [plan, setPlan] = useState<ProvisionPlan | null>(null);

  async function start(next: ProvisionPlan): Promise<void> {
    setPlan(next);
    const planned = await call.start(next);
    if (planned === null) return;
    queries.setQueryData(commandKey('provision.get', { id: planned.id }), planned);
    navigate(paths.provision(host.id, planned.id));
  }

  return { call, plan, start };
}

/** Whether the plan came no further than to sudo's password. */
export function lacksSudo(provisioning: Provisioning, host: Pick<Host, 'inventory'>): boolean {
  const rights = provisioning.preflight.find(({ id }) => id === 'sudo');
  return rights?.result === 'fail' && host.inventory?.sudo.value === 'password';
}

/** What sudo said to a password that was given; undefined where none was. */
export function refusedSudo(provisioning: Provisioning): string | undefined {
  const line = provisioning.preflight.find(({ id }) => id === 'sudo');
  return line?.code === 'wrong-password' ? line.detail : undefined;
}
