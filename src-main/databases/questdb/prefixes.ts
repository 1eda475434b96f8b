import type { Dataset } from '../driver.ts';
import { KeptBytes } from '../keptBytes.ts';
import { type Block, reserve } from '../postgresql/batch.ts';
import { linePrefix } from './ilpText.ts';

/** The beginnings of the lines of one table, made on a device's first row and copied from then on. */
export class Prefixes {
  readonly #dataset: Dataset;
  readonly #table: number;
  readonly #kept: KeptBytes;
  /** Tags that are numbers go among the fields: then every line has some. */
  readonly #hasFields: Uint8Array;

  constructor(dataset: Dataset, table: number) {
    this.#dataset = dataset;
    this.#table = table;
    this.#kept = new KeptBytes(dataset.devices);
    this.#hasFields = new Uint8Array(dataset.devices);
  }

  /** Appends the prefix of a row and returns whether it has fields already. */
  append(block: Block, device: number, missingTag: number | undefined): boolean {
    if (missingTag !== undefined || this.#kept.sizeOf(device) < 0) {
      const { text, hasFields } = linePrefix(this.#dataset, this.#table, device, missingTag);
      if (missingTag !== undefined || !this.#kept.keep(device, text)) {
        reserve(block, text.length * 3);
        block.length += block.bytes.write(text, block.length, 'utf8');
        return hasFields;
      }
      this.#hasFields[device] = hasFields ? 1 : 0;
    }
    reserve(block, this.#kept.sizeOf(device));
    block.length += this.#kept.copy(device, block.bytes, block.length);
    return this.#hasFields[device] === 1;
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
