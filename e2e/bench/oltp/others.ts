import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { withDescendants } from './apart.ts';

/** Clock ticks a second in /proc, on every Linux that Node runs on. */
const hertz = 100;
const ticks = z.array(z.coerce.number().int());

/**
 * How much of this machine others take while something is measured: other programs, and the hypervisor by steal.
 * @param server the process that all of the server's descend from
 * @returns tells the cores they took since the call, given the CPU seconds that the loader took
 */
export async function watchOthers(server: number): Promise<(loaderCpuSeconds: number) => Promise<number>> {
  const from = await read(server);
  return async (loaderCpuSeconds) => {
    const to = await read(server);
    const others = (to.all - from.all - (to.server - from.server)) / hertz - loaderCpuSeconds;
    return others / ((to.atMs - from.atMs) / 1000);
  };
}

async function read(server: number): Promise<{ atMs: number; all: number; server: number }> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  // user nice system idle iowait irq softirq steal: interrupts belong to whoever sends and are in no process.
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = ticks.parse(line.trim().split(/\s+/).slice(1));
  const atMs = performance.now();
  return { atMs, all: user + nice + system + steal, server: await ofServer(server) };
}

/** utime and stime of each that is there, and those of the root's children that have ended. */
async function ofServer(root: number): Promise<number> {
  let sum = 0;
  for (const pid of await withDescendants(root)) {
    // A session that ends in between is among the root's ended children a moment later.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    if (stat === null) continue;
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = ticks.parse(fields.slice(11, 15));
    sum += utime + stime + (pid === root ? cutime + cstime : 0);
  }
  return sum;
}
