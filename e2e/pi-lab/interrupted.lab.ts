import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { appears, type Bench, exists, hostName, openBench, type Recipes } from './provisionBench.ts';
import { ensureRootFs } from './rootFs.ts';
import { until } from './shell.ts';
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

const secret = 'lab "s3cret" \' $(touch /etc/lab-hacked) ü';
const waiting: Recipes = [{ id: 'lab-slow', parameters: { secret } }];

let pi: VirtualPi;
let bench: Bench;
let pristine: string[];

beforeAll(async () => {
  pi = await bootPi(135, await ensureRootFs((line) => process.stderr.write(`${line}\n`), 'bare'));
  bench = await openBench(pi);
  pristine = await bench.snapshot();
});
afterAll(async () => {
  await bench?.close();
  await pi?.close();
});
beforeEach(() => pi.exec('rm', '-f', '/run/lab-go'));
afterEach(async () => {
  await pi.exec('sh', '-c', 'rm -f /etc/lab-*');
});

/** As before, with nothing left in memory or on the disk. */
async function isPristine(): Promise<void> {
  expect(await exists(pi, '/run/benchberry')).toBe(false);
  expect(await exists(pi, '/var/lib/benchberry')).toBe(false);
  expect(await bench.snapshot()).toEqual(pristine);
}

describe('in mid-step', () => {
  it('sshd is gone: the step goes on, is followed and verified; it was begun once', async () => {
    const { id } = await bench.plan(waiting);
    const end = bench.applyPlanned(id);
    await appears(pi, '/etc/lab-times');
    await pi.sshd(false);
    await pi.exec('touch', '/run/lab-go');
    await pi.sshd(true);
    const made = await end;
    expect(made.status, bench.logOf(made)).toBe('done');
    expect(await pi.exec('cat', '/etc/lab-times')).toBe('begun\n');
    expect(await exists(pi, '/run/benchberry')).toBe(false);
    const hash = await pi.exec('sh', '-c', 'printf %s "$1" | sha256sum', 'sh', secret);
    expect(await pi.exec('cat', '/etc/lab-secret')).toBe(hash);
    expect(await exists(pi, '/etc/lab-hacked')).toBe(false);
    const kept = JSON.stringify(bench.app.heard) + (await pi.exec('sh', '-c', 'cat /var/lib/benchberry/*'));
    expect(kept).not.toContain('s3cret');
    await bench.undo(id);
    await isPristine();
  });

  it('the cable is out for 30 s: the step goes on without us, and is not begun a second time', async () => {
    const { id } = await bench.plan(waiting);
    const end = bench.applyPlanned(id);
    await appears(pi, '/etc/lab-times');
    await pi.cable(false);
    const out = performance.now();
    await pi.exec('touch', '/run/lab-go');
    await until('the end of the step', async () =>
      (await pi.exec('cat', '/etc/lab-slow')) === 'all\n' ? true : null,
    );
    await until('30 s without a cable', async () => (performance.now() - out > 30_000 ? true : null));
    await pi.cable(true);
    const made = await end;
    expect(made.status, bench.logOf(made)).toBe('done');
    expect(await pi.exec('cat', '/etc/lab-times')).toBe('begun\n');
    await bench.undo(id);
    await isPristine();
  });

  it('the host is restarted by somebody: the step is looked at anew and made again', async () => {
    const { id } = await bench.plan(waiting);
    const end = bench.applyPlanned(id);
    await appears(pi, '/etc/lab-times');
    await pi.reboot();
    await until('the second try', async () =>
      (await pi.exec('cat', '/etc/lab-times')) === 'begun\nbegun\n' ? true : null,
    );
    await pi.exec('touch', '/run/lab-go');
    const made = await end;
    expect(made.status, bench.logOf(made)).toBe('done');
    expect(made.steps[0]?.log).toContain('The connection was lost');
    const undone = await bench.undo(id);
    // What was there before the first try: no file.
    expect(undone.steps[0]?.log).toContain(`${JSON.stringify({ before: '' }).length}\n`);
    await isPristine();
  });

  it('it is cancelled: it ends, the step stays to do, undo knows the state before, apply goes on', async () => {
    const { id } = await bench.plan(waiting);
    const end = bench.applyPlanned(id);
    await appears(pi, '/etc/lab-times');
    await bench.app.api.call('provision.cancel', { id });
    const stopped = await end;
    expect(stopped).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } });
    expect(bench.states(stopped)).toEqual(['lab-slow.wait to-do']);
    expect(await exists(pi, '/run/benchberry')).toBe(false);
    expect(await pi.exec('cat', '/etc/lab-slow')).toBe('half\n');
    await pi.exec('touch', '/run/lab-go');
    expect((await bench.applyPlanned(id)).status).toBe('done');
    await bench.undo(id);
    await isPristine();
  });

  it('the command line is killed: another process goes on where it stopped', async () => {
    const args = ['host', 'provision', hostName, '--recipe', 'database-from-packages', '--yes'];
    const { child } = bench.command(args, { BENCHBERRY_PASSWORD: 'a password' });
    await appears(pi, '/run/benchberry/pid');
    child.kill('SIGKILL');
    await once(child, 'exit');
    // Opened anew, the app finds that its process is gone.
    await bench.reopen();
    const [cut] = await bench.app.api.call('provision.list', { hostId: bench.hostId });
    expect(cut).toMatchObject({ status: 'failed', error: { code: 'connection-lost' } });
    const made = await bench.apply([
      { id: 'database-from-packages', parameters: { password: 'a password' } },
    ]);
    expect(made.status, bench.logOf(made)).toBe('done');
    expect(await pi.exec('dpkg', '--audit')).toBe('');
    await bench.undo(made.id);
    await bench.undo(cut?.id ?? '');
    await isPristine();
  });
});

describe('a restart that steps need', () => {
  it('is one for all of them', async () => {
    const boots = pi.boots();
    const { id } = await bench.plan([{ id: 'lab-restarts' }]);
    const made = await bench.applyPlanned(id);
    expect(made.status, bench.logOf(made)).toBe('done');
    expect(pi.boots()).toBe(boots + 1);
    expect(await pi.exec('cat', '/etc/lab-times-one', '/etc/lab-times-two')).toBe('made\nmade\n');
    expect((await bench.applyPlanned(id)).status).toBe('done');
    expect(pi.boots()).toBe(boots + 1);
    await bench.undo(id);
    expect(await exists(pi, '/etc/lab-one')).toBe(false);
  });
});
