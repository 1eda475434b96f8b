import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Provisioning, provisioningSchema } from '../../src-shared/model/provision.ts';
import { type Bench, exists, hostName, openBench } from './provisionBench.ts';
import { ensureRootFs } from './rootFs.ts';
import { until } from './shell.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

const password = 'a password for the lab';

let pi: VirtualPi;
let bench: Bench;

beforeAll(async () => {
  pi = await bootPi(134, await ensureRootFs((line) => process.stderr.write(`${line}\n`), 'desktop'));
  bench = await openBench(pi);
});
afterAll(async () => {
  await bench?.close();
  await pi?.close();
});

const recipes = [
  { id: 'headless', parameters: { stronger: true } },
  { id: 'database-from-packages', parameters: { password } },
];
const headless = [
  'headless.stop-desktop',
  'headless.boot-target',
  'headless.display-manager',
  'headless.plymouth',
  'headless.graphical-target',
];
const database = [
  'database-from-packages.packages',
  'database-from-packages.cluster',
  'database-from-packages.user',
];
const all = (state: string) => [...headless, ...database].map((id) => `${id} ${state}`);

describe('a virtual Pi with a desktop becomes a database server', () => {
  let pristine: string[];
  let settled: string[];
  let first: Provisioning;

  it('is planned without a change; --dry-run of the command line too', async () => {
    pristine = await bench.snapshot();
    first = await bench.plan(recipes);
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
    expect(bench.states(first)).toEqual(all('to-do'));
    expect(await bench.snapshot()).toEqual(pristine);
    const args = ['host', 'provision', hostName, '--recipe', 'headless', '--dry-run', '--json'];
    const dry = await bench.command(args).ended;
    expect(dry.code, dry.errors).toBe(0);
    expect(bench.states(provisioningSchema.parse(JSON.parse(dry.output)))).toEqual(
      headless.slice(0, 2).map((id) => `${id} to-do`),
    );
    expect(await bench.snapshot()).toEqual(pristine);
  });

  it('is made and verified, and takes a load over the network', async () => {
    const made = await bench.applyPlanned(first.id);
    expect(made.status, bench.logOf(made)).toBe('done');
    expect(bench.states(made)).toEqual(all('done'));
    expect(await pi.exec('systemctl', 'get-default')).toBe('multi-user.target\n');
    const on = await pi.exec('sh', '-c', 'systemctl is-active lightdm graphical.target; true');
    expect(on.split('\n').slice(0, 2)).toEqual(['inactive', 'inactive']);
    expect(made.steps[0]?.evidence).toMatch(/memory available, .* before/);
    settled = await bench.snapshot();
    expect(settled).not.toEqual(pristine);
    await bench.loads(made);
  });

  it('changes nothing when it is applied again, or planned and applied anew', async () => {
    const again = await bench.applyPlanned(first.id);
    expect(bench.states(again)).toEqual(all('done'));
    expect(await bench.snapshot()).toEqual(settled);
    const anew = await bench.plan(recipes);
    expect(bench.states(anew)).toEqual(all('already-so'));
    expect((await bench.applyPlanned(anew.id)).status).toBe('done');
    expect(await bench.snapshot()).toEqual(settled);
  });

  it('holds over a restart, the database too', async () => {
    await pi.reboot();
    await bench.untilPlanned(recipes, (planned) => bench.states(planned).join() === all('already-so').join());
    const on = await pi.exec('sh', '-c', 'systemctl is-active lightdm graphical.target plymouth-start; true');
    expect(on).not.toMatch(/^active/m);
    expect(await pi.exec('systemctl', 'get-default')).toBe('multi-user.target\n');
  });

  it('is undone from another workbench, by what the host itself remembers', async () => {
    const other = await openBench(pi);
    try {
      await other.plan(recipes);
      const list = await other.app.api.call('provision.list', { hostId: other.hostId });
      expect(list.find(({ id }) => id === first.id)).toMatchObject({ status: 'done', hostId: other.hostId });
      await other.undo(first.id);
    } finally {
      await other.close();
    }
    await until('the desktop', async () =>
      (await pi.exec('sh', '-c', 'systemctl is-active lightdm; true')) === 'active\n' ? true : null,
    );
    expect(await exists(pi, '/var/lib/benchberry')).toBe(false);
    expect(await bench.snapshot()).toEqual(pristine);
  });
});
