import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provisioning } from '../../src-shared/model/provision.ts';
import { type Bench, exists, openBench, type Recipes } from './provisionBench.ts';
import { ensureRootFs } from './rootFs.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

const password = 'a password for the lab';
const folder = '/srv/small/data';
const headless: Recipes = [{ id: 'headless' }];
const database: Recipes = [{ id: 'database-from-packages', parameters: { password, dataFolder: folder } }];

let pi: VirtualPi;
let bench: Bench;
let pristine: string[];

beforeAll(async () => {
  pi = await bootPi(131, await ensureRootFs((line) => process.stderr.write(`${line}\n`), 'bare'));
  bench = await openBench(pi);
  pristine = await bench.snapshot();
});
afterAll(async () => {
  await bench?.close();
  await pi?.close();
});

const preflightOf = ({ preflight }: Provisioning, id: string) => preflight.find((line) => line.id === id);

/** A disk of its own in memory at that path. */
async function smallDisk(path: string, size: string): Promise<() => Promise<void>> {
  await pi.exec('mkdir', '-p', path);
  await pi.exec('mount', '-t', 'tmpfs', '-o', `size=${size},mode=755`, 'small', path);
  return async () => {
    await pi.exec('umount', path);
  };
}

/** Failed for this reason on this host, with a next step; what is shown at the step is the same. */
function expectFailure(failed: Provisioning, code: string, message: RegExp, detail: RegExp): void {
  expect(failed.status, bench.logOf(failed)).toBe('failed');
  expect(failed.error).toMatchObject({ code, place: { host: pi.address } });
  expect(failed.error?.message).toMatch(message);
  expect(failed.error?.detail).toMatch(detail);
  expect(failed.error?.hint).toMatch(/pply again|try again/);
  expect(failed.steps.find(({ state }) => state === 'failed')?.error).toEqual(failed.error);
}

describe('before the first change', () => {
  it('no right to become root is told, and stops it', async () => {
    await pi.sudo('impossible');
    const planned = await bench.plan(headless);
    expect(preflightOf(planned, 'sudo')).toMatchObject({ result: 'fail' });
    expect(preflightOf(planned, 'sudo')?.detail).toMatch(/pi may not become root/);
    const refused = await bench.applyPlanned(planned.id);
    expect(refused).toMatchObject({
      status: 'failed',
      error: {
        code: 'no-permission',
        message: 'pi may not become root on this host',
        place: { host: pi.address },
        hint: expect.stringMatching(/.+/),
      },
    });
    await pi.sudo('password');
    expect(await bench.snapshot()).toEqual(pristine);
  });

  it('a clock a year off stops it, either way; mended, it goes on', async () => {
    await pi.clockOff(365 * 86_400);
    const ahead = await bench.plan(headless);
    expect(preflightOf(ahead, 'clock')?.detail).toMatch(/^315\d{5} s ahead of this machine$/);
    await pi.clockOff(-365 * 86_400);
    const refused = await bench.applyPlanned(ahead.id);
    expect(refused).toMatchObject({
      status: 'failed',
      error: {
        code: 'unsupported',
        place: { host: pi.address },
        message: expect.stringMatching(/^Clock: 315\d{5} s behind this machine$/),
        hint: expect.stringContaining('timedatectl set-ntp true'),
      },
    });
    expect(await exists(pi, '/var/lib/benchberry')).toBe(false);
    await pi.clockOff(null);
    const made = await bench.applyPlanned(ahead.id);
    expect(made.status, bench.logOf(made)).toBe('done');
    await bench.undo(ahead.id);
    expect(await bench.snapshot()).toEqual(pristine);
  });

  it('a held dpkg lock is waited for and said', async () => {
    const release = await pi.holdDpkgLock();
    const { id, ...planned } = await bench.plan(headless);
    expect(preflightOf({ id, ...planned }, 'dpkg')).toMatchObject({ result: 'wait' });
    const end = bench.applyPlanned(id);
    await bench.app.until(
      'provision.changed',
      (each) => each.id === id && each.status === 'applying' && preflightOf(each, 'dpkg')?.result === 'wait',
    );
    expect(await exists(pi, '/var/lib/benchberry')).toBe(false);
    await release();
    expect((await end).status).toBe('done');
    await bench.undo(id);
    expect(await bench.snapshot()).toEqual(pristine);
  });

  it('a full disk where the state before is to be kept: nothing is changed', async () => {
    const emptied = await smallDisk('/var/lib/benchberry', '4k');
    const planned = await bench.plan(headless);
    expectFailure(await bench.applyPlanned(planned.id), 'disk-full', /./, /No space left on device/);
    expect(await bench.snapshot()).toEqual(pristine);
    await emptied();
    expect((await bench.applyPlanned(planned.id)).status).toBe('done');
    await bench.undo(planned.id);
    expect(await exists(pi, '/var/lib/benchberry')).toBe(false);
    expect(await bench.snapshot()).toEqual(pristine);
  });
});

describe('a database from packages', () => {
  let id: string;

  it('no package archive: warned of, failed with its reason, nothing half done', async () => {
    await pi.archives(false);
    const planned = await bench.plan(database);
    id = planned.id;
    expect(preflightOf(planned, 'network')).toMatchObject({ result: 'warn' });
    expectFailure(
      await bench.applyPlanned(id),
      'server-error',
      /^Install TimescaleDB: the host cannot fetch what it needs$/,
      /resolving|connect|unreachable/,
    );
    expect(await bench.snapshot()).toEqual(pristine);
    expect(await pi.exec('dpkg', '--audit')).toBe('');
    await pi.archives(true);
  });

  it('no room for packages: said, and nothing half done', async () => {
    const emptied = await smallDisk('/var/cache/apt/archives', '1m');
    await pi.exec('mkdir', '/var/cache/apt/archives/partial');
    expectFailure(
      await bench.applyPlanned(id),
      'disk-full',
      /^Install TimescaleDB: there is no room left on the host$/,
      /free space in \/var\/cache\/apt\/archives/,
    );
    expect(await bench.snapshot()).toEqual(pristine);
    await emptied();
  });

  it('no room for the data: said, what was made before stays verified, and it goes on there', async () => {
    const emptied = await smallDisk('/srv/small', '20m');
    const full = await bench.applyPlanned(id);
    expectFailure(full, 'disk-full', /^Make a cluster of its own on port 5433: there is no room/, /No space/);
    expect(bench.states(full)).toEqual([
      'database-from-packages.packages done',
      'database-from-packages.cluster failed',
      'database-from-packages.user to-do',
    ]);
    expect(await pi.exec('pg_lsclusters', '-h')).toBe('');
    await emptied();
  });

  it('another program on the port since it was planned: said, and it goes on when that is gone', async () => {
    const release = await pi.holdPort(5433);
    expectFailure(
      await bench.applyPlanned(id),
      'server-error',
      /^Make a cluster of its own on port 5433: another program has the port$/,
      /Address already in use/,
    );
    await release();
    const made = await bench.applyPlanned(id);
    expect(made.status, bench.logOf(made)).toBe('done');
    expect(await pi.exec('stat', '-c', '%U %a', folder)).toBe('postgres 700\n');
    await bench.loads(made);
  });

  it('undone after all that, the host is as it was', async () => {
    await bench.undo(id);
    expect(await exists(pi, folder)).toBe(false);
    expect(await exists(pi, '/var/lib/benchberry')).toBe(false);
    expect(await bench.snapshot()).toEqual(pristine);
  });
});
