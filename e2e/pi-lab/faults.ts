import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Container, limitCpu } from './container.ts';
import { type BadNetwork, disturb, type PiNetwork } from './network.ts';
import { run, until } from './shell.ts';

/** What can go wrong with a Pi, made to happen. */
export interface Faults {
  /** Pulls the network cable, or puts it back. */
  cable(plugged: boolean): Promise<void>;
  /** Bad Wi-Fi: few bits a second to the Pi, and packets lost both ways; null mends it. */
  badNetwork(fault: BadNetwork | null): Promise<void>;
  /** Cuts the way to everything but this machine: no package archive, no name server; or mends it. */
  archives(reachable: boolean): Promise<void>;
  /** Kills sshd and every session at once, or starts it again. */
  sshd(running: boolean): Promise<void>;
  /** Restarts the whole system; resolves when it has started and takes sign-ins again. */
  reboot(): Promise<void>;
  /** New host keys, as after writing the card anew. */
  newHostKey(): Promise<void>;
  /** Holds dpkg's lock as a running apt does, until the returned function is called. */
  holdDpkgLock(): Promise<() => Promise<void>>;
  /** A program that listens on this port, until the returned function is called. */
  holdPort(port: number): Promise<() => Promise<void>>;
  /**
   * Sets the clock off by so many seconds for every program started from then on (through libfaketime: a container has the
   * kernel's clock, which is this machine's); null mends it.
   */
  clockOff(seconds: number | null): Promise<void>;
  /** Leaves it this share of one core; null gives all back. */
  slowDown(percent: number | null): Promise<void>;
  /** Fills the file system at this path to the last byte; returns the way back. */
  fillDisk(path: string): Promise<() => Promise<void>>;
}

// dpkg locks with fcntl, which flock(1) does not; struct flock as perl packs it on 64-bit Linux.
const lockScript = `use Fcntl;
open(my $f, '+>>', '/var/lib/dpkg/lock-frontend') or die $!;
my $lock = pack('s s x4 q q l x4', F_WRLCK, 0, 0, 0, 0);
fcntl($f, F_SETLK, $lock) or die $!;`;

const portScript = (port: number) => `use IO::Socket::INET;
my $s = IO::Socket::INET->new(LocalPort => ${port}, Listen => 1, ReuseAddr => 1) or die $!;`;

/** Looks from inside: a probe from outside would count as an attack. */
export function listening(net: PiNetwork, port: number): Promise<true> {
  return until(`port ${port} of the virtual Pi`, async () =>
    (await run('ip', ['netns', 'exec', net.name, 'ss', '-Hltn', `sport = :${port}`])) === '' ? null : true,
  );
}

/** sshd listens before the system has started, and then turns users away (pam_nologin). */
export async function booted(net: PiNetwork, exec: (command: string, ...args: string[]) => Promise<string>) {
  await until('the start of the virtual Pi', async () => {
    const state = await exec('sh', '-c', 'systemctl is-system-running || true');
    return /^(running|degraded)/.test(state) ? true : null;
  });
  await listening(net, 22);
}

export function faultsOf(
  net: PiNetwork,
  root: string,
  container: Container,
  exec: (command: string, ...args: string[]) => Promise<string>,
): Faults {
  const sshListens = () => listening(net, 22);
  let held = 0;
  /**
   * A Perl script that holds something, as a unit of the Pi: a child of this machine would stand in the way of its
   * power-off when a test that has failed leaves it behind.
   */
  const hold = async (script: string) => {
    held += 1;
    const unit = `lab-hold-${held}`;
    const told = `/run/${unit}`;
    const whole = `${script}\nopen(my $t, '>', '${told}') or die $!; close $t; sleep 1 while 1;`;
    const options = ['--quiet', '--collect', '--expand-environment=no', `--unit=${unit}`];
    await exec('systemd-run', ...options, 'perl', '-e', whole);
    await until('what is to be held', () => exec('test', '-e', told));
    return async () => {
      await exec('systemctl', 'stop', unit);
      await exec('rm', told);
    };
  };
  return {
    cable: async (plugged) => {
      // At the Pi's end: without a route of its own, this machine would send the packets elsewhere.
      await run('ip', ['-n', net.name, 'link', 'set', 'eth0', plugged ? 'up' : 'down']);
      if (plugged) await run('ip', ['-n', net.name, 'route', 'replace', 'default', 'via', net.workbench]);
    },
    archives: async (reachable) => {
      const way = reachable ? ['replace', 'default', 'via', net.workbench] : ['del', 'default'];
      await run('ip', ['-n', net.name, 'route', ...way]);
    },
    badNetwork: (fault) => disturb(net, fault),
    sshd: async (running) => {
      await exec('systemctl', running ? 'start' : 'stop', 'ssh');
      if (running) await sshListens();
      // Debian's unit leaves sessions alone when it is stopped.
      else await exec('sh', '-c', 'pkill -KILL sshd-session || true');
    },
    reboot: async () => {
      const before = container.boots;
      await exec('systemctl', 'reboot', '--no-block');
      await until('the reboot', async () => (container.boots > before ? true : null));
      await booted(net, exec);
    },
    newHostKey: async () => {
      await exec('sh', '-c', 'rm /etc/ssh/ssh_host_* && ssh-keygen -q -A && systemctl restart ssh');
      await sshListens();
    },
    holdDpkgLock: () => hold(lockScript),
    holdPort: (port) => hold(portScript(port)),
    clockOff: async (seconds) => {
      const preload = join(root, 'etc/ld.so.preload');
      const offset = join(root, 'etc/faketimerc');
      if (seconds === null) for (const file of [preload, offset]) await rm(file, { force: true });
      else {
        const sign = seconds < 0 ? '-' : '+';
        await writeFile(offset, `${sign}${Math.abs(seconds)}\n`);
        await writeFile(preload, '/usr/$LIB/faketime/libfaketime.so.1\n');
        await chmod(preload, 0o644);
      }
    },
    slowDown: (percent) => limitCpu(net, percent),
    fillDisk: async (path) => {
      const file = join(path, 'filled-up');
      // Both end with an error when no block is left: that is the wish.
      const fill = 'cat /dev/zero > "$1"; sync -f "$1"; dd if=/dev/zero bs=1k >> "$1"; sync -f "$1"; true';
      await exec('sh', '-c', fill, 'sh', file);
      return async () => {
        await exec('rm', file);
      };
    },
  };
}
