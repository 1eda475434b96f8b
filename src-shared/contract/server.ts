import { createBirpc } from 'birpc';
import { AppError, toAppError } from '../errors.ts';
import type { Api, Handlers } from './api.ts';
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
import { type ClientFunctions, type Reply, requestSchema, type ServerFunctions } from './wire.ts';

/** Where the core sends its events; `serveApi` and the direct API subscribe to it. */
export interface EventSource {
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void;
}

/** The API without a transport: same checks of the input, same errors. For the CLI and tests. */
export function directApi(handlers: Handlers, source: EventSource): Api {
  return {
    call: (name, input, signal = new AbortController().signal) => dispatch(handlers, name, input, signal),
    on: (name, listener) => source.on(name, listener),
  };
}

/**
 * Serves one client until its channel closes; its calls still on are then cancelled. A message that is no request of the
 * contract closes the channel.
 */
export function serveApi(channel: Channel, handlers: Handlers, source: EventSource): void {
  const pending = new Map<number, AbortController>();
  let closed = false;

  async function answer(id: number, name: string, input: unknown): Promise<Reply> {
    if (pending.has(id))
      return failed(new AppError({ code: 'bad-input', message: `Call ${id} is on already` }));
    const controller = new AbortController();
    pending.set(id, controller);
    try {
      if (!isCommandName(name)) {
        throw new AppError({ code: 'bad-input', message: `There is no command ${JSON.stringify(name)}` });
      }
      // `dispatch` parses the input before any handler sees it.
      const value = await dispatch(handlers, name, input as CommandInput<typeof name>, controller.signal);
      return { ok: true, value };
    } catch (error) {
      return failed(error);
    } finally {
      pending.delete(id);
    }
  }

  const rpc = createBirpc<ClientFunctions, ServerFunctions>(
    { call: answer, cancel: (id) => pending.get(id)?.abort() },
    {
      post: (text: string) => channel.send(text),
      on: (receive) =>
        channel.listen((text) => {
          if (!closed) receive(text);
        }, close),
      serialize: JSON.stringify,
      deserialize: (text: string) => requestSchema.parse(JSON.parse(text)),
      onGeneralError() {
        if (!closed) channel.close();
        return true;
      },
      eventNames: ['event'],
      timeout: -1,
    },
  );
  const unsubscribe = (Object.keys(events) as EventName[]).map((name) =>
    source.on(name, (data) => {
      // A channel that takes no event is no channel: its client connects again and asks for what it missed.
      rpc.event(name, data).catch(() => channel.close());
    }),
  );
  function close(): void {
    if (closed) return;
    closed = true;
    for (const off of unsubscribe) off();
    for (const controller of pending.values()) controller.abort();
    rpc.$close();
  }
}

function failed(error: unknown): Reply {
  return { ok: false, error: toAppError(error).toData() };
}

async function dispatch<N extends CommandName>(
  handlers: Handlers,
  name: N,
  input: CommandInput<N>,
  signal: AbortSignal,
): Promise<CommandOutput<N>> {
  const parsed = commands[name].input.safeParse(input);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new AppError({
      code: 'bad-input',
      message: issue?.message ?? 'The request has the wrong shape',
      place: { field: issue?.path.join('.') || name },
    });
  }
  return handlers[name](parsed.data as never, signal) as Promise<CommandOutput<N>>;
}

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}
