import { useCallback, useEffect, useRef, useState } from 'react';
import type { CommandInput, CommandName, CommandOutput } from '../../src-shared/contract/commands.ts';
import { type AppError, toAppError } from '../../src-shared/errors.ts';
import { useApi } from '../api.tsx';

type State<T> = { data: T | null; error: AppError | null; startedAt: number | null };

/** A command that may take long: shows since when it is on and can be cancelled; leaving the screen cancels it. */
export interface Cancellable<N extends CommandName> {
  /** Resolves with the answer, or null where it failed or was cancelled (see `error`). */
  start: (input: CommandInput<N>) => Promise<CommandOutput<N> | null>;
  cancel: () => void;
  /** Forgets answer and error. */
  clear: () => void;
  pending: boolean;
  /** `Date.now()` of the start; null while nothing is on. */
  startedAt: number | null;
  data: CommandOutput<N> | null;
  error: AppError | null;
}

export function useCancellable<N extends CommandName>(name: N): Cancellable<N> {
  const api = useApi();
  const [state, setState] = useState<State<CommandOutput<N>>>({ data: null, error: null, startedAt: null });
  const current = useRef<AbortController | null>(null);
  useEffect(() => () => current.current?.abort(), []);

  const start = useCallback(
    async (input: CommandInput<N>): Promise<CommandOutput<N> | null> => {
      current.current?.abort();
      const controller = new AbortController();
      current.current = controller;
      setState({ data: null, error: null, startedAt: Date.now() });
      try {
        const data = await api.call(name, input, controller.signal);
        if (current.current === controller) setState({ data, error: null, startedAt: null });
        return data;
      } catch (thrown) {
        const known = toAppError(thrown);
        const error = known.code === 'cancelled' ? null : known;
        if (current.current === controller) setState({ data: null, error, startedAt: null });
        return null;
      }
    },
    [api, name],
  );
  const cancel = useCallback(() => current.current?.abort(), []);
  const clear = useCallback(() => setState({ data: null, error: null, startedAt: null }), []);
  return { ...state, start, cancel, clear, pending: state.startedAt !== null };
}
