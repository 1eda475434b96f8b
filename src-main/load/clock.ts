/**
 * Nanoseconds of the machine's monotonic clock, whole. The same origin in every thread, unlike `performance.now()`, so
 * that times of worker threads can be compared. Exact up to 104 days of uptime, then to 2 ns.
 */
export function nowNs(): number {
  const [seconds, nanos] = process.hrtime();
  return seconds * 1e9 + nanos;
}

export const nsPerMs = 1e6;
export const nsPerSecond = 1e9;

/** Open loop: what starts, or waits, longer than this past its schedule counts as late, or as waiting. */
export const lateNs = 1 * nsPerMs;
