import { formatCount, formatCounted } from '../../src-shared/units.ts';

interface Made {
  rows: number;
  place: string;
  acknowledged: boolean;
}

/** How far a load of rows that are read has come: batches in the order of the rows, each with where it ends. */
export class Reached {
  readonly #whose: string;
  /** Those after the last one up to which all are acknowledged. */
  readonly #open: Made[] = [];
  #rows = 0;
  #place: string | null = null;

  /** @param whose of whom it tells, where each worker has rows of its own: `Worker 3: ` */
  constructor(whose = '') {
    this.#whose = whose;
  }

  /** A batch has been made; call the function once it is acknowledged. */
  made(rows: number, place: string): () => void {
    const batch: Made = { rows, place, acknowledged: false };
    this.#open.push(batch);
    return () => {
      batch.acknowledged = true;
      while (this.#open[0]?.acknowledged) {
        this.#rows += this.#open[0].rows;
        this.#place = this.#open[0].place;
        this.#open.shift();
      }
    };
  }

  text(): string {
    const beyond = this.#open
      .filter(({ acknowledged }) => acknowledged)
      .reduce((sum, { rows }) => sum + rows, 0);
    const all =
      this.#place === null
        ? 'None of the first rows is in the database'
        : `The first ${formatCounted(this.#rows, 'row')} are in the database, up to ${this.#place}`;
    const more = beyond === 0 ? '' : `; of the rows after them, ${formatCount(beyond)} are`;
    return `${this.#whose}${all}${more}.`;
  }
}
