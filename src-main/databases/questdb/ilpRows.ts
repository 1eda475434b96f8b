import type { Dataset, RowSink } from '../driver.ts';
import { Batch, type Block, reserve } from '../postgresql/batch.ts';
import { escaped, nanosecondText, writeInteger } from './ilpText.ts';
import { type Prefixes, prefixesOf } from './prefixes.ts';

const space = 32;
const equals = 61;
const integerSuffix = 105;
/** The type of a double in eight bytes, little-endian, after a second `=` (protocol version 2). */
const doubleType = 16;
/** More than the digits of any number. */
const numberBytes = 32;
const timeBytes = 24;

/** A row that tells whether its batch is in the table: nothing else has its device at its time. */
export interface Witness {
  device: number;
  timeMs: number;
  nanos: number;
}

interface Table {
  prefixes: Prefixes;
  /** `,name=` of each field. */
  names: Uint8Array[];
  integer: boolean[];
  /** Room for all fields, whatever their values. */
  most: number;
}

/**
 * Rows as lines of the InfluxDB line protocol, as QuestDB reads it: straight into the block of their table, without an
 * object a row or a string a value. A value that is NULL is left out; a row of nothing but NULLs has its first one
 * spelled out, since a line must have a field.
 */
export class IlpRows implements RowSink {
  readonly batch: Batch;
  readonly #tables: Table[];
  readonly #binaryDoubles: boolean;
  readonly #witnesses = new WeakMap<Block, Witness>();
  /** Per table: the block that is filled has one. */
  readonly #witnessed: boolean[] = [];
  #timeMs = Number.NaN;
  #nanos = 0;
  /** ` nanoseconds\n` of that time. */
  #time: Uint8Array = new Uint8Array(0);

  constructor(dataset: Dataset, binaryDoubles: boolean) {
    const prefixes = prefixesOf(dataset);
    this.batch = new Batch(dataset.tables.length);
    this.#binaryDoubles = binaryDoubles;
    this.#tables = dataset.tables.map((table, i) => {
      const own = prefixes[i];
      if (own === undefined) throw new Error('a table without prefixes');
      const names = table.fields.map(({ name }) => Buffer.from(`,${escaped(name)}=`, 'utf8'));
      return {
        prefixes: own,
        names,
        integer: table.fields.map(({ type }) => type === 'integer'),
        most: names.reduce((sum, name) => sum + name.length + numberBytes, timeBytes + numberBytes),
      };
    });
  }

  /** undefined where every row of the block lacks a tag. */
  witness(block: Block): Witness | undefined {
    return this.#witnesses.get(block);
  }

  row(
    table: number,
    device: number,
    timeMs: number,
    nanos: number,
    values: Float64Array,
    missingTag?: number,
  ): void {
    const block = this.batch.blocks[table];
    const spec = this.#tables[table];
    if (block === undefined || spec === undefined) throw new RangeError(`the data set has no table ${table}`);
    if (block.rows === 0) {
      this.#witnesses.delete(block);
      this.#witnessed[table] = false;
    }
    if (missingTag === undefined && !this.#witnessed[table]) {
      this.#witnesses.set(block, { device, timeMs, nanos });
      this.#witnessed[table] = true;
    }
    const hasFields = spec.prefixes.append(block, device, missingTag);
    reserve(block, spec.most);
    const { names, integer } = spec;
    const { bytes } = block;
    const first = block.length;
    let at = first;
    for (let i = 0; i < names.length; i += 1) {
      const value = values[i] as number;
      if (Number.isNaN(value)) continue;
      const name = names[i] as Uint8Array;
      for (let k = 0; k < name.length; k += 1) bytes[at++] = name[k] as number;
      if (integer[i]) {
        at = writeInteger(bytes, at, value);
        bytes[at++] = integerSuffix;
      } else if (this.#binaryDoubles) {
        bytes[at] = equals;
        bytes[at + 1] = doubleType;
        // −0 is 0 to a database.
        block.view.setFloat64(at + 2, value + 0, true);
        at += 10;
      } else {
        at += bytes.write(String(value), at, 'latin1');
      }
    }
    if (at === first && !hasFields) at = this.#spellNull(bytes, at, spec);
    if (!hasFields) bytes[first] = space;
    at = this.#writeTime(bytes, at, timeMs, nanos);
    block.length = at;
    block.rows += 1;
  }

  #spellNull(bytes: Buffer, start: number, { names, integer }: Table): number {
    const name = names[0];
    if (name === undefined) throw new RangeError('a row without fields');
    bytes.set(name, start);
    const at = start + name.length;
    return at + bytes.write(integer[0] ? '-9223372036854775808i' : 'NaN', at, 'latin1');
  }

  #writeTime(bytes: Buffer, start: number, timeMs: number, nanos: number): number {
    if (timeMs !== this.#timeMs || nanos !== this.#nanos) {
      this.#timeMs = timeMs;
      this.#nanos = nanos;
      this.#time = Buffer.from(`\u0020${nanosecondText(timeMs, nanos)}\n`, 'latin1');
    }
    const time = this.#time;
    let at = start;
    for (let k = 0; k < time.length; k += 1) bytes[at++] = time[k] as number;
    return at;
  }
}
