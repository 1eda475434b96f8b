import type { Dataset, RowSink } from '../driver.ts';
import { KeptBytes } from '../keptBytes.ts';
import { Batch, type Block, reserve } from '../postgresql/batch.ts';
import { checkTime, deviceKey, family, stretchBytes, writeColumnTime, writeStretch } from './keys.ts';
import type { Shape } from './loadOptions.ts';

/** One request is not much larger: the gateway and the server hold it in memory, as objects many times its size. */
const requestBytes = 1 << 20;
/** Of more than 5,000 the server complains in its log, or refuses them where it is told to. */
const requestRows = 4000;
/** `family:` and the number of a field. */
const columnHead = Buffer.from(`${family}:`, 'latin1');
const valueBytes = 8;

// Fields of the messages CellSet, Row and Cell: number and wire type.
const rowTag = 0x0a;
const keyTag = 0x0a;
const cellTag = 0x12;
const columnTag = 0x12;
const timestampTag = 0x18;
const dataTag = 0x22;

/**
 * Rows as the REST gateway's protocol buffers, a block for each table: a `CellSet` of rows, each with its key and a cell
 * for each value, straight into the block without an object or a string for any. A NULL is left out, but of the first
 * field: every row of the data has a cell of it, without bytes where it is NULL, so that rows can be counted.
 *
 * A cell has the row's own time as its timestamp: sent twice, it is the same cell.
 */
export class CellRows implements RowSink {
  readonly batch: Batch;
  readonly #dataset: Dataset;
  readonly #shape: Shape;
  readonly #keys: KeptBytes;
  readonly #integer: boolean[][];
  /** Of the row's time: the column's bytes behind the field, and the timestamp with its tag. */
  readonly #time = Buffer.alloc(32);
  #columnTimeBytes = 0;
  #timeBytes = 0;
  #timeMs = Number.NaN;
  #nanos = 0;

  constructor(dataset: Dataset, shape: Shape) {
    this.batch = new Batch(dataset.tables.length);
    this.#dataset = dataset;
    this.#shape = shape;
    this.#keys = new KeptBytes(dataset.devices);
    this.#integer = dataset.tables.map(({ fields }) => fields.map(({ type }) => type === 'integer'));
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
    const integer = this.#integer[table];
    if (block === undefined || integer === undefined)
      throw new RangeError(`the data set has no table ${table}`);
    if (timeMs !== this.#timeMs || nanos !== this.#nanos) this.#setTime(timeMs, nanos);
    const text = missingTag === 0 || !this.#kept(device) ? this.#keyText(device, missingTag) : null;
    const stretch = this.#shape.schema === 'series' ? stretchBytes : 0;
    const keyBytes = (text === null ? this.#keys.sizeOf(device) : Buffer.byteLength(text, 'utf8')) + stretch;
    const columnBytes = columnHead.length + 2 + this.#columnTimeBytes;
    const emptyBytes = 2 + columnBytes + (this.#timeBytes - this.#columnTimeBytes) + 2;
    let cells = 1;
    for (let i = 1; i < integer.length; i += 1) if (!Number.isNaN(values[i] as number)) cells += 1;
    const first = Number.isNaN(values[0] ?? Number.NaN) ? 0 : valueBytes;
    const rowBytes =
      1 + sizeOfVarint(keyBytes) + keyBytes + cells * (2 + emptyBytes) + (cells - 1) * valueBytes + first;
    reserve(block, 1 + sizeOfVarint(rowBytes) + rowBytes);
    mark(block);
    const { bytes } = block;
    let at = block.length;
    bytes[at++] = rowTag;
    at = writeVarint(bytes, at, rowBytes);
    bytes[at++] = keyTag;
    at = writeVarint(bytes, at, keyBytes);
    const salt = at;
    at += stretch;
    at += text === null ? this.#keys.copy(device, bytes, at) : bytes.write(text, at, 'utf8');
    if (stretch > 0) {
      bytes[salt] = bytes[salt + stretch] as number;
      writeStretch(bytes, salt + 1, timeMs, this.#shape);
    }
    for (let i = 0; i < integer.length || i === 0; i += 1) {
      const value = values[i] as number;
      const isNull = i >= integer.length || Number.isNaN(value);
      if (isNull && i > 0) continue;
      const dataBytes = isNull ? 0 : valueBytes;
      bytes[at++] = cellTag;
      bytes[at++] = emptyBytes + dataBytes;
      bytes[at++] = columnTag;
      bytes[at++] = columnBytes;
      for (let k = 0; k < columnHead.length; k += 1) bytes[at++] = columnHead[k] as number;
      bytes[at++] = i >> 8;
      bytes[at++] = i & 0xff;
      for (let k = 0; k < this.#timeBytes; k += 1) bytes[at++] = this.#time[k] as number;
      bytes[at++] = dataTag;
      bytes[at++] = dataBytes;
      if (isNull) continue;
      if (integer[i] === true) writeInt64(block.view, at, value);
      // −0 is 0 to a database.
      else block.view.setFloat64(at, value + 0);
      at += valueBytes;
    }
    block.length = at;
    block.rows += 1;
  }

  #setTime(timeMs: number, nanos: number): void {
    checkTime(timeMs);
    this.#timeMs = timeMs;
    this.#nanos = nanos;
    this.#columnTimeBytes = writeColumnTime(this.#time, 0, timeMs, nanos, this.#shape);
    this.#time[this.#columnTimeBytes] = timestampTag;
    this.#timeBytes = writeVarint(this.#time, this.#columnTimeBytes + 1, timeMs);
  }

  /** Whether the device's part of the key is kept, from now on if need be. */
  #kept(device: number): boolean {
    return this.#keys.sizeOf(device) >= 0 || this.#keys.keep(device, this.#keyText(device, undefined));
  }

  #keyText(device: number, missingTag: number | undefined): string {
    const name = missingTag === 0 ? null : this.#dataset.deviceTags(device)[0];
    return deviceKey(name === null || name === undefined ? '' : String(name), this.#shape);
  }
}

/** Notes where a request ends: a block is sent in parts of whole rows. */
function mark(block: Block): void {
  const from = block.marks.at(-1) ?? 0;
  const full = block.length - from >= requestBytes || block.rows % requestRows === 0;
  if (block.rows > 0 && full) block.marks.push(block.length);
}

/** Writes a number of up to 53 bits as a varint and returns where it ends. */
export function writeVarint(bytes: Buffer, start: number, value: number): number {
  let at = start;
  let rest = value;
  while (rest >= 0x80) {
    bytes[at++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  bytes[at++] = rest;
  return at;
}

/** A whole number that a double holds exactly, in two's complement. */
function writeInt64(view: DataView, at: number, value: number): void {
  const high = Math.floor(value / 0x1_0000_0000);
  view.setInt32(at, high);
  view.setUint32(at + 4, value - high * 0x1_0000_0000);
}

function sizeOfVarint(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size += 1;
  return size;
}
