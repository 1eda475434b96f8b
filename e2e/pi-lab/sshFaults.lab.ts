import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Remote } from '../../src-main/hosts/remote.ts';
import { readHostKey } from '../../src-main/hosts/ssh/index.ts';
import type { AppError } from '../../src-shared/errors.ts';
import { ensureRootFs } from './rootFs.ts';
import { until } from './shell.ts';
import { errorOf, signIn } from './signIn.ts';
import { bootPi, type VirtualPi } from './virtualPi.ts';

let pi: VirtualPi;
const never = new AbortController().signal;

beforeAll(async () => {
  pi = await bootPi(13, await ensureRootFs((line) => process.stderr.write(`${line}\n`), 'bare'));
});
afterAll(async () => {
  await pi?.close();
});

const host = () => ({
  name: 'Lab',
  address: pi.address,
  port: 22,
  user: pi.user,
  auth: { method: 'password' as const },
  hostKey: null,
});

/** Resolves once the Pi has printed the first line of a command that then goes on for ever. */
async function underWay(remote: Remote): Promise<{ ended: Promise<AppError>; lines: string[] }> {
  const lines: string[] = [];
  let begin: () => void;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = errorOf(
    remote.stream(
      ['sh', '-c', 'while :; do echo alive; sleep 1; done'],
      (line) => {
        lines.push(line);
        begin();
      },
      {},
    ),
  );
  await begun;
  return { ended, lines };
}

describe('a connection', () => {
  it('that sshd drops in mid-command rejects everything at once, and the next call signs in anew', async () => {
    const remote = await signIn(pi);
    const { ended } = await underWay(remote);
    const others = [1, 2, 3].map(() => errorOf(remote.run(['sleep', '1000'])));
    const since = performance.now();
    await pi.sshd(false);
    for (const error of await Promise.all([ended, ...others])) expect(error.code).toBe('connection-lost');
    // The keepalive would have taken 40 s.
    expect(performance.now() - since).toBeLessThan(20_000);
    expect((await errorOf(remote.run(['true']))).code).toBe('connection-refused');
    await pi.sshd(true);
    expect((await remote.run(['echo', 'back'])).stdout).toBe('back\n');
    await remote.close();
    expect((await errorOf(remote.run(['true']))).code).toBe('cancelled');
  });

  it('whose cable is out is noticed by the keepalive', async () => {
    const remote = await signIn(pi);
    const { ended } = await underWay(remote);
    await pi.cable(false);
    const error = await ended;
    await pi.cable(true);
    expect(error).toMatchObject({ code: 'connection-lost', detail: 'the host stopped answering' });
    // This machine holds the address for unreachable a moment longer.
    const answer = await until('the sign-in', () => remote.run(['echo', 'back']));
    expect(answer.stdout).toBe('back\n');
    await remote.close();
  });

  it('holds while the cable is out for a moment only', async () => {
    const remote = await signIn(pi);
    const { ended, lines } = await underWay(remote);
    await pi.cable(false);
    const before = lines.length;
    await pi.exec('sh', '-c', 'sleep 5');
    await pi.cable(true);
    await until('more lines', async () => (lines.length > before + 3 ? true : null));
    await remote.close();
    expect((await ended).code).toBe('connection-lost');
  });

  it('holds on a network that loses every tenth packet', async () => {
    const remote = await signIn(pi);
    await pi.badNetwork({ mbit: 20, lossPercent: 10 });
    try {
      const sum = await remote.run(['sh', '-c', 'seq 200000 | tee /dev/stderr | cksum']);
      expect(sum.code).toBe(0);
      expect(sum.stderr.length).toBe(1_288_895);
    } finally {
      await pi.badNetwork(null);
    }
    await remote.close();
  });
});

describe('a restart', () => {
  it('ends with the new connection in place and another boot id', async () => {
    const remote = await signIn(pi);
    const bootId = async () => (await remote.run(['cat', '/proc/sys/kernel/random/boot_id'])).stdout;
    const before = await bootId();
    await remote.reboot(never);
    expect(await bootId()).not.toBe(before);
    expect(pi.boots()).toBe(2);
    expect((await remote.run(['id', '-u'], { root: true })).stdout).toBe('0\n');
    await remote.close();
  });

  it('that another began is survived as well', async () => {
    const remote = await signIn(pi);
    const { ended } = await underWay(remote);
    await pi.reboot();
    expect((await ended).code).toBe('connection-lost');
    const answer = await until('the sign-in', () => remote.run(['echo', 'back']));
    expect(answer.stdout).toBe('back\n');
    await remote.close();
  });

  it('stops waiting when told to', async () => {
    const remote = await signIn(pi);
    const abort = new AbortController();
    const restart = errorOf(remote.reboot(abort.signal));
    await until('the restart', async () => (pi.boots() === 4 ? true : null));
    abort.abort();
    // It may have been back already, by a hair.
    await restart.catch(() => null);
    await pi.sshUp();
    await remote.close();
  });

  it('is refused by whom sudo refuses', async () => {
    await pi.sudo('impossible');
    const remote = await signIn(pi);
    expect((await errorOf(remote.reboot(never))).code).toBe('no-permission');
    await pi.sudo('password');
    await remote.close();
  });
});

describe('sshd', () => {
  it('never counts our ways as an attack', async () => {
    for (let i = 0; i < 20; i++) {
      const remote = await signIn(pi);
      expect((await remote.run(['true'])).code).toBe(0);
      await remote.close();
    }
    for (let i = 0; i < 5; i++) await readHostKey(host(), never);
    await pi.exec('journalctl', '--sync');
    expect(await pi.exec('journalctl', '-u', 'ssh', '--no-pager', '-o', 'cat')).not.toMatch(/penalty|drop/i);
    await (await signIn(pi)).close();
  });
});

describe('the lab', () => {
  it('slows a Pi down, and lets it go again', async () => {
    const remote = await signIn(pi);
    const script = 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; cut -d" " -f14,15 /proc/$$/stat';
    /** Processor time over time, of one busy shell. A machine under load can only make it less. */
    const share = async () => {
      const since = performance.now();
      const ticks = (await remote.script(script)).stdout.split(' ').map(Number);
      return ((ticks[0] ?? 0) + (ticks[1] ?? 0)) / 100 / ((performance.now() - since) / 1000);
    };
    await pi.slowDown(5);
    const slow = await share();
    await pi.slowDown(null);
    expect(slow).toBeLessThan(0.1);
    expect(await share()).toBeGreaterThan(slow);
    await remote.close();
  });

  it('tells what was changed on a Pi, and that nothing was', async () => {
    const before = await pi.snapshot();
    expect(await pi.snapshot()).toEqual(before);
    await pi.exec('sh', '-c', 'echo x > /etc/new; chmod 600 /etc/fstab; systemctl disable -q cron');
    const after = await pi.snapshot();
    const changed = [
      ...after.filter((l) => !before.includes(l)),
      ...before.filter((l) => !after.includes(l)),
    ];
    for (const word of ['/etc/new', '/etc/fstab', 'cron.service'])
      expect(changed.some((line) => line.includes(word))).toBe(true);
    expect(changed.some((line) => line.includes('/etc/passwd'))).toBe(false);
  });

  it('sets the clock off, holds the lock of dpkg, and undoes both', async () => {
    const year = () => pi.exec('date', '+%Y');
    const now = await year();
    await pi.clockOff(-400 * 86_400);
    expect(Number(await year())).toBeLessThan(Number(now));
    await pi.clockOff(null);
    expect(await year()).toBe(now);
    const release = await pi.holdDpkgLock();
    const remove = () => pi.exec('apt-get', '-q', '-y', 'remove', 'less');
    await expect(remove()).rejects.toThrow('/var/lib/dpkg/lock-frontend');
    await release();
    await remove();
  });

  it('shows what only a board has, as it is at the moment', async () => {
    await pi.board({ throttled: '0x50005', temperatureC: 81.2, memoryGb: 1, clockMhz: 600 });
    const read = 'vcgencmd get_throttled; cat /sys/class/hwmon/hwmon*/in0_lcrit_alarm';
    expect(await pi.exec('sh', '-c', read)).toBe('throttled=0x50005\n1\n');
    const files = [
      '/sys/class/thermal/thermal_zone0/temp',
      '/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq',
    ];
    expect(await pi.exec('cat', ...files)).toBe('81200\n600000\n');
    expect(await pi.exec('head', '-n', '1', '/proc/meminfo')).toMatch(/^MemTotal: +892376 kB\n$/);
    expect(await pi.exec('cat', '/sys/firmware/devicetree/base/model')).toBe(
      'Raspberry Pi 4 Model B Rev 1.4\0',
    );
  });
});
