import type { Dataset } from '../driver.ts';
import { type Block, reserve } from '../postgresql/batch.ts';
import { linePrefix } from './ilpText.ts';

/** Of one table, kept as bytes; devices beyond it are written out again for each row. */
const mostBytes = 32 * 1024 * 1024;

/** The beginnings of the lines of one table, made on a device's first row and copied from then on. */
export class Prefixes {
  readonly #dataset: Dataset;
  readonly #table: number;
  /** Tags that are numbers go among the fields: then every line has some. */
  readonly #starts: Float64Array;
  #bytes = Buffer.allocUnsafeSlow(64 * 1024);
  #length = 0;
  readonly #ends: Float64Array;
  readonly #hasFields: Uint8Array;

  constructor(dataset: Dataset, table: number) {
    this.#dataset = dataset;
    this.#table = table;
    this.#starts = new Float64Array(dataset.devices).fill(-1);
    this.#ends = new Float64Array(dataset.devices);
    this.#hasFields = new Uint8Array(dataset.devices);
  }

  /** Appends the prefix of a row and returns whether it has fields already. */
  append(block: Block, device: number, missingTag: number | undefined): boolean {
    let start = this.#starts[device] ?? -1;
    if (missingTag !== undefined || start < 0) {
      const { text, hasFields } = linePrefix(this.#dataset, this.#table, device, missingTag);
      if (missingTag !== undefined || !this.#keep(device, text, hasFields)) {
        reserve(block, text.length * 3);
        block.length += block.bytes.write(text, block.length, 'utf8');
        return hasFields;
      }
      start = this.#starts[device] ?? -1;
    }
    const end = this.#ends[device] ?? start;
    reserve(block, end - start);
    block.length += this.#bytes.copy(block.bytes, block.length, start, end);
    return this.#hasFields[device] === 1;
  }

  #keep(device: number, text: string, hasFields: boolean): boolean {
    const needed = this.#length + text.length * 3;
    if (needed > mostBytes) return false;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#starts[device] = this.#length;
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
    this.#ends[device] = this.#length;
    this.#hasFields[device] = hasFields ? 1 : 0;
    return true;
  }
}

const kept = new WeakMap<Dataset, Prefixes[]>();

/** One for each table; writers of a thread that have the same data set share them. */
export function prefixesOf(dataset: Dataset): readonly Prefixes[] {
  let prefixes = kept.get(dataset);
  if (prefixes === undefined) {
    prefixes = dataset.tables.map((_, table) => new Prefixes(dataset, table));
    kept.set(dataset, prefixes);
  }
  return prefixes;
}
