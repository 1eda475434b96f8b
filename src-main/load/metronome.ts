import { Worker } from 'node:worker_threads';

/** Cells of the shared memory: numbers of the orders and of the ticks; after them the time of the next tick, ns. */
const orders = 0;
const ticks = 1;
const timeBytes = 8;

/**
 * The thread that sleeps: plain JavaScript, since it is too small to be a file that every bundle must find. It waits for
 * an order, then until the order's time (a later order may change it), then ticks. A time of 0 ends it.
 */
const sleeper = `
const { workerData: memory } = require('node:worker_threads');
const cells = new Int32Array(memory, 0, 2);
const time = new Float64Array(memory, ${timeBytes}, 1);
const leftMs = () => {
  const [seconds, nanos] = process.hrtime();
  return (time[0] - (seconds * 1e9 + nanos)) / 1e6;
};
for (let seen = 0; ; ) {
  Atomics.wait(cells, ${orders}, seen);
  seen = Atomics.load(cells, ${orders});
  for (let left = leftMs(); left > 0; left = leftMs()) {
    if (Atomics.wait(cells, ${orders}, seen, left) !== 'timed-out') seen = Atomics.load(cells, ${orders});
  }
  if (time[0] === 0) break;
  Atomics.add(cells, ${ticks}, 1);
  Atomics.notify(cells, ${ticks});
}`;

/**
 * Ticks at a time that is given, to some tens of microseconds. Node's timers are good to a millisecond, and turning the
 * event loop for the rest would take the CPU from a server on the same machine; a thread that sleeps in the kernel costs
 * nothing until it wakes up.
 */
export class Metronome {
  readonly #cells: Int32Array;
  readonly #time: Float64Array;
  readonly #worker: Worker;
  #closed = false;

  /** @param onTick called when a time has come, and possibly once too early */
  constructor(onTick: () => void) {
    const memory = new SharedArrayBuffer(timeBytes + Float64Array.BYTES_PER_ELEMENT);
    this.#cells = new Int32Array(memory, 0, 2);
    this.#time = new Float64Array(memory, timeBytes, 1);
    this.#worker = new Worker(sleeper, {
      eval: true,
      workerData: memory,
      execArgv: [],
      name: 'benchberry-metronome',
    });
    void this.#listen(onTick);
  }

  /** @param atNs on the clock of `nowNs`; replaces the time that was given before */
  set(atNs: number): void {
    this.#time[0] = atNs;
    Atomics.add(this.#cells, orders, 1);
    Atomics.notify(this.#cells, orders);
  }

  /** Resolves when its thread has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.set(0);
    Atomics.add(this.#cells, ticks, 1);
    Atomics.notify(this.#cells, ticks);
    await this.#worker.terminate();
  }

  async #listen(onTick: () => void): Promise<void> {
    for (let seen = 0; ; ) {
      const wait = Atomics.waitAsync(this.#cells, ticks, seen);
      if (wait.async) await wait.value;
      if (this.#closed) return;
      seen = Atomics.load(this.#cells, ticks);
      onTick();
    }
  }
}
