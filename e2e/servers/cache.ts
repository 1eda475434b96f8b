import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

/** Runs a program to its end. @throws Error with what it said where it fails */
export const run = promisify(execFile);

/** PostgreSQL does not run as root, and root's own folders are closed to the user it then runs as. */
function cacheFolder(): string {
  const root = process.getuid?.() === 0;
  const base = root ? '/var/cache' : (process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'));
  return path.join(base, 'benchberry-servers');
}

/**
 * What is fetched, kept in the cache folder under `name`: fetched once, and there only when it is complete.
 * @param fetch fetches into a folder of the moment and returns the path there of what is kept
 */
export async function keptOnce(name: string, fetch: (folder: string) => Promise<string>): Promise<string> {
  const cache = cacheFolder();
  const kept = path.join(cache, name);
  const there = await access(kept).then(
    () => true,
    () => false,
  );
  if (there) return kept;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(path.join(cache, 'fetching-'));
  try {
    await rename(await fetch(folder), kept);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return kept;
}
