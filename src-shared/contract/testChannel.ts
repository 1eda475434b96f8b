import type { Handlers } from './api.ts';
import type { Channel } from './channel.ts';
import { type CommandName, commands, type EventData, type EventName } from './commands.ts';
import type { EventSource } from './server.ts';

/** Two ends of a channel; messages arrive in a later microtask, as on a real one. */
export function makeChannels() {
  const ends = [0, 1].map(() => ({
    onMessage: (_: string) => undefined as unknown,
    onClose: () => undefined as unknown,
    sent: [] as string[],
    broken: false,
  }));
  let open = true;
  const channel = (own: number): Channel => {
    const [me, other] = [ends[own], ends[1 - own]];
    if (!me || !other) throw new Error('two ends');
    return {
      send(text) {
        if (!open || me.broken) throw new Error('the channel is closed');
        me.sent.push(text);
        queueMicrotask(() => other.onMessage(text));
      },
      listen(onMessage, onClose) {
        me.onMessage = onMessage;
        me.onClose = onClose;
      },
      close() {
        if (!open) return;
        open = false;
        for (const end of ends) queueMicrotask(() => end.onClose());
      },
    };
  };
  const [server, client] = [ends[0], ends[1]];
  if (!server || !client) throw new Error('two ends');
  return { server: channel(0), client: channel(1), ends: { server, client }, isOpen: () => open };
}

export function makeSource() {
  const listeners = new Map<EventName, Set<(data: never) => void>>();
  const source: EventSource = {
    on(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set);
      set.add(listener as (data: never) => void);
      return () => void set.delete(listener as (data: never) => void);
    },
  };
  return {
    source,
    publish<N extends EventName>(name: N, data: EventData<N>) {
      for (const listener of listeners.get(name) ?? []) listener(data as never);
    },
    count: () => [...listeners.values()].reduce((sum, set) => sum + set.size, 0),
  };
}

/** Handlers that refuse, but for the given ones. */
export function makeHandlers(own: Partial<Handlers>): Handlers {
  const names = Object.keys(commands) as CommandName[];
  const refuse = async () => {
    throw new Error('not part of this test');
  };
  return { ...Object.fromEntries(names.map((name) => [name, refuse])), ...own } as Handlers;
}

/** Resolves when all that was sent so far has arrived. */
export const turn = () => new Promise<void>((resolve) => setTimeout(resolve));
