import { execFile } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

/** Runs a program to its end. @throws Error with what it said where it fails */
export const run = promisify(execFile);

/** PostgreSQL does not run as root, and root's own folders are closed to the user it then runs as. */
export function cacheFolder(): string {
  const root = process.getuid?.() === 0;
  const base = root ? '/var/cache' : (process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'));
  return path.join(base, 'benchberry-servers');
}
