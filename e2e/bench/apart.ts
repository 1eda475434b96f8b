import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import process from 'node:process';
import { promisify } from 'node:util';
import { toAppError } from '../../src-shared/errors.ts';

const run = promisify(execFile);

/**
 * Gives a server on this machine one half of the cores, and all loaders, Benchberry and the tools it starts, the other:
 * each then has what it would have on a machine of its own. Where they share cores, whatever a client takes is missing at
 * the server: CPU of the clients is compared then, in place of what the server does. Both go before other programs of
 * this machine, where the user may have that.
 * @param server the process that all of the server's descend from
 * @returns what was done, as a line for people
 */
export async function setApart(server: number): Promise<string> {
  const cores = os.availableParallelism();
  if (cores < 2) return 'one core: server and loaders share it';
  const half = Math.floor(cores / 2);
  const ofServer = await withDescendants(server);
  try {
    for (const pid of ofServer) {
      // Some of a whole system's have ended by now.
      await pin(pid, `0-${half - 1}`).catch((error) => {
        if (existsSync(`/proc/${pid}`)) throw error;
      });
    }
    await pin(process.pid, `${half}-${cores - 1}`);
  } catch (error) {
    // A container may be given other cores than the first ones, or none to choose from: measured all the same, and told.
    return `server and loaders share ${cores} cores: ${toAppError(error).message}`;
  }
  const first = goFirst([...ofServer, process.pid]) ? ', before all other programs' : '';
  return `of ${cores} cores the server has the first ${half}, the loaders the others${first}`;
}

async function withDescendants(root: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-eo', 'pid=,ppid=']);
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [root];
  for (const parent of found)
    found.push(...pairs.flatMap(([pid, ppid]) => (pid !== undefined && ppid === parent ? [pid] : [])));
  return found;
}

/** All threads of a process that is there; what it starts later is where it is. */
async function pin(pid: number, cores: string): Promise<void> {
  await run('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)]);
}

/** @returns whether the user may have that: usually only root may */
function goFirst(pids: readonly number[]): boolean {
  try {
    for (const pid of pids.filter((each) => existsSync(`/proc/${each}`)))
      os.setPriority(pid, os.constants.priority.PRIORITY_HIGHEST);
    return true;
  } catch {
    return false;
  }
}
