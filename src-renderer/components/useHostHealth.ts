import { useCallback, useEffect, useState } from 'react';
import { type AppError, toAppError } from '../../src-shared/errors.ts';
import type { HealthSample } from '../../src-shared/model/host.ts';
import { useApi } from '../api.tsx';

/** Longer than this without a sample, the host is not answering. */
const silentMs = 5_000;

export interface HostHealthState {
  /** The newest sample; null before the first. */
  sample: HealthSample | null;
  /** Samples came, and now none do: the last one is old. */
  silent: boolean;
  /** Why it is not watched at all. */
  error: AppError | null;
  retry: () => void;
}

/** Watches a host for as long as the component is there; its sampler ends with it. Give another host another `key`. */
export function useHostHealth(hostId: string): HostHealthState {
  const api = useApi();
  // A new object starts the watch anew.
  const [watch, setWatch] = useState(() => ({ hostId }));
  const [sample, setSample] = useState<HealthSample | null>(null);
  const [silent, setSilent] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  useEffect(() => {
    const watching = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    setSample(null);
    setSilent(false);
    setError(null);
    const off = api.on('host.health', (event) => {
      if (event.hostId !== watch.hostId) return;
      clearTimeout(timer);
      timer = setTimeout(() => setSilent(true), silentMs);
      setSilent(false);
      setSample(event.sample);
    });
    api.call('hosts.watch', { id: watch.hostId }, watching.signal).catch((thrown: unknown) => {
      if (!watching.signal.aborted) setError(toAppError(thrown));
    });
    return () => {
      off();
      clearTimeout(timer);
      watching.abort();
    };
  }, [api, watch]);
  const retry = useCallback(() => setWatch({ hostId }), [hostId]);
  return { sample, silent, error, retry };
}
