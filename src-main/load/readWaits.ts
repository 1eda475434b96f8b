import { performance } from 'node:perf_hooks';

/**
 * How long a thread had nothing else to do than to wait for its data file: for the disk, or for what unpacks beside it.
 * Node calls such a thread idle, and yet it is the loader that sets the pace.
 */
export class ReadWaits {
  readonly #idleMs: () => number;
  #reads = 0;
  #since = 0;
  #waitedMs = 0;

  /** @param idleMs how long the thread has been idle so far */
  constructor(idleMs: () => number = () => performance.eventLoopUtilization().idle) {
    this.#idleMs = idleMs;
  }

  /** Waits that overlap, of several sources, count once. */
  async during<T>(read: () => Promise<T>): Promise<T> {
    if (this.#reads === 0) this.#since = this.#idleMs();
    this.#reads += 1;
    try {
      return await read();
    } finally {
      this.#reads -= 1;
      if (this.#reads === 0) this.#waitedMs += this.#idleMs() - this.#since;
    }
  }

  /** Milliseconds since the last call, a wait that is on included. */
  take(): number {
    const now = this.#idleMs();
    const open = this.#reads > 0 ? now - this.#since : 0;
    this.#since = now;
    const waited = this.#waitedMs + open;
    this.#waitedMs = 0;
    return waited;
  }
}
