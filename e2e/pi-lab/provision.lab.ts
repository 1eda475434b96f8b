import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestApp, removeFolder, type TestApp } from '../../src-main/app/testApp.ts';
import type { HostDraft } from '../../src-shared/model/host.ts';
import { type Provisioning, provisioningSchema } from '../../src-shared/model/provision.ts';
import { ensureRootFs, type Variant } from './rootFs.ts';
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

let pi: VirtualPi;
let app: TestApp;
let hostId: string;

async function boot(n: number, variant: Variant): Promise<void> {
  pi = await bootPi(n, await ensureRootFs((line) => process.stderr.write(`${line}\n`), variant));
  app = await openTestApp();
  hostId = await addHost(app);
}
async function shut(): Promise<void> {
  await app?.close();
  if (app) removeFolder(app.folder);
  await pi?.close();
}
async function addHost(to: TestApp): Promise<string> {
  const draft: HostDraft = {
    id: null,
    name: 'Lab Pi',
    address: pi.address,
    port: 22,
    user: pi.user,
    auth: { method: 'password' },
    group: null,
    secret: pi.password,
  };
  const { id } = await to.api.call('hosts.save', draft);
  const { key } = await to.api.call('hosts.key', { id });
  expect(key.fingerprint).toBe(await pi.hostKey());
  await to.api.call('hosts.trust', { id, key });
  return id;
}

type Recipes = { id: string; parameters?: Record<string, string | number | boolean> }[];
const plan = (recipes: Recipes, on = app) =>
  on.api.call('provision.plan', {
    hostId,
    recipes: recipes.map(({ id, parameters = {} }) => ({ id, parameters })),
  });

/** Begins and waits for the end. */
async function finish(
  command: 'provision.apply' | 'provision.undo',
  id: string,
  on = app,
): Promise<Provisioning> {
  const end = new Promise<Provisioning>((resolve) => {
    const off = on.api.on('provision.changed', (each) => {
      if (each.id !== id || each.status === 'applying' || each.status === 'undoing') return;
      off();
      resolve(each);
    });
  });
  await on.api.call(command, { id });
  return end;
}
const apply = (id: string) => finish('provision.apply', id);
const undo = (id: string) => finish('provision.undo', id);
const states = ({ steps }: Provisioning) => Object.fromEntries(steps.map(({ id, state }) => [id, state]));
const story = ({ steps, error }: Provisioning) =>
  JSON.stringify(error) + steps.map(({ id, log, evidence }) => `\n${id}: ${evidence}\n${log}`).join('');

/** What a sign-in and the inventory's questions wake up for a while is no change of the host. */
const passing = /user@|user-runtime|\.sudo_as_admin|\/home\/pi |systemd-(timedated|hostnamed|logind)/;
/** Without journal and lists that systemd writes by itself. */
const snapshot = async () => [
  // Columns are as wide as their widest cell, of a unit that may be gone.
  ...(await pi.snapshot()).filter((line) => !passing.test(line)).map((line) => line.replace(/ +/g, ' ')),
  await pi.exec('sh', '-c', 'sha256sum /var/lib/dpkg/status; ls -A /var/lib/benchberry 2>&1 | wc -l'),
];
const exists = (path: string) => pi.exec('sh', '-c', 'test -e "$1" && echo yes || echo no', 'sh', path);
const appears = (path: string) =>
  until(path, async () => ((await exists(path)).trim() === 'yes' ? true : null));

describe('headless on a virtual Pi with a desktop', () => {
  beforeAll(() => boot(21, 'desktop'));
  afterAll(shut);
  const recipes: Recipes = [{ id: 'headless', parameters: { stronger: true } }];
  let pristine: string[];
  let settled: string[];
  let first: Provisioning;

  it('is planned without a change; --dry-run of the command line too', async () => {
    pristine = await snapshot();
    first = await plan(recipes);
    expect(first.preflight.map(({ id, result }) => `${id} ${result}`)).toEqual([
      'architecture pass',
      'release pass',
      'packages pass',
      'space pass',
      'memory pass',
      'clock pass',
      'sudo pass',
      'dpkg pass',
      'network pass',
    ]);
    expect(new Set(Object.values(states(first)))).toEqual(new Set(['to-do']));
    expect(await snapshot()).toEqual(pristine);
    const dry = await benchberry([
      'host',
      'provision',
      'Lab Pi',
      '--recipe',
      'headless',
      '--dry-run',
      '--json',
    ]);
    expect(dry.code, dry.errors).toBe(0);
    expect(states(provisioningSchema.parse(JSON.parse(dry.output)))).toEqual({
      'headless.stop-desktop': 'to-do',
      'headless.boot-target': 'to-do',
    });
    expect(await snapshot()).toEqual(pristine);
  });

  it('is made and verified', async () => {
    const made = await apply(first.id);
    expect(made.status, story(made)).toBe('done');
    expect(new Set(Object.values(states(made)))).toEqual(new Set(['done']));
    expect(await pi.exec('systemctl', 'get-default')).toBe('multi-user.target\n');
    const on = await pi.exec('sh', '-c', 'systemctl is-active lightdm graphical.target; true');
    expect(on.split('\n').slice(0, 2)).toEqual(['inactive', 'inactive']);
    expect(made.steps[0]?.evidence).toMatch(/memory available, .* before/);
    settled = await snapshot();
    expect(settled).not.toEqual(pristine);
  });

  it('changes nothing when it is applied again, or planned and applied anew', async () => {
    const again = await apply(first.id);
    expect(new Set(Object.values(states(again)))).toEqual(new Set(['done']));
    expect(await snapshot()).toEqual(settled);
    const anew = await plan(recipes);
    expect(new Set(Object.values(states(anew)))).toEqual(new Set(['already-so']));
    expect((await apply(anew.id)).status).toBe('done');
    expect(await snapshot()).toEqual(settled);
  });

  it('holds over a restart', async () => {
    await pi.reboot();
    const on = await pi.exec('sh', '-c', 'systemctl is-active lightdm graphical.target plymouth-start; true');
    expect(on).not.toMatch(/^active/m);
    expect(await pi.exec('systemctl', 'get-default')).toBe('multi-user.target\n');
  });

  it('is undone from another workbench, by what the host itself remembers', async () => {
    const other = await openTestApp();
    try {
      const mine = hostId;
      hostId = await addHost(other);
      await plan(recipes, other);
      const known = (await other.api.call('provision.list', { hostId })).find(({ id }) => id === first.id);
      expect(known).toMatchObject({ status: 'done', hostId });
      const undone = await finish('provision.undo', first.id, other);
      expect(undone.status, story(undone)).toBe('undone');
      hostId = mine;
    } finally {
      await other.close();
      removeFolder(other.folder);
    }
    await until('the desktop', async () =>
      (await pi.exec('sh', '-c', 'systemctl is-active lightdm; true')) === 'active\n' ? true : null,
    );
    expect(await snapshot()).toEqual(pristine);
  });
});

describe('what goes wrong on the way', () => {
  beforeAll(() => boot(22, 'bare'));
  afterAll(shut);
  beforeEach(() => pi.exec('rm', '-f', '/run/lab-go'));
  afterEach(async () => {
    await pi.exec('sh', '-c', 'rm -f /etc/lab-*');
  });
  const waiting: Recipes = [{ id: 'lab-slow', parameters: { secret } }];

  it('sshd gone in mid-step: the step goes on, is followed and verified; it was begun once', async () => {
    const { id } = await plan(waiting);
    const end = apply(id);
    await appears('/etc/lab-times');
    await pi.sshd(false);
    await pi.exec('touch', '/run/lab-go');
    await pi.sshd(true);
    const made = await end;
    expect(made.status, story(made)).toBe('done');
    expect(await pi.exec('cat', '/etc/lab-times')).toBe('begun\n');
    expect(await exists('/run/benchberry')).toBe('no\n');
    const hash = await pi.exec('sh', '-c', 'printf %s "$1" | sha256sum', 'sh', secret);
    expect(await pi.exec('cat', '/etc/lab-secret')).toBe(hash);
    expect(await exists('/etc/lab-hacked')).toBe('no\n');
    const kept = JSON.stringify(app.heard) + (await pi.exec('sh', '-c', 'cat /var/lib/benchberry/*'));
    expect(kept).not.toContain('s3cret');
    expect((await undo(id)).status).toBe('undone');
    expect(await exists('/var/lib/benchberry')).toBe('no\n');
  });

  it('cancelled in mid-step: it ends, the step stays to do, undo knows the state before, apply goes on', async () => {
    const { id } = await plan(waiting);
    const end = apply(id);
    await appears('/etc/lab-times');
    await app.api.call('provision.cancel', { id });
    const stopped = await end;
    expect(stopped).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } });
    expect(states(stopped)).toEqual({ 'lab-slow.wait': 'to-do' });
    expect(await exists('/run/benchberry')).toBe('no\n');
    expect(await pi.exec('cat', '/etc/lab-slow')).toBe('half\n');
    await pi.exec('touch', '/run/lab-go');
    expect((await apply(id)).status).toBe('done');
    const undone = await undo(id);
    expect(undone.status).toBe('undone');
    // The state saved is the one before the first try: no file.
    expect(undone.steps[0]?.log).toContain(`${JSON.stringify({ before: '' }).length}\n`);
    expect(await exists('/etc/lab-slow')).toBe('no\n');
  });

  it('one restart for all steps that need it', async () => {
    const boots = pi.boots();
    const { id } = await plan([{ id: 'lab-restarts' }]);
    const made = await apply(id);
    expect(made.status, story(made)).toBe('done');
    expect(pi.boots()).toBe(boots + 1);
    expect(await pi.exec('cat', '/etc/lab-times-one', '/etc/lab-times-two')).toBe('made\nmade\n');
    expect((await apply(id)).status).toBe('done');
    expect(pi.boots()).toBe(boots + 1);
    expect((await undo(id)).status).toBe('undone');
    expect(await exists('/etc/lab-one')).toBe('no\n');
  });

  it('a held dpkg lock is waited for and said', async () => {
    const release = await pi.holdDpkgLock();
    const planned = await plan(waiting);
    expect(planned.preflight.find(({ id }) => id === 'dpkg')).toMatchObject({ result: 'wait' });
    await pi.exec('touch', '/run/lab-go');
    const end = apply(planned.id);
    await app.until(
      'provision.changed',
      ({ id, status, preflight }) =>
        id === planned.id &&
        status === 'applying' &&
        preflight.some((line) => line.id === 'dpkg' && line.result === 'wait'),
    );
    expect(await exists('/etc/lab-slow')).toBe('no\n');
    await release();
    expect((await end).status).toBe('done');
    await undo(planned.id);
  });

  it('no right to become root, a wrong clock: refused before the first change, with the reason', async () => {
    await pi.sudo('impossible');
    const planned = await plan(waiting);
    expect(planned.preflight.find(({ id }) => id === 'sudo')).toMatchObject({ result: 'fail' });
    await pi.sudo('password');
    await pi.clockOff(-365 * 86_400);
    const late = await plan(waiting);
    expect(late.preflight.find(({ id }) => id === 'clock')).toMatchObject({ result: 'fail', unit: 's' });
    const refused = await apply(late.id);
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'unsupported' } });
    expect(refused.error?.message).toMatch(/^Clock: /);
    await pi.clockOff(null);
    expect(await exists('/etc/lab-slow')).toBe('no\n');
    expect(await exists('/var/lib/benchberry')).toBe('no\n');
  });

  it('the command line killed in mid-step: another process goes on where it stopped', async () => {
    const child = start(['host', 'provision', 'Lab Pi', '--recipe', 'database-from-packages', '--yes'], {
      BENCHBERRY_PASSWORD: 'a password',
    });
    await appears('/run/benchberry/pid');
    child.kill('SIGKILL');
    await once(child, 'exit');
    // Opened anew, the app finds that its process is gone.
    const { folder, secrets } = app;
    await app.close();
    app = await openTestApp(folder, secrets);
    const [cut] = await app.api.call('provision.list', { hostId });
    expect(cut).toMatchObject({ status: 'failed', error: { code: 'connection-lost' } });
    const again = await plan([{ id: 'database-from-packages', parameters: { password: 'a password' } }]);
    const made = await apply(again.id);
    expect(made.status, story(made)).toBe('done');
    expect(await pi.exec('dpkg', '--audit')).toBe('');
  });
});

describe('quiet for the run', () => {
  beforeAll(() => boot(23, 'bare'));
  afterAll(shut);
  const timers = async () =>
    (await pi.exec('sh', '-c', "systemctl list-units --plain --no-legend --type=timer | awk '{ print $1 }'"))
      .split('\n')
      .filter((line) => line !== '');

  it('is restored when the app dies', async () => {
    const before = await timers();
    expect(before).toContain('apt-daily.timer');
    const { key } = await app.api.call('hosts.key', { id: hostId });
    const args = [pi.address, key.type, key.fingerprint, '6'];
    const child = spawn(process.execPath, [join(import.meta.dirname, 'quietChild.ts'), ...args], {
      env: { ...process.env, LAB_PASSWORD: pi.password },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [told] = await once(child.stdout.setEncoding('utf8'), 'data');
    expect(String(told).trim().split(' ')).toContain('apt-daily.timer');
    expect(await timers()).not.toContain('apt-daily.timer');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await until('the timers', async () => ((await timers()).length === before.length ? true : null));
    expect(await timers()).toEqual(before);
    expect(await exists('/run/benchberry-quiet-run')).toBe('no\n');
  });

  it('as a recipe is made and undone', async () => {
    const before = await timers();
    const { id } = await plan([{ id: 'quiet' }]);
    expect((await apply(id)).status).toBe('done');
    expect(await timers()).not.toContain('apt-daily.timer');
    expect((await undo(id)).status).toBe('undone');
    await until('the timers', async () => ((await timers()).length === before.length ? true : null));
  });
});

const main = join(import.meta.dirname, '../../src-main/cli/main.ts');
function start(args: string[], env: Record<string, string> = {}) {
  return spawn(process.execPath, [main, ...args], {
    env: { ...process.env, BENCHBERRY_DATA: app.folder, BENCHBERRY_HOST_PASSWORD: pi.password, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
async function benchberry(args: string[]) {
  const child = start(args);
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code] = await once(child, 'close');
  return { code: Number(code), output, errors };
}
