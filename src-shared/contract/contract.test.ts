import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError, cancelled } from '../errors.ts';
import type { Handlers } from './api.ts';
import { connectApi } from './client.ts';
import { directApi, serveApi } from './server.ts';
import { makeChannels, makeHandlers, makeSource, turn } from './testChannel.ts';

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
const list = { filter: '', limit: 1000 };

describe('a call', () => {
  test('reaches its handler parsed, with defaults, and its answer comes back', async () => {
    const seen: unknown[] = [];
    const { api } = connect({
      'runs.list': async (input) => {
        seen.push(input);
        return [];
      },
    });
    expect(await api.call('runs.list', { filter: 'x' })).toEqual([]);
    expect(seen).toEqual([{ ...list, filter: 'x' }]);
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
