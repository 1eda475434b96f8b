import {
  keepPreviousData,
  QueryClient,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import type { Api } from '../src-shared/contract/api.ts';
import type {
  CommandInput,
  CommandName,
  CommandOutput,
  EventData,
  EventName,
} from '../src-shared/contract/commands.ts';
import { type AppError, toAppError } from '../src-shared/errors.ts';
import { commandKey, keepFresh } from './keepFresh.ts';

export { commandKey };

const ApiContext = createContext<Api | null>(null);

/** Nothing is fetched again by itself: the core says by events what has changed. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // `always`: the core is on this machine, whatever the browser thinks of the network.
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Lends the core's API to everything below and keeps the fetched answers in step with the core's events. */
export function ApiProvider(props: { api: Api; children: ReactNode }): ReactNode {
  const client = useQueryClient();
  useEffect(() => keepFresh(props.api, client), [props.api, client]);
  return <ApiContext value={props.api}>{props.children}</ApiContext>;
}

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === null) throw new Error('no ApiProvider above this component');
  return api;
}

/**
 * The answer of a reading command: fetched once, kept, fetched again when the core says that it changed. With
 * `keepPrevious` the answer to the input before stands until the new one is there.
 */
export function useCommand<N extends CommandName>(
  name: N,
  input: CommandInput<N>,
  options: { enabled?: boolean; keepPrevious?: boolean } = {},
): UseQueryResult<CommandOutput<N>, AppError> {
  const api = useApi();
  return useQuery<CommandOutput<N>, AppError>({
    queryKey: commandKey(name, input),
    queryFn: ({ signal }) => api.call(name, input, signal).catch(rethrow),
    enabled: options.enabled ?? true,
    ...(options.keepPrevious === true && { placeholderData: keepPreviousData }),
  });
}

/** Several answers of one reading command, in the order of the inputs. */
export function useCommands<N extends CommandName>(
  name: N,
  inputs: readonly CommandInput<N>[],
): UseQueryResult<CommandOutput<N>, AppError>[] {
  const api = useApi();
  const queries = inputs.map(
    (input): UseQueryOptions<CommandOutput<N>, AppError> => ({
      queryKey: commandKey(name, input),
      queryFn: ({ signal }) => api.call(name, input, signal).catch(rethrow),
    }),
  );
  return useQueries({ queries });
}

/** A command that does something; errors are AppErrors. */
export function useAction<N extends CommandName>(
  name: N,
): UseMutationResult<CommandOutput<N>, AppError, CommandInput<N>> {
  const api = useApi();
  return useMutation<CommandOutput<N>, AppError, CommandInput<N>>({
    mutationFn: (input) => api.call(name, input).catch(rethrow),
  });
}

/** Listens to an event of the core while the component is there. The newest listener is called. */
export function useEvent<N extends EventName>(name: N, listener: (data: EventData<N>) => void): void {
  const api = useApi();
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => api.on(name, (data) => latest.current(data)), [api, name]);
}

function rethrow(error: unknown): never {
  throw toAppError(error);
}
