import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TargetDraft } from '../../src-shared/model/target.ts';
import { loadPlan, openTestApp, removeFolder, type TestApp } from './testApp.ts';

let app: TestApp;
beforeEach(async () => {
  vi.stubEnv('BENCHBERRY_LOG', 'debug');
  app = await openTestApp();
});
afterEach(async () => {
  await app.close();
  removeFolder(app.folder);
  vi.unstubAllEnvs();
});
const draft = (part: Partial<TargetDraft> = {}): TargetDraft => ({
  id: null,
  name: 'rpi-3',
  engine: 'postgresql',
  connection: { host: '127.0.0.1', port: 1 },
  secret: null,
  ...part,
});
const names = async () => (await app.api.call('targets.list', null)).map(({ name }) => name);

describe('targets', () => {
  test('a server that takes the connection and never answers is not waited for for ever', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const asked = once(silent, 'connection');
      const silence = draft({ engine: 'questdb', connection: { host: '127.0.0.1', port } });
      const testing = app.api.call('targets.test', { draft: silence }).catch((error: unknown) => error);
      const [socket] = await asked;
      await once(socket, 'data');
      vi.advanceTimersByTime(60_000);
      expect(await testing).toMatchObject({
        code: 'connection-timeout',
        message: expect.stringContaining('did not answer within 60 s'),
        hint: expect.stringContaining('port'),
      });
    } finally {
      vi.useRealTimers();
      silent.close();
    }
  });

  test('the built-in ones are there first and cannot be changed or taken', async () => {
    expect(await names()).toEqual(['sandbox', 'null']);
    const bad = { code: 'bad-input' };
    await expect(app.api.call('targets.remove', { id: 'sandbox' })).rejects.toMatchObject(bad);
    await expect(app.api.call('targets.save', draft({ id: 'sandbox' }))).rejects.toMatchObject({});
    await expect(app.api.call('targets.save', draft({ engine: 'sandbox' }))).rejects.toMatchObject(bad);
    await expect(app.api.call('targets.save', draft({ name: 'Null' }))).rejects.toMatchObject({
      ...bad,
      place: { field: 'name' },
    });
    expect(await names()).toEqual(['sandbox', 'null']);
  });

  test('are saved with their defaults, changed, removed and restored; the password survives the removal', async () => {
    const saved = await app.api.call('targets.save', draft({ secret: 'hunter2' }));
    expect(saved).toMatchObject({
      hasSecret: true,
      builtIn: false,
      connection: { host: '127.0.0.1', port: 1, user: 'postgres' },
    });
    const changed = await app.api.call(
      'targets.save',
      draft({ id: saved.id, name: 'pi', connection: { host: 'h' } }),
    );
    expect(changed).toMatchObject({
      id: saved.id,
      name: 'pi',
      hasSecret: true,
      createdAt: saved.createdAt,
      connection: { host: 'h', port: 5432 },
    });
    await app.api.call('targets.remove', { id: saved.id });
    expect(await names()).toEqual(['sandbox', 'null']);
    await expect(app.api.call('targets.test', { id: saved.id, secret: null })).rejects.toMatchObject({
      code: 'not-found',
    });
    expect(await app.api.call('targets.restore', { id: saved.id })).toEqual(changed);
    expect(await app.secrets.get(saved.id)).toBe('hunter2');
    await app.api.call('targets.save', draft({ id: saved.id, name: 'pi', secret: '' }));
    expect(await app.secrets.get(saved.id)).toBeNull();
    expect(app.heardOf('lists.changed').filter(({ what }) => what === 'targets')).toHaveLength(5);
  });

  test.each([
    ['port', { host: 'h', port: 70_000 }],
    ['port', { host: 'h', port: 'many' }],
    ['host', { host: '' }],
    ['tlsMode', { host: 'h', tlsMode: 'maybe' }],
  ] as const)('a wrong %s is named by its field', async (field, connection) => {
    const error = { code: 'bad-input', place: { field } };
    await expect(app.api.call('targets.save', draft({ connection }))).rejects.toMatchObject(error);
    await expect(app.api.call('targets.test', { draft: draft({ connection }) })).rejects.toMatchObject(error);
  });

  test('of an engine that does not exist, or with a name that is taken, are refused', async () => {
    await expect(app.api.call('targets.save', draft({ engine: 'oracle' }))).rejects.toMatchObject({
      code: 'not-found',
    });
    await app.api.call('targets.save', draft());
    await expect(app.api.call('targets.save', draft({ name: 'RPI-3' }))).rejects.toMatchObject({
      code: 'bad-input',
      place: { field: 'name' },
    });
  });

  test('a refused connection says where', async () => {
    const saved = await app.api.call('targets.save', draft());
    const error = { code: 'connection-refused', place: { host: '127.0.0.1', port: 1 } };
    await expect(app.api.call('targets.test', { id: saved.id, secret: null })).rejects.toMatchObject(error);
    await expect(app.api.call('targets.test', { draft: draft() })).rejects.toMatchObject(error);
    const check = await app.api.call('plans.check', { plan: loadPlan(1, 1), targetId: saved.id });
    expect(check.items.map(({ ok, title }) => [ok, title])).toEqual([
      [true, 'Plan'],
      [false, 'Connect to rpi-3'],
    ]);
  });

  test('a connection test can be cancelled', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = address instanceof Object ? address.port : 0;
    const controller = new AbortController();
    const reached = new Promise((resolve) => silent.once('connection', resolve));
    const call = app.api.call(
      'targets.test',
      { draft: draft({ connection: { host: '127.0.0.1', port } }) },
      controller.signal,
    );
    await reached;
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await new Promise((resolve) => silent.close(resolve));
  });

  test('names and URLs resolve; a URL is a target of this session only', async () => {
    const saved = await app.api.call('targets.save', draft());
    expect(await app.api.call('targets.resolve', { nameOrUrl: 'rpi-3' })).toEqual(saved);
    expect(await app.api.call('targets.resolve', { nameOrUrl: 'RPI-3' })).toEqual(saved);
    expect(await app.api.call('targets.resolve', { nameOrUrl: 'null' })).toMatchObject({ id: 'null' });
    await expect(app.api.call('targets.resolve', { nameOrUrl: 'rpi3' })).rejects.toMatchObject({
      code: 'not-found',
      hint: 'Did you mean rpi-3?',
    });
    const url = await app.api.call('targets.resolve', { nameOrUrl: 'postgresql://me:hunter2@127.0.0.1:1/x' });
    expect(url).toMatchObject({
      name: 'postgresql://me@127.0.0.1:1/x',
      hasSecret: true,
      connection: { port: 1, user: 'me' },
    });
    expect(await names()).toEqual(['sandbox', 'null', 'rpi-3']);
    expect(await app.secrets.get(url.id)).toBeNull();
    await app.api.call('targets.setSecret', { id: url.id, secret: 'other' });
    expect(await app.secrets.get(url.id)).toBeNull();
    await expect(app.api.call('targets.test', { id: url.id, secret: null })).rejects.toMatchObject({
      code: 'connection-refused',
    });
    await expect(app.api.call('targets.setSecret', { id: 'none', secret: 'x' })).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});

test('a password is nowhere but in the secret store: no file, no event, no answer, no error has it', async () => {
  const secret = 'hunter2-Zq7';
  const url = `postgresql://me:${secret}@127.0.0.1:1/x`;
  const said: unknown[] = [];
  const call: TestApp['api']['call'] = async (...args) => {
    const result = await app.api.call(...args);
    said.push(result);
    return result;
  };
  const failing = async (work: Promise<unknown>) => {
    const error: unknown = await work.then(
      () => 'it worked',
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Error);
    said.push(JSON.stringify(error), String(error), error instanceof Error ? error.stack : '');
  };
  const plan = { ...loadPlan(1, 1), target: url };
  const target = await call('targets.save', draft({ secret }));
  await call('targets.setSecret', { id: target.id, secret });
  await failing(call('targets.test', { id: target.id, secret }));
  await failing(call('targets.test', { draft: draft({ secret }) }));
  await failing(call('targets.save', draft({ name: ' ', secret })));
  await failing(call('targets.save', draft({ name: 'other', secret, connection: { port: secret } })));
  await failing(call('targets.resolve', { nameOrUrl: `oracle://me:${secret}@h` }));
  await failing(call('targets.resolve', { nameOrUrl: `${url}?colour=red` }));
  const temporary = await call('targets.resolve', { nameOrUrl: url });
  await call('plans.save', { id: null, plan });
  await call('plans.list', null);
  await call('plans.check', { plan, targetId: temporary.id });
  for (const targetId of [target.id, temporary.id]) {
    const { id } = await call('runs.start', { plan, targetId });
    await app.until('run.changed', ({ head, final }) => final && head.id === id);
    expect(await call('runs.get', { id })).toMatchObject({
      status: 'failed',
      error: { code: 'connection-refused' },
    });
    await call('runs.series', { id });
    await call('runs.text', { id });
  }
  await call('targets.list', null);
  expect(await app.secrets.get(target.id)).toBe(secret);
  expect(JSON.stringify([said, app.heard])).not.toContain(secret);
  const look = () => {
    const files = readdirSync(app.folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(app.folder, name))
      .filter((file) => statSync(file).isFile());
    expect(files.map((file) => file.slice(app.folder.length + 1))).toEqual(
      expect.arrayContaining(['benchberry.log', 'benchberry.sqlite']),
    );
    return files.filter((file) => readFileSync(file).includes(secret));
  };
  expect(look()).toEqual([]);
  await app.close();
  expect(look()).toEqual([]);
  expect(readFileSync(join(app.folder, 'benchberry.log'), 'utf8')).toContain('connection-refused');
});
