import type { ServerSample } from '../../../../src-shared/model/telemetry.ts';
import type { Look } from './replies.ts';

/** What the sessions of several looks were found at, summed. */
export interface WaitMeter {
  add(look: Pick<Look, 'sessions'>): void;
  /** Whether a session of the run was found waiting for a lock: of any kind, or of this one. */
  sawLock(kind?: 'relation'): boolean;
  /** The sums, and begins anew. */
  take(): Pick<ServerSample, 'waits' | 'background'>;
}

export function createWaitMeter(): WaitMeter {
  let samples = 0;
  let idle = 0;
  // The names are the server's: as keys of objects, one could be that of their prototype.
  let events = new Map<string, number>();
  let background = new Map<string, Map<string, number>>();
  return {
    add({ sessions }) {
      samples += 1;
      for (const { who, state, type, event, n } of sessions) {
        const name = type === null ? 'CPU' : `${type}:${event}`;
        if (who !== 'run') {
          if (type === 'Activity') continue;
          const found = background.get(who) ?? new Map<string, number>();
          background.set(who, found);
          add(found, name, n);
        } else if (state === 'idle') idle += n;
        else if (state.startsWith('idle in transaction')) {
          // Rows are read without a snapshot: what such a session seems to wait for besides the client is of a moment before.
          add(events, 'Client:ClientRead', n);
        } else if (state !== '') add(events, name, n);
      }
    },
    sawLock: (kind) => [...events.keys()].some((name) => name.startsWith(`Lock:${kind ?? ''}`)),
    take() {
      const sums = {
        waits: { samples, events: Object.fromEntries(events), idle },
        background: Object.fromEntries(
          [...background].map(([who, found]) => [who, Object.fromEntries(found)]),
        ),
      };
      samples = 0;
      idle = 0;
      events = new Map();
      background = new Map();
      return sums;
    },
  };
}

function add(to: Map<string, number>, name: string, n: number): void {
  to.set(name, (to.get(name) ?? 0) + n);
}

/** Whether the checkpointer is at work; null where it cannot be seen. Between checkpoints it waits in its main loop. */
export function checkpointerBusy({ sessions }: Pick<Look, 'sessions'>): boolean | null {
  const row = sessions.find(({ who }) => who === 'checkpointer');
  if (row === undefined) return null;
  return row.type !== 'Activity';
}
