import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../src-shared/errors.ts';

/** Who the sandbox server runs as. */
export interface Account {
  /** Given to `spawn`; empty: the user of this process. */
  ids: { uid?: number; gid?: number };
  /** Put before each command. */
  prefix: readonly string[];
  /** Owner of the server's files; null: the user of this process. */
  owner: { uid: number; gid: number } | null;
  /** Worth telling, e.g. that it runs as another user. */
  note: string | null;
}

const capabilities = [
  { name: 'dac_read_search', bit: 2n },
  { name: 'dac_override', bit: 1n },
];

/**
 * PostgreSQL refuses to run as root. For root the server runs as the user `postgres` where the system has one, else as
 * `nobody`: no user is made. Root's home, where data and programs usually lie, is closed to both, so there the server
 * gets the one capability to pass through folders (`setpriv` of util-linux); no permission of any folder is changed.
 * @param folders that the server must reach
 * @throws AppError `sandbox-failed`
 */
export function serverAccount(folders: readonly string[]): Account {
  if (process.getuid?.() !== 0) return { ids: {}, prefix: [], owner: null, note: null };
  const name = ['postgres', 'nobody'].find((candidate) => idOf(candidate, '-u') !== null);
  const uid = name === undefined ? null : idOf(name, '-u');
  const gid = name === undefined ? null : idOf(name, '-g');
  if (name === undefined || uid === null || gid === null) {
    throw new AppError({
      code: 'sandbox-failed',
      message: 'The sandbox cannot run as root, and there is no user postgres or nobody to run it as',
      hint: 'Start Benchberry as an ordinary user.',
    });
  }
  const owner = { uid, gid };
  const note = `The server runs as the user ${name}, because PostgreSQL refuses to run as root.`;
  const closed = folders.find((folder) => !isOpenTo(owner, folder));
  if (closed === undefined) return { ids: owner, prefix: [], owner, note };
  const { prefix, capability } = passThrough(owner, closed);
  return {
    ids: {},
    prefix,
    owner,
    note: `${note} To reach its files below ${closed} it has the capability ${capability}.`,
  };
}

function idOf(user: string, flag: '-u' | '-g'): number | null {
  try {
    return Number(
      execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return null; // no such user
  }
}

/** Whether the owner may pass through every folder on the way. */
function isOpenTo(owner: { uid: number; gid: number }, folder: string): boolean {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const { mode, uid, gid } = statSync(at);
    const bit = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

function passThrough(
  owner: { uid: number; gid: number },
  closed: string,
): { prefix: string[]; capability: string } {
  const capability = capabilities.find(({ bit }) => (boundingSet() & (1n << bit)) !== 0n);
  if (capability === undefined) {
    throw new AppError({
      code: 'sandbox-failed',
      message: `The sandbox cannot run as root, and other users cannot enter ${closed}`,
      hint: 'Set BENCHBERRY_DATA to a folder that every user can enter, or start Benchberry as an ordinary user.',
    });
  }
  const caps = `+${capability.name}`;
  const prefix = [
    'setpriv',
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    `--inh-caps=${caps}`,
    `--ambient-caps=${caps}`,
    // without it access(2), which PostgreSQL asks about its own programs, would not count the capability
    '--securebits=+no_setuid_fixup',
  ];
  return { prefix, capability: capability.name };
}

/** Capabilities that a program started here can have at all; none where the system has no such thing. */
function boundingSet(): bigint {
  try {
    const hex = /^CapBnd:\s*([0-9a-f]+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return hex === undefined ? 0n : BigInt(`0x${hex}`);
  } catch {
    return 0n; // not Linux
  }
}
