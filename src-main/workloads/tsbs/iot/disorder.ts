import type { GoRandom } from '../random/goRandom.ts';
import type { Simulation } from '../simulation.ts';
import { PointStore, Points } from './points.ts';
import { mostFields, tagCount } from './trucks.ts';

const batchSize = 10;
const none = -1;

/** How likely what TSBS does to a batch, or to one of its points, is. */
const chance = {
  batchMissing: 0.01,
  batchLate: 0.05,
  batchInserted: 0.5,
  inserted: 0.5,
  missing: 0.1,
  fieldMissing: 0.1,
  tagMissing: 0.01,
  late: 0.3,
} as const;

/** What is done to the points of one batch. Lists are by place in the batch. */
interface BatchPlan {
  missing: boolean;
  late: boolean;
  insertPrevious: boolean;
  insert: Uint8Array;
  lost: Uint8Array;
  delayed: Uint8Array;
  /** `none`, or which field, or which tag, is left out. */
  field: Int8Array;
  tag: Int8Array;
}

/**
 * The points of trucks as they arrive: some never, some late, some without a field or a tag, in batches of ten of which some
 * are lost or late as a whole. All of it is drawn from the stream that moves the trucks too.
 */
export class Disorder {
  readonly store = new PointStore();
  readonly points: Points;
  readonly #random: GoRandom;
  readonly #lateBatches: number[][] = [];
  readonly #latePoints: number[] = [];
  readonly #plan: BatchPlan = {
    ...{ missing: false, late: false, insertPrevious: false },
    insert: new Uint8Array(batchSize),
    lost: new Uint8Array(batchSize),
    delayed: new Uint8Array(batchSize),
    field: new Int8Array(batchSize),
    tag: new Int8Array(batchSize),
  };
  #batch: number[] = [];
  #at = 0;

  constructor(simulation: Simulation) {
    this.points = new Points(simulation, this.store);
    this.#random = this.points.trucks.random;
  }

  /** The number of the next point to arrive; the caller releases it. `none` (−1) at the end. */
  next(): number {
    while (this.#at === this.#batch.length) {
      const batch = this.#nextBatch();
      if (batch === null) return none;
      this.#batch = batch;
      this.#at = 0;
    }
    return this.#batch[this.#at++] as number;
  }

  /** The next batch that is not empty; null at the end. */
  #nextBatch(): number[] | null {
    for (;;) {
      if (this.points.finished) {
        const late = this.#lateBatches.shift() ?? this.#latePoints.splice(0, batchSize);
        return late.length > 0 ? late : null;
      }
      const plan = this.#draw();
      if (plan.insertPrevious) {
        const late = this.#lateBatches.shift();
        if (late !== undefined) return late;
      } else if (plan.missing) {
        this.#lose();
      } else {
        const batch = this.#fill(plan);
        if (batch.length > 0 && !plan.late) return batch;
        if (batch.length > 0) this.#lateBatches.push(batch);
      }
    }
  }

  #draw(): BatchPlan {
    const plan = this.#plan;
    const chanced = (limit: number) => this.#random.float64() < limit;
    plan.insertPrevious = false;
    plan.late = false;
    plan.missing = chanced(chance.batchMissing);
    if (plan.missing) return plan;
    plan.late = chanced(chance.batchLate);
    if (this.#lateBatches.length > 0) plan.insertPrevious = chanced(chance.batchInserted);
    let late = this.#latePoints.length;
    for (let i = 0; i < batchSize; i++) {
      const inserted = late > 0 && chanced(chance.inserted);
      if (inserted) late -= 1;
      const lost = chanced(chance.missing);
      plan.insert[i] = Number(inserted);
      plan.lost[i] = Number(lost);
      plan.field[i] = !lost && chanced(chance.fieldMissing) ? this.#random.intn(mostFields) : none;
      plan.tag[i] = !lost && chanced(chance.tagMissing) ? this.#random.intn(tagCount) : none;
      plan.delayed[i] = Number(!lost && chanced(chance.late));
    }
    return plan;
  }

  /** A batch that is lost: up to ten points; one of a truck that is not there yet ends it. */
  #lose(): void {
    for (let i = 0; i < batchSize; i++) {
      const point = this.points.next();
      if (point === none) return;
      this.store.release(point);
    }
  }

  #fill(plan: BatchPlan): number[] {
    const batch: number[] = [];
    // Places are looked up further on the more points of the batch were lost or put off.
    let offset = 0;
    for (let i = 0; i < batchSize && !this.points.finished; i++) {
      let point: number;
      for (;;) {
        const place = i + offset;
        // A point that is put off again may be the very one that is inserted next.
        const kept = plan.insert[place] === 1 ? this.#latePoints.shift() : undefined;
        point = kept ?? this.points.next();
        if (point === none) return batch;
        if (plan.lost[place] === 1) this.store.release(point);
        else if (plan.delayed[place] === 1) this.#latePoints.push(point);
        else break;
        offset += 1;
      }
      this.#leaveOut(point, plan.field[i] as number, plan.tag[i] as number);
      batch.push(point);
    }
    return batch;
  }

  #leaveOut(point: number, field: number, tag: number): void {
    const { store } = this;
    const fields = this.points.trucks.dataset.tables[store.table[point] as number]?.fields.length ?? 1;
    if (field !== none) store.values[point * mostFields + (field % fields)] = Number.NaN;
    if (tag !== none) store.missingTag[point] = tag;
  }
}
