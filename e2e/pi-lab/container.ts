import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PiNetwork } from './network.ts';
import { removeNetwork } from './network.ts';
import { run, until } from './shell.ts';

/** A booted system: its processes come and go with reboots, this object stays. */
export interface Container {
  /** Process id of its init, as this machine counts; waits through a reboot. */
  init(): Promise<number>;
  /** How often it has been booted: 1 before the first reboot. */
  readonly boots: number;
  shutDown(): Promise<void>;
}

// The share of the processors is limited in a group of cgroup v1's or v2's, whichever has the controller on this machine.
// Then comes a cgroup2 tree of its own, as systemd inside needs it.
const script = `
for tree in /sys/fs/cgroup/cpu /sys/fs/cgroup; do
  [ -e "$tree/cgroup.procs" ] || continue
  mkdir -p "$tree/$2" && echo $$ > "$tree/$2/cgroup.procs"
  break
done
umount -R /sys/fs/cgroup; mount -t cgroup2 cgroup2 /sys/fs/cgroup
exec systemd-nspawn -D "$1" --boot --register=no --keep-unit --console=pipe \\
  "--network-namespace-path=/run/netns/$2" --capability=all --system-call-filter=@known`;

/** What systemd-nspawn ends with when the system inside has asked for a restart. */
const rebootCode = 133;

/** Boots `root` in the network namespace, and again each time it reboots itself. */
export function bootContainer(root: string, net: PiNetwork): Container {
  let boots = 0;
  let closing = false;
  let child: ChildProcess;
  const start = () => {
    boots += 1;
    child = spawn('unshare', ['-m', 'sh', '-c', script, 'boot', root, net.name], {
      stdio: 'ignore',
      detached: true,
    });
    child.once('exit', (code) => {
      if (code === rebootCode && !closing) start();
    });
  };
  start();
  return {
    get boots() {
      return boots;
    },
    init: () => until('the init process of the virtual Pi', () => initOf(child)),
    shutDown: () =>
      new Promise((resolve) => {
        closing = true;
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGTERM'); // systemd-nspawn turns it into an orderly power-off
      }),
  };
}

async function initOf(parent: ChildProcess): Promise<number | null> {
  const pid = parent.pid;
  if (pid === undefined) throw new Error('systemd-nspawn did not start');
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
    .trim()
    .split(' ')
    .filter(Boolean);
  for (const child of children.map(Number)) {
    if ((await readFile(`/proc/${child}/comm`, 'utf8')).trim() === 'systemd') return child;
  }
  return null;
}

/** Where the share of the processors of this Pi is set; null where the machine has no such controller. */
export async function limitCpu(net: PiNetwork, percent: number | null): Promise<void> {
  const period = 100_000; // µs
  const quota = percent === null ? null : Math.round((percent / 100) * period);
  const v1 = `/sys/fs/cgroup/cpu/${net.name}/cpu.cfs_quota_us`;
  const v2 = `/sys/fs/cgroup/${net.name}/cpu.max`;
  if (existsSync(v1)) await run('sh', ['-c', 'echo "$1" > "$2"', 'sh', String(quota ?? -1), v1]);
  else if (existsSync(v2))
    await run('sh', ['-c', 'echo "$1" > "$2"', 'sh', `${quota ?? 'max'} ${period}`, v2]);
  else throw new Error('this machine has no cpu controller to slow a virtual Pi down with');
}

export async function removeCpuGroup(net: PiNetwork): Promise<void> {
  const group = [`/sys/fs/cgroup/cpu/${net.name}`, `/sys/fs/cgroup/${net.name}`].find((g) => existsSync(g));
  // A group is free only when the kernel has taken leave of its last process.
  if (group !== undefined)
    await until('the end of the last process', () => run('rmdir', [group]).then(() => true));
}

/** Removes what a lab that was killed has left behind under this name. */
export async function sweep(net: PiNetwork): Promise<void> {
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => ''); // it may have just ended
    if (!command.includes(`--network-namespace-path=/run/netns/${net.name}\0`)) continue;
    process.kill(Number(entry), 'SIGTERM');
    await until(`the end of an old ${net.name}`, async () => (existsSync(`/proc/${entry}`) ? null : true));
  }
  const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' ')[1] ?? '');
  for (const mount of mounts.filter((m) => m.startsWith(join(tmpdir(), `${net.name}-`))).reverse()) {
    await run('umount', [mount]);
    if (mount.endsWith('/root')) await rm(dirname(mount), { recursive: true, force: true });
  }
  if (existsSync(`/run/netns/${net.name}`)) await removeNetwork(net);
  await removeCpuGroup(net);
}
