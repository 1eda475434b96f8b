import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const commands = {
  debootstrap: 'debootstrap',
  'systemd-nspawn': 'systemd-container',
  ip: 'iproute2',
  tc: 'iproute2',
  iptables: 'iptables',
  'mkfs.ext4': 'e2fsprogs',
  flock: 'util-linux',
  'ssh-keygen': 'openssh-client',
  unshare: 'util-linux',
  nsenter: 'util-linux',
};

/** Why the lab cannot run on this machine, with the next step; null when it can. */
export function whyNot(): string | null {
  if (process.platform !== 'linux') return 'virtual Pis need Linux (network namespaces and systemd-nspawn)';
  if (process.getuid?.() !== 0) return 'virtual Pis need root: run it with sudo';
  if (!existsSync('/etc/apt'))
    return 'the root file system is built from a Debian mirror: run it on Debian or Ubuntu';
  const missing = Object.entries(commands).filter(([command]) => spawnSync('which', [command]).status !== 0);
  if (missing.length > 0) {
    const packages = [...new Set(missing.map(([, name]) => name))].join(' ');
    return `${missing.map(([command]) => command).join(', ')} missing: apt-get install ${packages}`;
  }
  // A namespace is the one thing that a container may deny although we are root.
  if (spawnSync('unshare', ['-m', 'true']).status !== 0)
    return 'this machine does not allow mount namespaces (unshare -m)';
  return null;
}
