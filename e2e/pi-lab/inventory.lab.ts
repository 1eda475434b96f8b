import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate, machineChecks } from '../../src-main/hosts/checks/index.ts';
import { readInventory } from '../../src-main/hosts/inventory/readInventory.ts';
import type { Remote } from '../../src-main/hosts/remote.ts';
import { type Inventory, inventorySchema } from '../../src-shared/model/host.ts';
import { ensureRootFs, type Variant } from './rootFs.ts';
import { until } from './shell.ts';
import { errorOf, processes, signIn } from './signIn.ts';
import { bootPi, type PiOptions, type VirtualPi } from './virtualPi.ts';

const log = (line: string) => process.stderr.write(`${line}\n`);
const never = new AbortController().signal;
let pi: VirtualPi;
let remote: Remote;

function booted(n: number, variant: Variant, options: PiOptions = {}): void {
  beforeAll(async () => {
    pi = await bootPi(n, await ensureRootFs(log, variant), options);
    remote = await signIn(pi);
  });
  afterAll(async () => {
    await remote?.close();
    await pi?.close();
  });
}

const inventory = async (): Promise<Inventory> => {
  const read = await readInventory(remote, never);
  expect(inventorySchema.parse(read)).toEqual(read);
  return read;
};
const asked = async (id: string) => {
  const line = (await gate(remote, never)).find((check) => check.id === id);
  if (line === undefined) throw new Error(`the gate has no line ${id}`);
  return line;
};

/** Its configuration, but for services that are started by a question and end by themselves. */
const state = async () =>
  (await pi.snapshot()).filter((line) => !line.includes('timedated')).map((line) => line.replace(/ +/g, ' '));
/** Files and processes that a check has not taken away. */
const leftOver = async () => [
  ...(await pi.exec('find', '/', '-name', '.benchberry*', '-not', '-path', '/proc/*'))
    .split('\n')
    .filter(Boolean),
  ...Array(await processes(pi, 'while :; do|perl -e|dd (if|of)=|pg_test_fsync')).fill('a process'),
];
const nothingLeft = () =>
  until('the end of the check', async () => ((await leftOver()).length === 0 ? true : null));

describe('a bare Pi', () => {
  booted(31, 'bare', {
    board: { memoryGb: 1, temperatureC: 51.5, clockMhz: 600 },
    disks: [{ path: '/srv/pg data', megabytes: 400 }],
  });

  it('is read over SSH as it is, and stays so', async () => {
    const before = await state();
    const read = await inventory();
    expect(read).toMatchObject({
      model: { value: 'Raspberry Pi 4 Model B Rev 1.4' },
      memoryBytes: { value: 892_376 * 1024 },
      pageSizeBytes: { value: 4096 },
      os: { value: 'Debian GNU/Linux 13 (trixie)' },
      distribution: { value: 'debian' },
      codename: { value: 'trixie' },
      network: { device: { value: 'eth0' }, wifi: { value: false } },
      gui: { displayManager: { value: null }, running: { value: false } },
      postgresClusters: [],
      docker: { version: { value: null } },
      memoryCgroup: { value: false },
      sudo: { value: 'password' },
      aptBusy: { value: false },
      rebootPending: { value: false },
      temperatureC: { value: 51.5 },
      clockMhz: { value: 600 },
      maxClockMhz: { value: 1500 },
      throttle: { value: { underVoltage: false, underVoltageOccurred: false } },
    });
    expect(read.userlandArch.value).toBe((await pi.exec('dpkg', '--print-architecture')).trim());
    expect(read.cores.value).toBe(Number(await pi.exec('nproc')));
    expect(read.ports).toContainEqual({ port: 22, process: null });
    expect(read.bootId.value).toBe((await pi.exec('cat', '/proc/sys/kernel/random/boot_id')).trim());
    expect(Math.abs(read.clockOffsetSeconds.value ?? 99)).toBeLessThan(2);
    expect(read.network.roundTripUs).toBeGreaterThan(0);
    expect(await state()).toEqual(before);
  });

  it('names the owner of a port only where it may look', async () => {
    await pi.sudo('none');
    const read = await inventory();
    expect(read.sudo.value).toBe('none');
    expect(read.ports.find(({ port }) => port === 22)?.process).toMatch(/^sshd|^systemd/);
    await pi.sudo('impossible');
    // Groups count from the next sign-in on.
    const other = await signIn(pi);
    expect((await readInventory(other, never)).sudo.value).toBe('impossible');
    await other.close();
    await pi.sudo('password');
  });

  it('tells under-voltage, now and before', async () => {
    await pi.board({ throttled: '0x50005' });
    expect((await inventory()).throttle.value).toMatchObject({ underVoltage: true, throttled: true });
    expect(await asked('throttle')).toMatchObject({
      result: 'fail',
      detail: 'Right now: under-voltage, throttled',
    });
    await pi.board({ throttled: '0x50000' });
    expect(await asked('throttle')).toMatchObject({ result: 'warn' });
    await pi.board({ throttled: '0x0', temperatureC: 71 });
    expect(await asked('throttle')).toMatchObject({ result: 'pass' });
    expect(await asked('temperature')).toMatchObject({ result: 'wait', value: 71 });
    await pi.board({ temperatureC: 44 });
  });

  it('does without vcgencmd', async () => {
    await pi.exec('mv', '/usr/bin/vcgencmd', '/usr/bin/vcgencmd.away');
    const read = await inventory();
    expect(read.throttle.value).toBeNull();
    expect(read.throttle.raw).toContain('not found');
    expect(read.temperatureC.value).toBe(44);
    await pi.board({ throttled: '0x1' });
    // The kernel's own alarm.
    expect(await asked('throttle')).toMatchObject({ result: 'fail', detail: 'Right now: under-voltage' });
    await pi.board({ throttled: '0x0' });
    await pi.exec('mv', '/usr/bin/vcgencmd.away', '/usr/bin/vcgencmd');
  });

  it('sees that packages are being worked on', async () => {
    const release = await pi.holdDpkgLock();
    expect((await inventory()).aptBusy.value).toBe(true);
    expect(await asked('apt')).toMatchObject({ result: 'wait' });
    await release();
    expect((await inventory()).aptBusy.value).toBe(false);
    expect(await asked('apt')).toMatchObject({ result: 'pass' });
  });

  it('sees a clock that is a year off', async () => {
    const year = 365 * 86_400;
    await pi.clockOff(-year);
    const offset = (await inventory()).clockOffsetSeconds.value ?? 0;
    expect(Math.abs(offset + year)).toBeLessThan(5);
    expect(await asked('clock-set')).toMatchObject({ result: 'fail' });
    await pi.clockOff(null);
    expect((await asked('clock-set')).result).toMatch(/pass|warn/);
  });

  it('checks the disk the database will lie on, which this user may not write to', async () => {
    const folder = '/srv/pg data/17/main';
    const limits = { sequentialSeconds: 2, seconds: 1, megabytes: 64 };
    const checks = await machineChecks(remote, { folder, limits, seconds: 0.5 }, never);
    expect(checks.map(({ id, result }) => [id, result]).filter(([, result]) => result === 'unknown')).toEqual(
      [],
    );
    const fsync = checks.find(({ id }) => id === 'fsync');
    expect(fsync?.detail).toMatch(/takes [\d.]+ (µs|ms) for an fsync/);
    expect(fsync?.raw).toContain('/srv/pg data');
    await nothingLeft();
  });

  it('says that there is no room, and who may not write', async () => {
    const make = await pi.fillDisk('/srv/pg data');
    const full = await machineChecks(remote, { folder: '/srv/pg data', seconds: 0.1 }, never);
    expect(full.at(-1)).toMatchObject({ result: 'unknown', detail: 'Too little free space to measure' });
    await make();
    await pi.sudo('impossible');
    const other = await signIn(pi);
    const refused = await machineChecks(other, { folder: '/srv/pg data', seconds: 0.1 }, never);
    expect(refused.at(-1)).toMatchObject({ detail: 'This user may write nowhere on this disk' });
    await other.close();
    await pi.sudo('password');
  });

  it.each([
    ['the clock is under load', 'while :; do', '/'],
    ['the file is being written', 'random-write', '/'],
    ['the file is being written as root', 'random-write', '/srv/pg data'],
  ])('leaves no file and no process when cancelled while %s', async (_, process, folder) => {
    const stop = new AbortController();
    const limits = { sequentialSeconds: 2, seconds: 5, megabytes: 64 };
    const running = errorOf(machineChecks(remote, { folder, limits, seconds: 3 }, stop.signal));
    await until('the check', async () => ((await processes(pi, process)) > 0 ? true : null));
    stop.abort();
    expect((await running).code).toBe('cancelled');
    await nothingLeft();
  });

  it('leaves no file when the connection breaks off', async () => {
    const other = await signIn(pi);
    const limits = { sequentialSeconds: 2, seconds: 3, megabytes: 64 };
    const running = errorOf(machineChecks(other, { folder: '/', limits, seconds: 0.5 }, never));
    await until('the check', async () => ((await processes(pi, 'random-write')) > 0 ? true : null));
    await pi.sshd(false);
    expect((await running).code).toBe('connection-lost');
    await nothingLeft();
    await pi.sshd(true);
    await other.close();
  });
});

describe('a Pi with a desktop', () => {
  booted(32, 'desktop', { board: { memoryGb: 4 } });

  it('shows it, and a slow processor', async () => {
    await until('lightdm', () => pi.exec('systemctl', 'is-active', 'lightdm'));
    expect((await inventory()).gui).toMatchObject({
      defaultTarget: { value: 'graphical.target' },
      displayManager: { value: 'lightdm' },
      running: { value: true },
    });
    await pi.exec('systemctl', 'stop', 'lightdm');
    expect((await inventory()).gui.running.value).toBe(false);
    await pi.board({ clockMhz: 600, throttled: '0x50005' });
    const checks = await machineChecks(remote, { folder: '/', seconds: 0.5 }, never);
    expect(checks.find(({ id }) => id === 'clock')).toMatchObject({
      result: 'fail',
      value: 600,
      advice: 'The voltage is too low: use a better power supply.',
    });
  });
});

describe('a Pi with PostgreSQL on 5432', () => {
  booted(33, 'timescaledb');

  it('lists the cluster and its port, running and stopped', async () => {
    const cluster = { version: '17', name: 'main', port: 5432, dataFolder: '/var/lib/postgresql/17/main' };
    const running = await inventory();
    expect(running.postgresClusters).toEqual([{ ...cluster, running: true }]);
    expect(running.ports.map(({ port }) => port)).toEqual(expect.arrayContaining([22, 5432]));
    const checks = await machineChecks(remote, { folder: cluster.dataFolder, seconds: 0.2 }, never);
    expect(checks.find(({ id }) => id === 'fsync')?.detail).toContain('measured with pg_test_fsync');
    await pi.exec('systemctl', 'stop', 'postgresql@17-main');
    expect((await inventory()).postgresClusters).toEqual([{ ...cluster, running: false }]);
  });
});
