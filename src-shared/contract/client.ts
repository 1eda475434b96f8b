import { createBirpc } from 'birpc';
import { AppError, cancelled, toAppError } from '../errors.ts';
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
import { type ClientFunctions, fromCoreSchema, replySchema, type ServerFunctions } from './wire.ts';

/**
 * The core's API over a channel. Answers and events are checked against the contract. When the channel closes, every
 * pending call is rejected with `connection-lost` and `onLost` is called once.
 */
export function connectApi(channel: Channel, onLost: () => void): Api {
  const listeners = new Map<EventName, Set<(data: never) => void>>();
  let nextCall = 0;
  let gone = false;

  function lose(): void {
    if (gone) return;
    gone = true;
    rpc.$close(lost());
    onLost();
  }

  function tell<N extends EventName>(name: N, data: EventData<N>): void {
    for (const listener of [...(listeners.get(name) ?? [])]) listener(data as never);
  }

  const rpc = createBirpc<ServerFunctions, ClientFunctions>(
    {
      event(name, data) {
        if (!isEventName(name)) return; // of a newer core
        const parsed = events[name].safeParse(data);
        if (parsed.success) tell(name, parsed.data as EventData<typeof name>);
        else tell('notice', strangeEvent(name, parsed.error.message));
      },
    },
    {
      post: (text: string) => channel.send(text),
      on: (receive) =>
        channel.listen((text) => {
          if (!gone) receive(text);
        }, lose),
      serialize: JSON.stringify,
      deserialize: (text: string) => fromCoreSchema.parse(JSON.parse(text)),
      onGeneralError() {
        // A channel that brings nonsense or takes nothing: better to connect again than to wait for ever.
        channel.close();
        queueMicrotask(lose); // after birpc has let go of the call that it tried to send
        return true;
      },
      timeout: -1,
    },
  );

  async function call<N extends CommandName>(
    name: N,
    input: CommandInput<N>,
    signal?: AbortSignal,
  ): Promise<CommandOutput<N>> {
    if (signal?.aborted) throw cancelled();
    if (gone) throw lost();
    nextCall += 1;
    const id = nextCall;
    const abort = () => void rpc.cancel(id).catch(() => undefined); // the call itself reports a lost channel
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const answer = await rpc.call(id, name, input);
      if (answer === undefined) throw lost(); // it could not be sent
      const reply = replySchema.parse(answer);
      if (!reply.ok) throw new AppError(reply.error);
      // The table ties name and schema together; TypeScript cannot follow an index by a type parameter.
      return commands[name].output.parse(reply.value) as CommandOutput<N>;
    } catch (error) {
      throw toAppError(error);
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

function strangeEvent(name: string, detail: string): EventData<'notice'> {
  const text = `An event of the core could not be read (${name})`;
  return { level: 'error', text, error: { code: 'internal', message: text, detail } };
}

function lost(): AppError {
  return new AppError({
    code: 'connection-lost',
    message: 'The connection to the Benchberry core ended',
    hint: 'Reload the window; a run that was on goes on or is listed as interrupted.',
  });
}
