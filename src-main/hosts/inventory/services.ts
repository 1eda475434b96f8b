import type { Inventory } from '../../../src-shared/model/host.ts';
import { firstMatch, linesOf } from './text.ts';

/** `pg_lsclusters`, with or without its heading. */
export function parseClusters(text: string): Inventory['postgresClusters'] {
  return linesOf(text).flatMap((line) => {
    const row =
      /^(\d+(?:\.\d+)?)\s+(\S+)\s+(\d+)\s+([a-z_,]+)\s+\S+\s+(\/.*?)(?:\s+(\/\S*|syslog|\S+))?$/.exec(line);
    const [, version, name, port, status, dataFolder] = row ?? [];
    if (!version || !name || !port || !status || !dataFolder) return [];
    return [{ version, name, port: Number(port), running: status.split(',').includes('online'), dataFolder }];
  });
}

/** Of `docker version`: the server's version and architecture; the client's where no server answers (or lets us ask). */
export function parseDockerVersion(text: string): {
  version: string | null;
  arch: string | null;
  serverAnswers: boolean;
} {
  const lines = linesOf(text);
  const server = lines.findIndex((line) => /^Server:/.test(line));
  const part = (server >= 0 ? lines.slice(server) : lines).join('\n');
  return {
    version: firstMatch(part, /^Version:\s*(\S+)$/),
    arch: firstMatch(part, /^OS\/Arch:\s*linux\/(\S+)$/),
    serverAnswers: server >= 0,
  };
}

/** Of `docker info`: where it keeps its data, and whether limits of memory work. An answer cut short tells neither. */
export function parseDockerInfo(text: string): { rootFolder: string | null; memoryLimit: boolean | null } {
  const rootFolder = firstMatch(text, /^Docker Root Dir:\s*(\/.*)$/);
  if (/WARNING: No memory limit support/.test(text)) return { rootFolder, memoryLimit: false };
  return { rootFolder, memoryLimit: rootFolder === null ? null : true };
}

/**
 * Is memory among the cgroup controllers? `controllers` is cgroup v2's list, which decides even when it is empty; null
 * where there is none. `cgroups` is the kernel's table, for v1.
 */
export function parseMemoryCgroup(controllers: string | null, cgroups: string): boolean | null {
  if (controllers !== null) return linesOf(controllers).join(' ').split(/\s+/).includes('memory');
  const enabled = firstMatch(cgroups, /^memory\s+\d+\s+\d+\s+([01])$/);
  return enabled === null ? null : enabled === '1';
}

/** `sudo -n true`: `null` where a password is asked of a user whose right to become root is not told by a group. */
export function parseSudo(text: string, succeeded: boolean, groups: string): Inventory['sudo']['value'] {
  if (succeeded) return firstMatch(text, /^(root)$/) === 'root' ? 'root' : 'none';
  if (/is not installed|not in the sudoers|not allowed to run sudo|may not run sudo/.test(text))
    return 'impossible';
  const named = linesOf(groups).join(' ').split(/\s+/);
  if (
    /password is required|Passwor|Mot de passe/i.test(text) &&
    named.some((g) => ['sudo', 'admin', 'wheel'].includes(g))
  )
    return 'password';
  return null;
}

/**
 * Does somebody work with packages? `locks` is /proc/locks, `files` lines `inode path` of dpkg's and apt's lock files,
 * `processes` lines `name arguments`. The lock files tell; where they are not there, the processes do.
 */
export function parseAptBusy(locks: string, files: string, processes: string): boolean | null {
  const inodes = new Set(linesOf(files).flatMap((line) => /^(\d+) \//.exec(line)?.[1] ?? []));
  const held = linesOf(locks).some((line) => {
    const inode = /^\d+:\s+(?:POSIX|FLOCK|OFDLCK)\s.*\s[0-9a-f]+:[0-9a-f]+:(\d+)\s/i.exec(line)?.[1];
    return inode !== undefined && inodes.has(inode);
  });
  const running = linesOf(processes);
  const working = running.some((line) => {
    const [name = '', ...args] = line.split(/\s+/);
    if (/^(apt|apt-get|aptitude|dpkg|apt\.systemd\.dai|needrestart)$/.test(name)) return true;
    // Its shutdown hook of almost the same name waits all day long.
    return name === 'unattended-upgr' && !args.some((arg) => arg.includes('shutdown'));
  });
  if (held || working) return true;
  return inodes.size > 0 || running.length > 0 ? false : null;
}

/** `required`, `no modules …`, and a last line that says that all was asked. */
export function parseRebootPending(text: string): boolean | null {
  const lines = linesOf(text);
  if (lines.some((line) => line === 'required' || line.startsWith('no modules'))) return true;
  return lines.includes('nothing else pending') ? false : null;
}

/** Is a desktop up? `systemctl is-active display-manager`, then its processes. */
export function parseGuiRunning(text: string): boolean | null {
  const lines = linesOf(text);
  if (
    lines.some(
      (line) => line === 'active' || /^\d+ (Xorg|Xwayland|labwc|wayfire|gnome-shell|mate-session)/.test(line),
    )
  )
    return true;
  return lines.some((line) => /^(inactive|failed|unknown|activating|deactivating)$/.test(line))
    ? false
    : null;
}

/** `lightdm` of a link to its unit, or of /etc/X11/default-display-manager. */
export function parseDisplayManager(text: string): string | null {
  return firstMatch(text, /^\/.*\/([\w.@-]+?)(?:\.service)?$/);
}

/** `graphical.target`, `multi-user.target`, … */
export function parseDefaultTarget(text: string): string | null {
  return firstMatch(text, /^([\w.@\\-]+\.target)$/);
}
