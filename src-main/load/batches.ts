import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RowSink } from '../databases/driver.ts';
import type { RowSource } from '../workloads/workload.ts';

/**
 * Rows made in one go. Between slices the event loop turns, so that an acknowledgement that has come in is seen within
 * about a millisecond and does not make its batch look slower than it was.
 */
const sliceRows = 1000;

/**
 * Cuts a row source into batches, of which this thread fills those whose numbers it claims, in rising order. Whoever is
 * free claims the next number, so fast workers write more, and each row is written exactly once.
 */
export class Batches {
  readonly #source: RowSource;
  readonly #batchSize: number;
  readonly #claim: () => number;
  #position = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(source: RowSource, batchSize: number, claim: () => number) {
    this.#source = source;
    this.#batchSize = batchSize;
    this.#claim = claim;
  }

  /** Fills the sink with the next batch. One at a time: others wait their turn. @returns rows given, 0 at the end */
  next(sink: RowSink): Promise<number> {
    const turn = this.#last.then(() => this.#fill(sink));
    this.#last = turn.catch(() => undefined); // the caller gets the error
    return turn;
  }

  async #fill(sink: RowSink): Promise<number> {
    const number = this.#claim();
    const { totalRows, estimated } = this.#source;
    if (!estimated && number * this.#batchSize >= totalRows) return 0;
    await this.#inSlices((number - this.#position) * this.#batchSize, (rows) => this.#source.skip(rows));
    this.#position = number + 1;
    return this.#inSlices(this.#batchSize, (rows) => this.#source.fill(sink, rows));
  }

  async #inSlices(rows: number, step: (rows: number) => number): Promise<number> {
    let done = 0;
    while (done < rows) {
      const wanted = Math.min(sliceRows, rows - done);
      const got = step(wanted);
      done += got;
      await nextTurn();
      if (got < wanted) break;
    }
    return done;
  }
}
