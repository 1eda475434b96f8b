import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestApp, removeFolder, type TestApp } from './testApp.ts';

let app: TestApp;
/** Where nothing listens. */
let port: number;
beforeEach(async () => {
  app = await openTestApp();
  port = await freePort();
});
afterEach(async () => {
  await app.close();
  removeFolder(app.folder);
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}

/** A target on a host that answers on neither port. */
async function awayTarget(): Promise<{ hostId: string; targetId: string }> {
  const host = await app.api.call('hosts.save', {
    id: null,
    name: 'rpi-away',
    address: '127.0.0.1',
    port,
    user: 'pi',
    auth: { method: 'password' },
    group: null,
    secret: 'p',
  });
  const target = await app.api.call('targets.save', {
    id: null,
    name: 'away',
    engine: 'postgresql',
    connection: { host: '127.0.0.1', port, user: 'postgres' },
    secret: 'p',
    hostId: host.id,
  });
  return { hostId: host.id, targetId: target.id };
}
const plan = {
  version: 1 as const,
  name: 'A load',
  target: 'away',
  steps: [{ 'tsbs.load': { scale: 1 } }],
  repeat: 1,
};

test('a host that cannot be asked is a line that has not passed: no run begins unless one says why', async () => {
  const { hostId, targetId } = await awayTarget();
  await expect(app.api.call('runs.start', { plan, targetId })).rejects.toMatchObject({
    code: 'host-not-ready',
    message: 'rpi-away is not ready for a run',
    detail: expect.stringMatching(/^Host: The host is there, but nothing answers on its SSH port/),
  });
  expect(await app.api.call('runs.list', {})).toEqual([]);
  const [told] = app.heardOf('run.gate');
  expect(told).toMatchObject({ targetId, hostName: 'rpi-away', checks: [{ id: 'host', result: 'fail' }] });
  const [host] = await app.api.call('hosts.list', null);
  expect(host).toMatchObject({ id: hostId, gate: { checks: [{ id: 'host', code: 'connection-refused' }] } });

  const overrideGate = 'SSH is off on it';
  const { id } = await app.api.call('runs.start', { plan, targetId, overrideGate });
  await app.until('run.changed', ({ head, final }) => head.id === id && final);
  const run = await app.api.call('runs.get', { id });
  expect(run.host?.gate).toMatchObject({ override: overrideGate, checks: [{ id: 'host', result: 'fail' }] });
  // It then ends for its own reason.
  expect(run).toMatchObject({ status: 'failed', error: { code: 'connection-refused' } });
});

test('a target without a host, or with one that was removed, has no gate', async () => {
  const { hostId, targetId } = await awayTarget();
  await app.api.call('hosts.remove', { id: hostId });
  const { id } = await app.api.call('runs.start', { plan, targetId });
  await app.until('run.changed', ({ head, final }) => head.id === id && final);
  expect((await app.api.call('runs.get', { id })).host).toBeNull();
  expect(app.heardOf('run.gate')).toEqual([]);
});
