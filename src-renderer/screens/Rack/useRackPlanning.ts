import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type AppError, toAppError } from '../../../src-shared/errors.ts';
import type { Host } from '../../../src-shared/model/host.ts';
import type { Provisioning, ProvisionPlan } from '../../../src-shared/model/provision.ts';
import { commandKey, useApi } from '../../api.tsx';

export interface RackPlanning {
  /** `Date.now()` of the start; null while nothing is looked at. */
  startedAt: number | null;
  /** Hosts that are looked at now, by id. */
  pending: ReadonlySet<string>;
  /** Why a host could not be looked at. */
  errors: ReadonlyMap<string, AppError>;
  /** Looks at every step on all these hosts side by side; the answers are what came of it, without those that failed. */
  start: (plan: Omit<ProvisionPlan, 'hostId'>, hosts: readonly Host[]) => Promise<Provisioning[]>;
  cancel: () => void;
}

/** Planning on several hosts: one that cannot be looked at does not keep the others. */
export function useRackPlanning(): RackPlanning {
  const api = useApi();
  const queries = useQueryClient();
  const [startedAt, setStartedAt] = useState<number | null>(null);
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set());
  const [errors, setErrors] = useState<ReadonlyMap<string, AppError>>(new Map());
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);

  async function start(plan: Omit<ProvisionPlan, 'hostId'>, hosts: readonly Host[]): Promise<Provisioning[]> {
    const controller = new AbortController();
    current.current = controller;
    setStartedAt(Date.now());
    setPending(new Set(hosts.map(({ id }) => id)));
    setErrors((before) => new Map([...before].filter(([id]) => hosts.every((host) => host.id !== id))));
    const planned = await Promise.all(
      hosts.map(async ({ id: hostId }): Promise<Provisioning[]> => {
        try {
          const one = await api.call('provision.plan', { ...plan, hostId }, controller.signal);
          queries.setQueryData(commandKey('provision.get', { id: one.id }), one);
          return [one];
        } catch (thrown) {
          setErrors((before) => new Map(before).set(hostId, toAppError(thrown)));
          return [];
        } finally {
          setPending((before) => new Set([...before].filter((id) => id !== hostId)));
        }
      }),
    );
    setStartedAt(null);
    return planned.flat();
  }

  return { startedAt, pending, errors, start, cancel: () => current.current?.abort() };
}
