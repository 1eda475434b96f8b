import { readFileSync } from 'node:fs';
import type { RunOwner } from '../store/repositories.ts';

/** Start times in milliseconds are rounded by the system; two processes of one pid are further apart than this. */
const toleranceMs = 5000;

/** The process this code runs in. */
export function currentOwner(): RunOwner {
  const ticks = startTicks(process.pid);
  return { pid: process.pid, startedAt: ticks ?? Math.round(Date.now() - process.uptime() * 1000) };
}

/**
 * Whether the process that executes a run still lives. On Linux its start time tells it from another process that got
 * its pid; elsewhere a process of that pid counts as it, so that a run is never taken from a living owner. The one
 * exception is this very process, whose start time is known everywhere.
 */
export function isAlive(owner: RunOwner): boolean {
  if (!Number.isInteger(owner.pid) || owner.pid <= 0) return false;
  const ticks = startTicks(owner.pid);
  if (ticks !== null) return ticks === owner.startedAt;
  if (process.platform === 'linux') return false;
  if (owner.pid === process.pid) return Math.abs(currentOwner().startedAt - owner.startedAt) < toleranceMs;
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch (error) {
    // A process that may not be signalled is there all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Start of a process in clock ticks since boot; null where there is no such process, or no /proc. A zombie has ended. */
function startTicks(pid: number): number | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null; // no such process, or another system than Linux
  }
  // The command's name, in brackets, may hold anything; what follows it starts with field 3, the state.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[19]);
  return fields[0] === 'Z' || fields[0] === 'X' || !Number.isFinite(ticks) ? null : ticks;
}
