import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { Api } from '../src-shared/contract/api.ts';
import type { EventData, EventName } from '../src-shared/contract/commands.ts';
import { commandKey, keepFresh } from './keepFresh.ts';

/** An API whose events the test sends; nothing is called. */
function fakeEvents(): {
  api: Api;
  send: <N extends EventName>(name: N, data: EventData<N>) => void;
  count: () => number;
} {
  const listeners = new Set<{ name: EventName; listener: (data: never) => void }>();
  const api: Api = {
    call: () => Promise.reject(new Error('nothing is called')),
    on(name, listener) {
      const entry = { name, listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
  };
  return {
    api,
    send: (name, data) => {
      for (const entry of listeners) if (entry.name === name) entry.listener(data as never);
    },
    count: () => listeners.size,
  };
}

const keys = {
  runs: commandKey('runs.list', { limit: 20 }),
  one: commandKey('runs.get', { id: 'a' }),
  other: commandKey('runs.get', { id: 'b' }),
  targets: commandKey('targets.list', null),
  plans: commandKey('plans.get', { id: 'p' }),
  info: commandKey('app.info', null),
};

function filled(): QueryClient {
  const client = new QueryClient();
  for (const key of Object.values(keys)) client.setQueryData(key, 'fetched');
  return client;
}
function stale(client: QueryClient): string[] {
  return Object.entries(keys)
    .filter(([, key]) => client.getQueryState(key)?.isInvalidated)
    .map(([name]) => name);
}
const head = {
  id: 'a',
  name: 'n',
  status: 'finished',
  verdicts: [],
  targetName: 't',
  engine: 'null',
  serverLabel: null,
  startedAt: '2026-11-30T12:00:00.000Z',
  endedAt: null,
  tags: [],
  notes: '',
  rowsPerSecond: null,
  rows: null,
  tps: null,
  p99Us: null,
  group: null,
} as const;

describe('keepFresh', () => {
  it.each([
    ['targets', ['targets']],
    ['plans', ['plans']],
    ['settings', ['info']],
    ['runs', ['runs', 'one', 'other']],
  ] as const)('marks what lists.changed says of %s', (what, expected) => {
    const { api, send } = fakeEvents();
    const client = filled();
    keepFresh(api, client);
    send('lists.changed', { what });
    expect(stale(client)).toEqual(expected);
  });

  it('marks the lists and the one run that changed', () => {
    const { api, send } = fakeEvents();
    const client = filled();
    keepFresh(api, client);
    send('run.changed', { head: { ...head, verdicts: [], tags: [] }, final: true });
    expect(stale(client)).toEqual(['runs', 'one']);
  });

  it('keeps the progress as it comes, and listens to nothing afterwards', () => {
    const { api, send, count } = fakeEvents();
    const client = filled();
    const off = keepFresh(api, client);
    const progress = {
      runId: 'a',
      status: 'running',
      doing: 'Loading',
      phase: 0,
      phaseName: 'tsbs.load',
      fraction: 0.5,
      elapsedMs: 1000,
      remainingMs: null,
    } as const;
    send('run.progress', progress);
    const known = () => client.getQueryData(commandKey('runs.progress', null));
    expect(known()).toEqual([progress]);
    send('run.progress', { ...progress, runId: 'b' });
    send('run.progress', { ...progress, fraction: 0.75 });
    expect(known()).toEqual([
      { ...progress, fraction: 0.75 },
      { ...progress, runId: 'b' },
    ]);
    off();
    expect(count()).toBe(0);
  });
});
