import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError, cancelled } from '../errors.ts';
import type { Handlers } from './api.ts';
import type { Channel } from './channel.ts';
import { connectApi } from './client.ts';
import { type CommandName, commands, type EventData, type EventName } from './commands.ts';
import { directApi, type EventSource, serveApi } from './server.ts';

/** Two ends of a channel; messages arrive in a later microtask, as on a real one. */
function makeChannels() {
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

function makeSource() {
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
function makeHandlers(own: Partial<Handlers>): Handlers {
  const names = Object.keys(commands) as CommandName[];
  const refuse = async () => {
    throw new Error('not part of this test');
  };
  return { ...Object.fromEntries(names.map((name) => [name, refuse])), ...own } as Handlers;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const rejections: unknown[] = [];
const remember = (error: unknown) => rejections.push(error);
beforeEach(() => {
  rejections.length = 0;
  process.on('unhandledRejection', remember);
});
afterEach(async () => {
  await turn();
  process.off('unhandledRejection', remember);
  expect(rejections).toEqual([]);
});

function connect(own: Partial<Handlers>) {
  const channels = makeChannels();
  const events = makeSource();
  const lost: string[] = [];
  serveApi(channels.server, makeHandlers(own), events.source);
  const api = connectApi(channels.client, () => lost.push('lost'));
  return { ...channels, api, events, lost };
}
const list = { search: '', tag: null, limit: 1000 };

describe('a call', () => {
  test('reaches its handler parsed, with defaults, and its answer comes back', async () => {
    const seen: unknown[] = [];
    const { api } = connect({
      'runs.list': async (input) => {
        seen.push(input);
        return [];
      },
    });
    expect(await api.call('runs.list', { search: 'x' })).toEqual([]);
    expect(seen).toEqual([{ ...list, search: 'x' }]);
  });

  test.each([
    ['runs.list', { limit: 0 }, 'limit'],
    ['runs.list', 'all', 'runs.list'],
    ['runs.get', { id: '' }, 'id'],
    ['runs.update', { id: 'a', tags: ['ok', ''] }, 'tags.1'],
    ['targets.save', { id: null, name: '  ', engine: 'x', connection: {}, secret: null }, 'name'],
  ] as const)('%s with %j is bad-input at %s and reaches no handler', async (name, input, field) => {
    const { api, source } = { ...connect({}), source: makeSource().source };
    for (const each of [api, directApi(makeHandlers({}), source)]) {
      await expect(each.call(name, input as never)).rejects.toMatchObject({
        code: 'bad-input',
        place: { field },
      });
    }
  });

  test("a handler's AppError arrives whole, anything else as internal with its message as detail", async () => {
    const data = {
      code: 'wrong-password',
      message: 'No',
      place: { host: 'h', port: 1, field: 'f' },
      detail: 'd',
      hint: 'n',
    } as const;
    const { api } = connect({
      'runs.stop': async () => {
        throw new AppError(data);
      },
      'plans.list': async () => {
        throw new TypeError('x is undefined');
      },
    });
    const error = await api.call('runs.stop', { id: 'a' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error instanceof AppError && error.toData()).toEqual(data);
    await expect(api.call('plans.list', null)).rejects.toMatchObject({
      code: 'internal',
      detail: 'x is undefined',
    });
  });

  test('an answer that is not of the contract is an error, not a wrong value', async () => {
    const { api } = connect({ 'runs.progress': async () => ({ runId: 7 }) as never });
    await expect(api.call('runs.progress', null)).rejects.toMatchObject({ code: 'internal' });
  });

  test('calls answer in whatever order they are done', async () => {
    const waiting: (() => void)[] = [];
    const { api } = connect({
      'plans.toYaml': ({ plan }) => new Promise((resolve) => waiting.push(() => resolve(plan.name))),
    });
    const plan = (name: string) => ({ version: 1 as const, name, steps: [{ a: {} }] });
    const one = api.call('plans.toYaml', { plan: plan('one') });
    const two = api.call('plans.toYaml', { plan: plan('two') });
    await turn();
    for (const answer of waiting.reverse()) answer();
    expect(await Promise.all([one, two])).toEqual(['one', 'two']);
  });
});

describe('cancelling', () => {
  const untilAborted = (_: unknown, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(cancelled())));

  test('reaches the handler of that call alone', async () => {
    const { api } = connect({ 'targets.test': untilAborted, 'runs.stop': untilAborted });
    const controller = new AbortController();
    const call = api.call('targets.test', { id: 'a', secret: null }, controller.signal);
    const other = api.call('runs.stop', { id: 'a' });
    let settled = false;
    other.catch(() => {
      settled = true;
    });
    await turn();
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await turn();
    expect(settled).toBe(false);
  });

  test('before the call sends nothing', async () => {
    const { api, ends } = connect({});
    await expect(api.call('plans.list', null, AbortSignal.abort())).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(ends.client.sent).toEqual([]);
  });

  test('after the answer is without effect', async () => {
    const { api, ends } = connect({ 'plans.list': async () => [] });
    const controller = new AbortController();
    await api.call('plans.list', null, controller.signal);
    controller.abort();
    await turn();
    expect(ends.client.sent).toHaveLength(1);
  });
});

describe('a channel that closes', () => {
  test('rejects what is pending, says so once, and cancels the handlers of that client', async () => {
    const signals: AbortSignal[] = [];
    const { api, server, lost, events } = connect({
      'targets.test': (_, signal) => {
        signals.push(signal);
        return new Promise<never>(() => undefined);
      },
    });
    const calls = [1, 2].map(() => api.call('targets.test', { id: 'a', secret: null }));
    await turn();
    server.close();
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'connection-lost' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(lost).toEqual(['lost']);
    expect(events.count()).toBe(0);
    await expect(api.call('plans.list', null)).rejects.toMatchObject({ code: 'connection-lost' });
  });

  test('a handler that ends afterwards, and an event, hurt nobody', async () => {
    let answer: () => void = () => undefined;
    const { api, client, events } = connect({
      'plans.list': () =>
        new Promise((resolve) => {
          answer = () => resolve([]);
        }),
    });
    const call = api.call('plans.list', null);
    await turn();
    client.close();
    events.publish('lists.changed', { what: 'runs' });
    answer();
    await expect(call).rejects.toMatchObject({ code: 'connection-lost' });
  });

  test('that no longer takes what is sent is the same as closed, for calls and for events', async () => {
    const one = connect({});
    one.ends.client.broken = true;
    await expect(one.api.call('plans.list', null)).rejects.toMatchObject({ code: 'connection-lost' });
    expect(one.lost).toEqual(['lost']);

    const two = connect({});
    two.ends.server.broken = true;
    two.events.publish('lists.changed', { what: 'runs' });
    await turn();
    expect(two.isOpen()).toBe(false);
    expect(two.lost).toEqual(['lost']);
    expect(two.events.count()).toBe(0);
  });
});

describe('events', () => {
  test('go to every client and every listener, until they leave', async () => {
    const events = makeSource();
    const heard: string[] = [];
    const clients = ['a', 'b'].map((name) => {
      const { server, client } = makeChannels();
      serveApi(server, makeHandlers({}), events.source);
      const api = connectApi(client, () => undefined);
      return [1, 2].map((n) => api.on('lists.changed', ({ what }) => heard.push(`${name}${n} ${what}`)));
    });
    events.publish('lists.changed', { what: 'plans' });
    await turn();
    expect(heard.sort()).toEqual(['a1 plans', 'a2 plans', 'b1 plans', 'b2 plans']);
    heard.length = 0;
    clients[0]?.[0]?.();
    events.publish('lists.changed', { what: 'runs' });
    await turn();
    expect(heard.sort()).toEqual(['a2 runs', 'b1 runs', 'b2 runs']);
  });

  test('keep their order', async () => {
    const { api, events } = connect({});
    const heard: string[] = [];
    api.on('run.event', ({ text }) => heard.push(text));
    const texts = [...Array(100).keys()].map(String);
    for (const text of texts) events.publish('run.event', { runId: 'r', atMs: 0, kind: 'note', text });
    await turn();
    expect(heard).toEqual(texts);
  });

  test('one that does not fit the contract is told of as a notice; the next one arrives', async () => {
    const { api, events } = connect({});
    const heard: unknown[] = [];
    api.on('lists.changed', (data) => heard.push(data));
    api.on('notice', ({ text }) => heard.push(text));
    events.publish('lists.changed', { what: 'cats' } as never);
    events.publish('lists.changed', { what: 'runs' });
    await turn();
    expect(heard).toEqual([expect.stringContaining('lists.changed'), { what: 'runs' }]);
  });
});

describe('hostile messages', () => {
  /** Sends a text to a fresh server; says what it answered and whether the channel is still open. */
  async function send(text: string) {
    const { server, client, ends, isOpen } = makeChannels();
    const events = makeSource();
    const called: string[] = [];
    const names = Object.keys(commands) as CommandName[];
    const own = Object.fromEntries(names.map((name) => [name, async () => void called.push(name)]));
    serveApi(server, own as unknown as Handlers, events.source);
    client.listen(
      () => undefined,
      () => undefined,
    );
    client.send(text);
    await turn();
    return { answers: ends.server.sent, open: isOpen(), called };
  }
  const frame = (m: unknown, a: unknown, more: object = {}) =>
    JSON.stringify({ t: 'q', m, a, i: 'x', ...more });

  test.each([
    '',
    'hello',
    '{',
    'null',
    '7',
    '"call"',
    '[]',
    '{}',
    '{"t":"q"}',
    '{"t":"s","i":"x","r":1}',
    frame('__proto__', []),
    frame('constructor', ['alert(1)']),
    frame('toString', []),
    frame('__defineGetter__', ['x', 'y']),
    frame('hasOwnProperty', ['call']),
    frame('$close', []),
    frame('call', null),
    frame('call', {}),
    frame('call', []),
    frame('call', ['1', 'plans.list', null]),
    frame('call', [1.5, 'plans.list', null]),
    frame('call', [1, ['plans.list'], null]),
    frame('call', [1, 'x'.repeat(200), null]),
    frame('cancel', ['all']),
    frame('call', [1, 'plans.list', null], { i: 'x'.repeat(200) }),
    frame('call', [1, 'plans.list', null], { i: { toString: 1 } }),
    '{"t":"q","m":"call","a":{"length":1000000000},"i":"x"}',
  ])('%s closes the channel, calls nothing and is not answered', async (text) => {
    expect(await send(text)).toEqual({ answers: [], open: false, called: [] });
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '', 'runs', 'runs.list '])(
    'the command %j is refused with a message',
    async (name) => {
      const { answers, open, called } = await send(frame('call', [1, name, null]));
      expect(open).toBe(true);
      expect(called).toEqual([]);
      expect(answers).toHaveLength(1);
      expect(JSON.parse(answers[0] ?? '')).toMatchObject({
        t: 's',
        i: 'x',
        r: { ok: false, error: { code: 'bad-input' } },
      });
    },
  );

  test('keys of the prototype in the input change no prototype and reach no handler', async () => {
    const text = `{"t":"q","i":"x","m":"call","a":[1,"runs.list",{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}]}`;
    const { called, open } = await send(text);
    expect(open).toBe(true);
    expect(called).toEqual(['runs.list']);
    expect('polluted' in {}).toBe(false);
  });

  test('an input nested a hundred thousand deep is refused, and the next call works', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { answers, open } = await send(
      `{"t":"q","i":"x","m":"call","a":[1,"plans.validate",{"plan":${deep}}]}`,
    );
    expect(open).toBe(true);
    expect(JSON.parse(answers[0] ?? '')).toMatchObject({ r: { ok: false } });
  });

  test('a call id that is used twice at once is refused, and both are let go when the channel closes', async () => {
    const { server, client, ends } = makeChannels();
    const signals: AbortSignal[] = [];
    const wait = (_: unknown, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<never>(() => undefined);
    };
    serveApi(server, makeHandlers({ 'runs.stop': wait }), makeSource().source);
    client.listen(
      () => undefined,
      () => undefined,
    );
    client.send(frame('call', [1, 'runs.stop', { id: 'a' }]));
    client.send(frame('call', [1, 'runs.stop', { id: 'a' }]));
    await turn();
    expect(signals).toHaveLength(1);
    expect(ends.server.sent.join()).toContain('bad-input');
    client.close();
    await turn();
    expect(signals[0]?.aborted).toBe(true);
  });

  test('any text and any JSON leaves the process alone', async () => {
    const near = fc.record(
      {
        t: fc.constantFrom('q', 's', 'x'),
        m: fc.oneof(fc.constantFrom('call', 'cancel', 'event'), fc.string()),
        a: fc.oneof(
          fc.jsonValue(),
          fc.tuple(fc.integer(), fc.constantFrom(...Object.keys(commands)), fc.jsonValue()),
        ),
        i: fc.oneof(fc.string(), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      near.map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(text, async (sample) => void (await send(sample))),
      { numRuns: 500 },
    );
  });

  test.each(['', 'null', '{}', '{"t":"q","m":"event","a":[]}', '{"t":"s"}', '[1]'])(
    'from the core (%s) the client ends the channel and rejects what is pending',
    async (text) => {
      const { server, client, isOpen } = makeChannels();
      server.listen(
        () => undefined,
        () => undefined,
      );
      const lost: string[] = [];
      const api = connectApi(client, () => lost.push('lost'));
      const call = api.call('plans.list', null);
      server.send(text);
      await expect(call).rejects.toMatchObject({ code: 'connection-lost' });
      expect(isOpen()).toBe(false);
      expect(lost).toEqual(['lost']);
    },
  );

  test('an event with a name that the contract has not is passed over', async () => {
    const { server, client, isOpen } = makeChannels();
    server.listen(
      () => undefined,
      () => undefined,
    );
    connectApi(client, () => undefined);
    for (const name of ['constructor', '__proto__', 'run.danced']) {
      server.send(JSON.stringify({ t: 'q', m: 'event', a: [name, {}] }));
    }
    await turn();
    expect(isOpen()).toBe(true);
  });
});
