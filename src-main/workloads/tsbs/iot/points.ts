import { SimulatedClock } from '../clock.ts';
import { Schedule, type Simulation } from '../simulation.ts';
import { mostFields, Trucks, tableCount } from './trucks.ts';

/** Points kept for later, each under a number, in arrays that grow when they must. */
export class PointStore {
  table = new Uint8Array(64);
  truck = new Int32Array(64);
  ms = new Float64Array(64);
  nanos = new Int32Array(64);
  /** Index of the tag that the row lacks; −1: none. */
  missingTag = new Int8Array(64);
  values = new Float64Array(64 * mostFields);
  readonly #free: number[] = [];
  #used = 0;

  take(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#used === this.table.length) this.#grow();
    return this.#used++;
  }

  release(point: number): void {
    this.#free.push(point);
  }

  #grow(): void {
    const length = this.table.length * 2;
    const larger = <A extends { set(from: A): void }>(made: A, from: A) => {
      made.set(from);
      return made;
    };
    this.table = larger(new Uint8Array(length), this.table);
    this.truck = larger(new Int32Array(length), this.truck);
    this.ms = larger(new Float64Array(length), this.ms);
    this.nanos = larger(new Int32Array(length), this.nanos);
    this.missingTag = larger(new Int8Array(length), this.missingTag);
    this.values = larger(new Float64Array(length * mostFields), this.values);
  }
}

/** The points of all trucks in order: an epoch's readings, then its diagnostics, before anything of them is lost or late. */
export class Points {
  readonly trucks: Trucks;
  readonly #store: PointStore;
  readonly #clock: SimulatedClock;
  readonly #schedule: Schedule;
  #made = 0;
  #truck = 0;
  #table = 0;
  #epoch = 0;
  #visible: number;

  constructor(simulation: Simulation, store: PointStore) {
    const { scale, seed, timestampStart, logInterval } = simulation;
    this.trucks = new Trucks(scale, seed);
    this.#store = store;
    this.#clock = new SimulatedClock(timestampStart, logInterval);
    this.#schedule = new Schedule(simulation, tableCount);
    this.#visible = this.#schedule.visible(0);
  }

  /** Whether as many points as planned have been made; `next` goes on all the same, as TSBS's does. */
  get finished(): boolean {
    return this.#made >= this.#schedule.points;
  }

  /** Makes the next point. @returns its number in the store; −1 for one of a truck that is not there yet */
  next(): number {
    if (this.#truck === this.#schedule.scale) {
      this.#truck = 0;
      this.#table += 1;
    }
    if (this.#table === tableCount) {
      this.#table = 0;
      this.trucks.tick();
      this.#clock.advance();
      this.#epoch += 1;
      this.#visible = this.#schedule.visible(this.#epoch);
    }
    this.#made += 1;
    const truck = this.#truck++;
    if (truck >= this.#visible) return -1;
    const point = this.#store.take();
    this.#store.table[point] = this.#table;
    this.#store.truck[point] = truck;
    this.#store.ms[point] = this.#clock.ms;
    this.#store.nanos[point] = this.#clock.nanos;
    this.#store.missingTag[point] = -1;
    this.trucks.read(this.#table, truck, this.#store.values, point * mostFields);
    return point;
  }
}
