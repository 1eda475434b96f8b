import { PassThrough } from 'node:stream';
import type { Handlers } from '../../src-shared/contract/api.ts';
import type { EventData, EventName } from '../../src-shared/contract/commands.ts';
import { directApi, type EventSource } from '../../src-shared/contract/server.ts';
import { AppError } from '../../src-shared/errors.ts';
import type { App } from '../app/createApp.ts';
import type { Cli } from './cli.ts';
import { createTerminal } from './terminal.ts';

type AnyListener = (data: never) => void;

/** For tests: a core of which only the given commands exist; any other call is an error of the test. */
export function fakeApp(parts: Partial<Handlers>) {
  const listeners = new Map<EventName, Set<AnyListener>>();
  const events: EventSource = {
    on(name, listener) {
      const set = listeners.get(name) ?? new Set<AnyListener>();
      listeners.set(name, set.add(listener as AnyListener));
      return () => void set.delete(listener as AnyListener);
    },
  };
  const handlers = new Proxy(parts, {
    get(target, name) {
      const handler = Reflect.get(target, name);
      if (handler !== undefined) return handler;
      throw new AppError({ code: 'internal', message: `the test gave no ${String(name)}` });
    },
  }) as Handlers;
  let closed = 0;
  const app: App = {
    api: directApi(handlers, events),
    handlers,
    events,
    close: async () => {
      closed += 1;
    },
  };
  return {
    app,
    closed: () => closed,
    emit<N extends EventName>(name: N, data: EventData<N>) {
      for (const listener of listeners.get(name) ?? []) listener(data as never);
    },
  };
}

/** For tests: a process around the commands whose output can be read and that can be interrupted. */
export function fakeCli(app: App, env: Cli['env'] = {}) {
  const streams = { stdin: process.stdin, stdout: new PassThrough(), stderr: new PassThrough() };
  const interrupts = new Set<() => void>();
  const exits: number[] = [];
  const cli: Cli = {
    terminal: { ...createTerminal(streams), secret: async () => null },
    env,
    dataFolder: '',
    openApp: async () => app,
    onInterrupt(listener) {
      interrupts.add(listener);
      return () => void interrupts.delete(listener);
    },
    exitNow: (code) => void exits.push(code),
  };
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    streams[name].on('data', (chunk) => {
      printed[name] += chunk;
    });
  }
  const take = (name: keyof typeof printed) => {
    const text = printed[name];
    printed[name] = '';
    return text;
  };
  return {
    cli,
    exits,
    interrupt: () => {
      for (const listener of interrupts) listener();
    },
    listening: () => interrupts.size,
    /** What was printed since the last call. */
    stdout: () => take('stdout'),
    stderr: () => take('stderr'),
  };
}
