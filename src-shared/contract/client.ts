import { createBirpc } from 'birpc';
import { AppError, cancelled } from '../errors.ts';
import type { Api } from './api.ts';
import type { Channel } from './channel.ts';
import {
  type CommandInput,
  type CommandName,
  type CommandOutput,
  commands,
  type EventData,
  type EventName,
  events,
} from './commands.ts';
import { type ClientFunctions, replySchema, type ServerFunctions } from './wire.ts';

/**
 * The core's API over a channel. Answers and events are checked against the contract. When the channel closes, every
 * pending call is rejected with `connection-lost` and `onLost` is called once.
 */
export function connectApi(channel: Channel, onLost: () => void): Api {
  const listeners = new Map<EventName, Set<(data: never) => void>>();
  let nextCall = 0;

  const rpc = createBirpc<ServerFunctions, ClientFunctions>(
    {
      event(name, data) {
        if (!isEventName(name)) return;
        const parsed = events[name].parse(data);
        for (const listener of listeners.get(name) ?? []) listener(parsed as never);
      },
    },
    {
      post: (text: string) => channel.send(text),
      on: (receive) =>
        channel.listen(receive, () => {
          rpc.$close(lost());
          onLost();
        }),
      serialize: JSON.stringify,
      deserialize: JSON.parse,
      timeout: -1,
    },
  );

  async function call<N extends CommandName>(
    name: N,
    input: CommandInput<N>,
    signal?: AbortSignal,
  ): Promise<CommandOutput<N>> {
    if (signal?.aborted) throw cancelled();
    if (rpc.$closed) throw lost();
    nextCall += 1;
    const id = nextCall;
    const abort = () => void rpc.cancel(id).catch(() => undefined); // the call itself reports a lost channel
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const reply = replySchema.parse(await rpc.call(id, name, input));
      if (!reply.ok) throw new AppError(reply.error);
      // The table ties name and schema together; TypeScript cannot follow an index by a type parameter.
      return commands[name].output.parse(reply.value) as CommandOutput<N>;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  function on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void {
    const set = listeners.get(name) ?? new Set();
    listeners.set(name, set);
    set.add(listener as (data: never) => void);
    return () => void set.delete(listener as (data: never) => void);
  }

  return { call, on };
}

function isEventName(name: string): name is EventName {
  return Object.hasOwn(events, name);
}

function lost(): AppError {
  return new AppError({
    code: 'connection-lost',
    message: 'The connection to the Benchberry core ended',
    hint: 'Reload the window; a run that was on goes on or is listed as interrupted.',
  });
}
