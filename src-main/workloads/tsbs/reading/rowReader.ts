import type { Catalogue, CatalogueTable } from './catalogue.ts';
import { Flaw } from './flaw.ts';
import { maybeLate } from './known.ts';
import { NumberReader, TimeReader } from './numbers.ts';

export const newline = 10;
export const carriageReturn = 13;
export const comma = 44;
export const space = 32;

/** Names of formats, as `generate data` and TSBS have them. */
export type FormatName = 'timescaledb' | 'influx';

/**
 * Reads rows out of bytes, one after the other; what it has found stays in its fields until the next call. The text that
 * a device's rows begin with is looked at once: after that its bytes are compared.
 */
export abstract class RowReader {
  abstract readonly format: FormatName;
  table = 0;
  device = 0;
  /** Index of the tag that the row lacks; −1: none. */
  missing = -1;
  values: Float64Array = new Float64Array(0);
  /** 1-based number of the line that comes next. */
  line = 1;
  protected readonly catalogue: Catalogue;
  protected readonly numbers = new NumberReader();
  protected readonly time = new TimeReader();
  readonly #anyOrder: boolean;
  #carriageReturns: boolean | null = null;
  #lastMs = Number.NEGATIVE_INFINITY;
  #lastNanos = 0;
  #ordered: boolean[] = [];

  constructor(catalogue: Catalogue, anyOrder: boolean) {
    this.catalogue = catalogue;
    this.#anyOrder = anyOrder;
  }

  get ms(): number {
    return this.time.ms;
  }
  get nanos(): number {
    return this.time.nanos;
  }

  /**
   * Reads what comes before the rows.
   * @param limit after the last newline
   * @returns where the rows begin; −1 where there is more of it to come. @throws Flaw
   */
  abstract begin(block: Buffer, limit: number): number;

  /**
   * Reads the row at `from`.
   * @param limit after the last newline
   * @returns where it ends; −1 where it is not complete. @throws Flaw
   */
  abstract read(block: Buffer, from: number, limit: number): number;

  /**
   * The end of a line at `at`, where nothing else may come.
   * @param line its number. @returns where the next one begins. @throws Flaw
   */
  protected endOfLine(block: Buffer, at: number, line: number): number {
    const returns = block[at] === carriageReturn;
    const end = returns ? at + 1 : at;
    if (block[end] !== newline) throw new Flaw(line, `${shown(block, at)} is not what comes here`, spoilt);
    this.#carriageReturns ??= returns;
    if (returns === this.#carriageReturns) return end + 1;
    throw new Flaw(
      line,
      returns ? 'it ends in CR LF, and those before in LF' : 'it ends in LF, and those before in CR LF',
      'Some program has changed a part of the file: convert all of it, or make it again.',
    );
  }

  /** @throws Flaw for a row older than the one before, where the order is of importance */
  protected checkOrder(line: number): void {
    const { ms, nanos } = this.time;
    const late = ms < this.#lastMs || (ms === this.#lastMs && nanos < this.#lastNanos);
    if (late && !this.#anyOrder && this.#isOrdered())
      throw new Flaw(
        line,
        'the row is older than the one before it',
        'Sort the file by time, or load its rows in any order (anyOrder: true).',
      );
    this.#lastMs = ms;
    this.#lastNanos = nanos;
  }

  #isOrdered(): boolean {
    this.#ordered[this.table] ??= !maybeLate(this.catalogue.tables[this.table]?.name ?? '');
    return this.#ordered[this.table] === true;
  }

  /** @throws Flaw for tags that do not fit those of other rows */
  protected noteOwnTags(
    device: number,
    names: readonly string[],
    values: readonly string[],
    line: number,
  ): void {
    const table = this.tableAt(this.table);
    const wrong = this.catalogue.noteOwnTags(table, device, names, values);
    if (wrong !== null) throw new Flaw(line, wrong, 'TSBS’s own files have no such rows.');
  }

  protected tableAt(index: number): CatalogueTable {
    const table = this.catalogue.tables[index];
    if (table === undefined) throw new RangeError(`no table ${index}`);
    return table;
  }
}

export const spoilt = 'The file is damaged here, or was not written by TSBS.';
/** What a thread says that meets something that was not there when the file was looked through. */
export const changed = 'is new: the file has changed since it was looked through';

/** The text at a place, up to the next separator, for a message. */
export function shown(block: Buffer, from: number): string {
  const rest = block.toString('utf8', from, Math.min(block.length, from + 40));
  const text = /^[^\s,]*/.exec(rest)?.[0] ?? '';
  return text === ''
    ? from < block.length
      ? JSON.stringify(rest.slice(0, 1))
      : 'the end'
    : JSON.stringify(text);
}

export function matches(block: Buffer, from: number, bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (block[from + i] !== bytes[i]) return false;
  return true;
}
