import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Handlers } from './api.ts';
import { connectApi } from './client.ts';
import { type CommandName, commands } from './commands.ts';
import { serveApi } from './server.ts';
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
