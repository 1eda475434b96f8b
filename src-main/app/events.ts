import type { EventData, EventName } from '../../src-shared/contract/commands.ts';
import type { EventSource } from '../../src-shared/contract/server.ts';

export type Publish = <N extends EventName>(name: N, data: EventData<N>) => void;

/**
 * Where the core's events are published and listened to. A listener that throws does not keep the others from hearing:
 * its error goes to `onError`.
 */
export function createEvents(onError: (error: unknown) => void): EventSource & { publish: Publish } {
  const listeners = new Map<EventName, Set<(data: never) => void>>();
  return {
    on(name, listener) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set);
      // A function of its own for each subscription: the same listener may be subscribed twice and leave once.
      const own = (data: never) => listener(data);
      set.add(own);
      return () => void set.delete(own);
    },
    publish(name, data) {
      for (const listener of [...(listeners.get(name) ?? [])]) {
        try {
          // The map ties name and data together; TypeScript cannot follow an index by a type parameter.
          listener(data as never);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}
