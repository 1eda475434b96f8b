import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, cancelled } from '../../../src-shared/errors.ts';

/**
 * Several processes of Benchberry may use one sandbox: a lock lets one at a time start or stop it, and a lease per process
 * says who still needs it. Both are files with a process id; those of processes that are gone count for nothing.
 */

const lockName = 'lock';
const leasesName = 'users';
const lockPatienceMs = 120_000;
const lockLookMs = 50;

/** Whether a process runs; one that has ended and that nobody has taken note of (a zombie) does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // a process of another user may not be signalled, but is there
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  try {
    return !/^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return !existsSync('/proc/self/status'); // gone just now, or a system without /proc
  }
}

/** Does `work` while no other process does any with the same folder. */
export async function locked<T>(folder: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, lockName);
  const own = `${process.pid} ${randomUUID()}`;
  const until = Date.now() + lockPatienceMs;
  while (!(await take(file, own))) {
    if (signal.aborted) throw cancelled();
    if (Date.now() > until) {
      throw new AppError({
        code: 'sandbox-failed',
        message: 'Another Benchberry process has been starting or stopping the sandbox for two minutes',
        place: { file },
        hint: 'Wait for it; if no other process of Benchberry runs, delete this file.',
      });
    }
    await pause(lockLookMs);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string, own: string): Promise<boolean> {
  try {
    await writeFile(file, own, { flag: 'wx' });
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const holder = await readFile(file, 'utf8').catch(() => ''); // given back just now
  const pid = Number.parseInt(holder, 10);
  if (Number.isInteger(pid) && pid !== process.pid && !isAlive(pid)) await rm(file, { force: true });
  return false;
}

/** Says that this process needs the sandbox. */
export async function addLease(folder: string): Promise<void> {
  await mkdir(path.join(folder, leasesName), { recursive: true });
  await writeFile(path.join(folder, leasesName, String(process.pid)), '');
}

export async function removeLease(folder: string): Promise<void> {
  await rm(path.join(folder, leasesName, String(process.pid)), { force: true });
}

/** Processes other than this one that need the sandbox; what dead ones left is cleared away. */
export async function otherLeases(folder: string): Promise<number[]> {
  const names = await readdir(path.join(folder, leasesName)).catch(() => []); // nobody ever had one
  const others: number[] = [];
  for (const name of names) {
    const pid = Number(name);
    if (pid === process.pid) continue;
    if (isAlive(pid)) others.push(pid);
    else await rm(path.join(folder, leasesName, name), { force: true });
  }
  return others;
}
