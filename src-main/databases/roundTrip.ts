import { performance } from 'node:perf_hooks';

const pings = 9;

/** Median time of several of the smallest exchanges with a server, µs. */
export async function roundTripUs(ping: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < pings; i += 1) {
    const start = performance.now();
    await ping();
    times.push((performance.now() - start) * 1000);
  }
  times.sort((a, b) => a - b);
  return times[pings >> 1] ?? 0;
}
