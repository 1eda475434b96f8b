/** Simulated time, exact to the nanosecond in two numbers: milliseconds since 1970 and nanoseconds within. */
export class SimulatedClock {
  ms: number;
  nanos: number;
  readonly #stepMs: number;
  readonly #stepNanos: number;

  constructor(start: bigint, step: bigint) {
    this.nanos = Number(((start % 1_000_000n) + 1_000_000n) % 1_000_000n);
    this.ms = Number((start - BigInt(this.nanos)) / 1_000_000n);
    this.#stepMs = Number(step / 1_000_000n);
    this.#stepNanos = Number(step % 1_000_000n);
  }

  advance(): void {
    this.ms += this.#stepMs;
    this.nanos += this.#stepNanos;
    if (this.nanos >= 1_000_000) {
      this.nanos -= 1_000_000;
      this.ms += 1;
    }
  }
}
