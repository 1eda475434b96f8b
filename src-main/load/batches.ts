import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RowSink } from '../databases/driver.ts';
import type { RowSource } from '../workloads/workload.ts';
import type { Reached } from './reached.ts';
import type { ReadWaits } from './readWaits.ts';

/**
 * Rows made in one go. Between slices the event loop turns, so that an acknowledgement that has come in is seen within
 * about a millisecond and does not make its batch look slower than it was.
 */
const sliceRows = 1000;

export interface Batch {
  /** 0 at the end. */
  rows: number;
  /** To be told once it is in the database. */
  acknowledged(): void;
}

const untold = () => undefined;

/**
 * Cuts a row source into batches, of which this thread fills those whose numbers it claims, in rising order. Whoever is
 * free claims the next number, so fast workers write more, and each row is written exactly once.
 */
export class Batches {
  readonly #source: RowSource;
  readonly #batchSize: number;
  readonly #claim: () => number;
  readonly #reached: Reached | null;
  readonly #waits: ReadWaits;
  #position = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param reached told of each batch where rows are read */
  constructor(
    source: RowSource,
    batchSize: number,
    claim: () => number,
    waits: ReadWaits,
    reached: Reached | null = null,
  ) {
    this.#source = source;
    this.#batchSize = batchSize;
    this.#claim = claim;
    this.#reached = reached;
    this.#waits = waits;
  }

  /** Fills the sink with the next batch. One at a time: others wait their turn. */
  next(sink: RowSink): Promise<Batch> {
    const turn = this.#last.then(() => this.#fill(sink));
    this.#last = turn.catch(() => undefined); // the caller gets the error
    return turn;
  }

  async #fill(sink: RowSink): Promise<Batch> {
    const number = this.#claim();
    const { totalRows, estimated } = this.#source;
    if (!estimated && number * this.#batchSize >= totalRows) return { rows: 0, acknowledged: untold };
    await this.#inSlices((number - this.#position) * this.#batchSize, (rows) => this.#source.skip(rows));
    this.#position = number + 1;
    const rows = await this.#inSlices(this.#batchSize, (more) => this.#source.fill(sink, more));
    const place = this.#source.place?.();
    const told = place === undefined || rows === 0 ? undefined : this.#reached?.made(rows, place);
    return { rows, acknowledged: told ?? untold };
  }

  async #inSlices(rows: number, step: (rows: number) => number): Promise<number> {
    let done = 0;
    while (done < rows) {
      const source = this.#source;
      const reading = source.read !== undefined;
      if (reading && !(await this.#waits.during(async () => (await source.read?.()) === true))) break;
      const wanted = Math.min(sliceRows, rows - done);
      const got = step(wanted);
      done += got;
      await nextTurn();
      if (got < wanted && !reading) break;
    }
    return done;
  }
}
