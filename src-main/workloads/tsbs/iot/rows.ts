import type { Dataset, RowSink } from '../../../databases/driver.ts';
import type { RowShare, RowSource } from '../../workload.ts';
import { fnv1a32 } from '../hash.ts';
import { Schedule, type Simulation } from '../simulation.ts';
import { Disorder } from './disorder.ts';
import { mostFields, tableCount } from './trucks.ts';

/** Of TSBS's 207,360,000 points of 4,000 trucks in three days (seed 123), 186,706,431 arrive. */
const arrivingShare = 186_706_431 / 207_360_000;

/** About how many rows of a simulation arrive; how many it really is, only the simulation tells. */
export function arriving(simulation: Simulation): number {
  const all = new Schedule({ ...simulation, limit: 0 }, tableCount).countRows();
  const rows = Math.round(all * arrivingShare);
  return simulation.limit > 0 ? Math.min(rows, simulation.limit) : rows;
}

/** TSBS's use case `iot`: readings and diagnostics of trucks, some of them lost, late or incomplete. */
export class IotRows implements RowSource {
  readonly dataset: Dataset;
  readonly totalRows: number;
  readonly estimated = true;
  readonly #disorder: Disorder;
  readonly #limit: number;
  readonly #share: RowShare | undefined;
  readonly #values = new Float64Array(mostFields);
  /** Rows of all shares so far. */
  #rows = 0;

  constructor(simulation: Simulation, share?: RowShare) {
    this.#disorder = new Disorder(simulation);
    this.dataset = this.#disorder.points.trucks.dataset;
    this.totalRows = arriving(simulation);
    this.#limit = simulation.limit > 0 ? simulation.limit : Number.POSITIVE_INFINITY;
    this.#share = share;
  }

  fill(sink: RowSink, max: number): number {
    const { store } = this.#disorder;
    const values = this.#values;
    return this.#forEach(max, (point) => {
      values.set(store.values.subarray(point * mostFields, (point + 1) * mostFields));
      const missing = store.missingTag[point] as number;
      sink.row(
        store.table[point] as number,
        store.truck[point] as number,
        store.ms[point] as number,
        store.nanos[point] as number,
        values,
        missing < 0 ? undefined : missing,
      );
    });
  }

  skip(rows: number): number {
    return this.#forEach(rows, () => undefined);
  }

  #forEach(max: number, run: (point: number) => void): number {
    const { store } = this.#disorder;
    let done = 0;
    while (done < max && this.#rows < this.#limit) {
      const point = this.#disorder.next();
      if (point < 0) break;
      this.#rows += 1;
      if (this.#isOwn(point)) {
        run(point);
        done += 1;
      }
      store.release(point);
    }
    return done;
  }

  /** By TSBS's hash of the first tag; rows that lack it all go one way. */
  #isOwn(point: number): boolean {
    const share = this.#share;
    if (share === undefined || share.workers === 1) return true;
    const { store } = this.#disorder;
    const name = store.missingTag[point] === 0 ? '' : `truck_${store.truck[point]}`;
    return fnv1a32(`name=${name}`) % share.workers === share.worker;
  }
}
