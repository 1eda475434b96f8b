import type { Dataset, RowSink } from '../../databases/driver.ts';
import type { RowShare, RowSource } from '../workload.ts';
import { SimulatedClock } from './clock.ts';
import { devicesOf, firstAtLeast } from './deviceShare.ts';
import { Schedule, type Simulation } from './simulation.ts';

/** Devices that all step at the end of an epoch: what the use cases of hosts differ in. */
export interface HostModel {
  readonly dataset: Dataset;
  /** One step of everything, host by host, in TSBS's order of draws. */
  tick(): void;
  /**
   * Gives rows of one table as they are now.
   * @param own numbers of the hosts; null: every number is a host's own
   * @param from first index into `own`, `to` is the one after the last
   */
  give(
    sink: RowSink,
    table: number,
    own: Int32Array | null,
    from: number,
    to: number,
    clock: SimulatedClock,
  ): void;
}

/**
 * The rows of a model, epoch by epoch, in an epoch table by table, in a table host by host. The whole simulation is stepped
 * through whatever the share is, because all hosts draw from one random stream.
 */
export class EpochRows implements RowSource {
  readonly dataset: Dataset;
  readonly totalRows: number;
  readonly #model: HostModel;
  readonly #tables: number;
  readonly #clock: SimulatedClock;
  readonly #schedule: Schedule;
  /** Hosts of this share in ascending order; null: all of them. */
  readonly #own: Int32Array | null;
  /** One table's turn in one epoch. */
  #lap = 0;
  /** Rows that all shares together write before this lap. */
  #before = 0;
  /** Rows of the lap: of this share's hosts, those with numbers below it are given. */
  #rows: number;
  #position = 0;

  constructor(model: HostModel, simulation: Simulation, share?: RowShare) {
    this.#model = model;
    this.dataset = model.dataset;
    this.#tables = model.dataset.tables.length;
    this.#clock = new SimulatedClock(simulation.timestampStart, simulation.logInterval);
    this.#schedule = new Schedule(simulation, this.#tables);
    const [first] = this.dataset.tags;
    this.#own = devicesOf(
      share,
      simulation.scale,
      (host) => `${first?.name}=${this.dataset.deviceTags(host)[0]}`,
    );
    this.totalRows = this.#schedule.countRows((n) => this.#owned(n));
    this.#rows = this.#owned(this.#schedule.rowsIn(0, 0));
  }

  fill(sink: RowSink, max: number): number {
    return this.#forEach(max, (from, to) =>
      this.#model.give(sink, this.#lap % this.#tables, this.#own, from, to, this.#clock),
    );
  }

  skip(rows: number): number {
    return this.#forEach(rows, () => undefined);
  }

  /** Goes on by up to `max` rows, a run of hosts within one lap at a time. */
  #forEach(max: number, run: (from: number, to: number) => void): number {
    let done = 0;
    while (done < max) {
      if (this.#position === this.#rows) {
        if (!this.#nextLap()) break;
        continue;
      }
      const from = this.#position;
      this.#position = Math.min(this.#rows, from + max - done);
      run(from, this.#position);
      done += this.#position - from;
    }
    return done;
  }

  #nextLap(): boolean {
    const before = this.#before + this.#schedule.rowsIn(this.#lap, this.#before);
    if (this.#schedule.endsAt(this.#lap + 1, before)) return false;
    this.#lap += 1;
    if (this.#lap % this.#tables === 0) {
      this.#model.tick();
      this.#clock.advance();
    }
    this.#before = before;
    this.#rows = this.#owned(this.#schedule.rowsIn(this.#lap, before));
    this.#position = 0;
    return true;
  }

  /** How many of the hosts 0 … n − 1 are this share's. */
  #owned(n: number): number {
    return this.#own === null ? n : firstAtLeast(this.#own, n);
  }
}
