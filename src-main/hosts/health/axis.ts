/** Puts the host's clock (seconds since boot) on our own time axis. */
export interface Axis {
  /** For each new connection: the host may have been started anew. */
  restart(): void;
  /** Milliseconds on our axis of something read at `uptime` that has just arrived; never less than the one before. */
  place(uptime: number): number;
}

/**
 * A line arrives late by what it took to get here, never early: the smallest difference between the clocks seen so far is
 * the nearest to the truth, so lines that a slow network delivers in a bunch still stand where they were read.
 */
export function createAxis(now: () => number): Axis {
  let offset = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  return {
    restart() {
      offset = Number.POSITIVE_INFINITY;
    },
    place(uptime) {
      offset = Math.min(offset, now() - uptime * 1000);
      last = Math.max(last, offset + uptime * 1000);
      return last;
    },
  };
}
