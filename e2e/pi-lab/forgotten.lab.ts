import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { memorySecrets } from '../../src-main/app/secrets.ts';
import { openTestApp, removeFolder } from '../../src-main/app/testApp.ts';
import type { Provisioning } from '../../src-shared/model/provision.ts';
import { addHost, appears } from './provisionBench.ts';
import { ensureRootFs } from './rootFs.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

// Recipes that only this lab has, beside the real ones.
vi.mock('../../src-main/provision/registry.ts', async (original) => {
  const real = await original<typeof import('../../src-main/provision/registry.ts')>();
  const { labRecipes } = await import('./labRecipes.ts');
  return {
    ...real,
    findRecipe: (id: string) => labRecipes.find((each) => each.id === id) ?? real.findRecipe(id),
  };
});

let pi: VirtualPi;
beforeAll(async () => {
  pi = await bootPi(113, await ensureRootFs((line) => process.stderr.write(`${line}\n`), 'bare'));
});
afterAll(() => pi?.close());

it('a plan that was cut off by the end of the app, its passwords with it, asks for each and goes on', async () => {
  const first = await openTestApp();
  const { id: hostId } = await addHost(first, pi);
  const recipes = [{ id: 'lab-slow', parameters: { secret: 'the first' } }];
  const { id } = await first.api.call('provision.plan', { hostId, recipes });
  await first.api.call('provision.apply', { id });
  await appears(pi, '/etc/lab-times');
  await first.close();

  // Nothing is kept but what is in the store.
  const app = await openTestApp(first.folder, memorySecrets());
  const resume = async (): Promise<Provisioning> => {
    const heard = app.heardOf('provision.changed').length;
    await app.api.call('provision.apply', { id });
    return app.until(
      'provision.changed',
      (each) =>
        app.heardOf('provision.changed').length > heard &&
        each.id === id &&
        each.status !== 'applying' &&
        each.updatedAt > started,
    );
  };
  let started = new Date().toISOString();
  expect((await resume()).error).toMatchObject({ code: 'password-needed', secret: 'login' });
  await app.api.call('hosts.setSecret', { id: hostId, kind: 'login', secret: pi.password });
  started = new Date().toISOString();
  const lacking = await resume();
  expect(lacking.error).toMatchObject({
    code: 'password-needed',
    secret: 'recipe',
    place: { field: 'recipes[0].secret' },
  });
  await expect(
    app.api.call('provision.setSecret', { id, field: 'recipes[0].other', secret: 'x' }),
  ).rejects.toMatchObject({ code: 'bad-input' });
  await app.api.call('provision.setSecret', { id, field: 'recipes[0].secret', secret: 'the second' });
  await pi.exec('touch', '/run/lab-go');
  started = new Date().toISOString();
  const done = await resume();
  expect(done.status, JSON.stringify(done)).toBe('done');
  expect(await pi.exec('cat', '/etc/lab-slow')).toBe('all\n');
  expect(JSON.stringify(app.heard)).not.toContain('the second');
  await app.close();
  removeFolder(first.folder);
});
