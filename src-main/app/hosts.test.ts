import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HostDraft } from '../../src-shared/model/host.ts';
import { hostSecretIds } from './hostDirectory.ts';
import { makeFolder, openTestApp, removeFolder, type TestApp } from './testApp.ts';

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
});
afterEach(async () => {
  await app.close();
  removeFolder(app.folder);
});
const draft: HostDraft = {
  id: null,
  name: 'rpi',
  address: 'raspberrypi.local',
  port: 22,
  user: 'pi',
  auth: { method: 'password' },
  group: null,
  secret: null,
};

test('a host is saved, changed, removed and restored; lists are told to be stale', async () => {
  const host = await app.api.call('hosts.save', { ...draft, secret: 'one' });
  expect(host).toMatchObject({ name: 'rpi', hasSecret: true, hostKey: null, inventory: null });
  const again = await app.api.call('hosts.save', { ...draft, id: host.id, user: 'maria' });
  expect(again).toEqual({ ...host, user: 'maria' });
  await app.api.call('hosts.remove', { id: host.id });
  expect(await app.api.call('hosts.list', null)).toEqual([]);
  expect(await app.api.call('hosts.restore', { id: host.id })).toEqual(again);
  expect(app.heardOf('lists.changed').filter(({ what }) => what === 'hosts')).toHaveLength(4);
});

test('secrets of sign-in and sudo are apart, and never in the data file', async () => {
  const { id } = await app.api.call('hosts.save', { ...draft, secret: 'the-login-secret' });
  await app.api.call('hosts.setSecret', { id, kind: 'sudo', secret: 'the-sudo-secret' });
  const [login, sudo] = hostSecretIds(id);
  expect(await app.secrets.get(login ?? '')).toBe('the-login-secret');
  expect(await app.secrets.get(sudo ?? '')).toBe('the-sudo-secret');
  const listed = await app.api.call('hosts.list', null);
  expect(JSON.stringify(listed)).not.toMatch(/the-(login|sudo)-secret/);
  await app.api.call('hosts.setSecret', { id, kind: 'login', secret: '' });
  expect(await app.api.call('hosts.list', null)).toMatchObject([{ hasSecret: false }]);
  expect(await app.secrets.get(sudo ?? '')).toBe('the-sudo-secret');
});

test('another way to sign in forgets the secret of the way before', async () => {
  const { id } = await app.api.call('hosts.save', { ...draft, secret: 'password' });
  const auth = { method: 'key', keyFile: '~/.ssh/id_ed25519' } as const;
  expect(await app.api.call('hosts.save', { ...draft, id, auth })).toMatchObject({ hasSecret: false });
});

test('an unknown host is not-found; a taken name names its field', async () => {
  await expect(app.api.call('hosts.remove', { id: 'none' })).rejects.toMatchObject({ code: 'not-found' });
  await app.api.call('hosts.save', draft);
  await expect(app.api.call('hosts.save', { ...draft, name: 'RPI' })).rejects.toMatchObject({
    code: 'bad-input',
    place: { field: 'name' },
  });
});

test('hosts are there again when the app is opened again', async () => {
  const folder = makeFolder();
  const first = await openTestApp(folder);
  const host = await first.api.call('hosts.save', draft);
  await first.close();
  const second = await openTestApp(folder);
  expect(await second.api.call('hosts.list', null)).toEqual([host]);
  await second.close();
  removeFolder(folder);
});
