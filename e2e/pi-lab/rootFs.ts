import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { debianMirror } from './debianMirror.ts';
import { locked } from './lock.ts';
import { run } from './shell.ts';

const release = 'trixie';
/** What a Raspberry Pi OS Lite has of these: nothing is here that a real one lacks, but libfaketime for a wrong clock. */
const base = [
  ...['systemd', 'systemd-sysv', 'systemd-timesyncd', 'dbus', 'openssh-server', 'sudo', 'kmod', 'cron'],
  ...['iproute2', 'iputils-ping', 'netbase', 'ca-certificates', 'curl', 'procps', 'psmisc', 'libfaketime'],
];
const additions = {
  /** Raspberry Pi OS Lite: no display manager, no database. */
  bare: [],
  /** One with a desktop: lightdm and plymouth; its X server draws into memory. Avahi tells the network its name. */
  desktop: ['lightdm', 'lightdm-gtk-greeter', 'plymouth', 'xvfb', 'avahi-daemon'],
  timescaledb: ['postgresql-17-timescaledb'],
} satisfies Record<string, string[]>;
export type Variant = keyof typeof additions;

/**
 * The root file system virtual Pis start from, built once and kept in the user's cache folder: Debian trixie, which
 * Raspberry Pi OS is built on, and what the variant adds in a layer of its own. Returns the layers as overlayfs takes them
 * for `lowerdir`; nobody writes into them. Several processes may ask at once: one builds, the others wait.
 */
export async function ensureRootFs(
  log: (line: string) => void,
  variant: Variant = 'timescaledb',
): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'benchberry-pi-lab');
  await mkdir(cache, { recursive: true });
  const bottom = await once(join(cache, `${release}-${key(base)}`), async (folder) => {
    log(`building the root file system of the virtual Pis (${release}), once`);
    await run('debootstrap', [
      '--variant=minbase',
      `--include=${base.join(',')}`,
      release,
      folder,
      await debianMirror(),
    ]);
    await run('chroot', [folder, 'apt-get', 'clean']);
    // Each virtual Pi makes its own keys, as a freshly written card does.
    await run('sh', ['-c', 'rm -f "$1"/etc/ssh/ssh_host_*', 'sh', folder]);
    await run('chroot', [folder, 'useradd', '-m', '-s', '/bin/bash', '-G', 'sudo', 'pi']);
    await writeFile(join(folder, 'etc/hostname'), 'raspberrypi\n');
    await writeFile(join(folder, 'etc/hosts'), '127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n');
  });
  const packages = additions[variant];
  if (packages.length === 0) return bottom;
  const layer = await once(`${bottom}-${variant}-${key(packages)}`, async (folder) => {
    log(`installing ${packages.join(', ')}`);
    await install(bottom, folder, packages);
  });
  return `${layer}:${bottom}`;
}

function key(packages: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([release, packages]))
    .digest('hex')
    .slice(0, 12);
}

/** Packages into a layer of their own over `bottom`; no service starts while they are installed. */
async function install(bottom: string, layer: string, packages: readonly string[]): Promise<void> {
  const work = `${layer}.work`;
  const root = `${layer}.root`;
  for (const folder of [layer, work, root]) await mkdir(folder);
  await run('mount', ['-t', 'overlay', 'overlay', '-o', overlay(bottom, layer, work), root]);
  try {
    await copyFile('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
    const noStart = join(root, 'usr/sbin/policy-rc.d');
    await writeFile(noStart, '#!/bin/sh\nexit 101\n');
    await chmod(noStart, 0o755);
    const apt = (...args: string[]) =>
      run('chroot', [root, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args]);
    await apt('update');
    await apt('install', '-y', '--no-install-recommends', ...packages);
    await apt('clean');
    await rm(noStart);
  } finally {
    await run('umount', [root]);
    for (const folder of [work, root]) await rm(folder, { recursive: true });
  }
}

/** Mount options of a copy-on-write layer. */
export function overlay(lower: string, upper: string, work: string): string {
  return `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
}

/** Builds a folder beside its place and moves it there whole, so that a half-built one is never mistaken for it. */
async function once(folder: string, build: (folder: string) => Promise<void>): Promise<string> {
  if (existsSync(folder)) return folder;
  const release = await locked(`${folder}.lock`);
  try {
    if (existsSync(folder)) return folder;
    const building = `${folder}.building`;
    await rm(building, { recursive: true, force: true });
    await build(building);
    await rename(building, folder);
    return folder;
  } finally {
    await release();
  }
}
