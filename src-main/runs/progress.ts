import type { Progress, RunStatus } from '../../src-shared/model/run.ts';

/** Progress is told at most four times a second. */
const minimumMs = 250;

/**
 * How far a run is. Its units are loads and query types; each counts the same, since how long one takes is not known
 * before it is done. The remaining time is known only within the last unit.
 */
export class ProgressMeter {
  readonly #runId: string;
  readonly #units: number;
  readonly #publish: (progress: Progress) => void;
  readonly #now: () => number;
  readonly #startMs: number;
  #status: RunStatus = 'preparing';
  #doing = 'Connecting';
  #detail: string | undefined;
  #phase: { index: number; name: string } | null = null;
  #unitsDone = 0;
  #unit = { startMs: 0, fraction: 0 };
  #publishedMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    runId: string,
    units: number,
    publish: (progress: Progress) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#runId = runId;
    this.#units = units;
    this.#publish = publish;
    this.#now = now;
    this.#startMs = now();
  }

  current(): Progress {
    const now = this.#now();
    const { fraction, startMs } = this.#unit;
    const last = this.#unitsDone === this.#units - 1;
    return {
      runId: this.#runId,
      status: this.#status,
      doing: this.#doing,
      ...(this.#detail !== undefined && { detail: this.#detail }),
      phase: this.#phase?.index ?? null,
      phaseName: this.#phase?.name ?? null,
      fraction: Math.min(1, (this.#unitsDone + fraction) / this.#units),
      elapsedMs: Math.max(0, now - this.#startMs),
      remainingMs: last && fraction > 0 ? Math.max(0, ((now - startMs) * (1 - fraction)) / fraction) : null,
    };
  }

  /** @param detail how far that is */
  doing(doing: string, detail?: string): void {
    this.#doing = doing;
    this.#detail = detail;
    this.#tell();
  }

  phase(index: number, name: string, status: RunStatus): void {
    this.#phase = { index, name };
    this.#status = status;
    this.#tell();
  }

  unitStarted(): void {
    this.#unit = { startMs: this.#now(), fraction: 0 };
  }

  /** @param fraction of the current unit, 0 to 1 */
  unitAt(fraction: number): void {
    this.#unit.fraction = Math.min(1, Math.max(0, fraction));
    this.#tell();
  }

  unitDone(): void {
    this.#unitsDone += 1;
    this.#unit = { startMs: this.#now(), fraction: 0 };
    this.#tell();
  }

  /** Nothing is told any more. */
  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#publishedMs = Number.POSITIVE_INFINITY;
  }

  #tell(): void {
    if (this.#timer) return;
    const waitMs = this.#publishedMs + minimumMs - this.#now();
    if (waitMs === Number.POSITIVE_INFINITY) return;
    if (waitMs <= 0) this.#send();
    else
      this.#timer = setTimeout(() => {
        this.#timer = null;
        this.#send();
      }, waitMs);
  }

  #send(): void {
    this.#publishedMs = this.#now();
    this.#publish(this.current());
  }
}
