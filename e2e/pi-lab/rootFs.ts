import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from './shell.ts';

const release = 'trixie';
const base = [
  'systemd',
  'systemd-sysv',
  'dbus',
  'openssh-server',
  'sudo',
  'iproute2',
  'ca-certificates',
  'procps',
];
const packages = ['postgresql-17-timescaledb'];

/**
 * The root file system every virtual Pi starts from, built once and kept in the user's cache folder: Debian trixie, which
 * Raspberry Pi OS is built on, with PostgreSQL 17 and TimescaleDB. Returns its folder; nobody writes into it.
 */
export async function ensureRootFs(log: (line: string) => void): Promise<string> {
  const key = createHash('sha256')
    .update(JSON.stringify([release, base, packages]))
    .digest('hex')
    .slice(0, 12);
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'benchberry-pi-lab');
  const folder = join(cache, `${release}-${key}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const building = `${folder}.building`;
  await rm(building, { recursive: true, force: true });
  log(`building the root file system of the virtual Pis (${release}), once`);
  await run('debootstrap', [
    '--variant=minbase',
    `--include=${base.join(',')}`,
    release,
    building,
    await debianMirror(),
  ]);
  await copyFile('/etc/resolv.conf', join(building, 'etc/resolv.conf'));
  const noStart = join(building, 'usr/sbin/policy-rc.d');
  await writeFile(noStart, '#!/bin/sh\nexit 101\n');
  await chmod(noStart, 0o755);
  log(`installing ${packages.join(', ')}`);
  const apt = (...args: string[]) =>
    run('chroot', [building, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args]);
  await apt('update');
  await apt('install', '-y', '--no-install-recommends', ...packages);
  await apt('clean');
  await rm(noStart);
  // The rename makes a half-built tree impossible to mistake for a whole one.
  await rename(building, folder);
  return folder;
}

/** The mirror this machine's own apt uses for Debian, so that the lab works wherever apt does. */
async function debianMirror(): Promise<string> {
  const folder = '/etc/apt/sources.list.d';
  const names = existsSync(folder) ? await readdir(folder) : [];
  for (const name of names.filter((n) => n.endsWith('.sources')).sort()) {
    for (const stanza of (await readFile(join(folder, name), 'utf8')).split(/\n\s*\n/)) {
      if (!/^Components:.*\bmain\b/m.test(stanza)) continue;
      const uri = /^URIs:\s*(\S*\/debian\/?)(\s|$)/m.exec(stanza)?.[1];
      if (uri !== undefined) return uri;
    }
  }
  const lists = [
    '/etc/apt/sources.list',
    ...names.filter((n) => n.endsWith('.list')).map((n) => join(folder, n)),
  ];
  for (const file of lists.filter((f) => existsSync(f))) {
    const uri = /^deb\s+(?:\[[^\]]*\]\s+)?(\S*\/debian\/?)\s+\S+\s.*\bmain\b/m.exec(
      await readFile(file, 'utf8'),
    )?.[1];
    if (uri !== undefined) return uri;
  }
  throw new Error('no Debian mirror found in the apt sources of this machine');
}
