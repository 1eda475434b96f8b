import { existsSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { until } from './shell.ts';

/**
 * Takes a lock file, as soon as no living process has it; returns the way to give it back. Two labs on one machine wait
 * for each other's root file systems and virtual Pis in this way.
 */
export async function locked(file: string): Promise<() => Promise<void>> {
  await until(`${file}, which another process has`, () => acquire(file), 1200);
  return () => rm(file);
}

/** A lock file with our process id in it; one whose process is gone is nobody's. */
async function acquire(lock: string): Promise<true | null> {
  try {
    const file = await open(lock, 'wx');
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch {
    const owner = (await readFile(lock, 'utf8')).trim();
    if (owner !== '' && !existsSync(`/proc/${owner}`)) await rm(lock, { force: true });
    return null;
  }
}
