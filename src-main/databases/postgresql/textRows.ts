import type { RowSink } from '../driver.ts';
import { Batch, reserve } from './batch.ts';
import { type Layout, namelessId } from './layout.ts';

const dayMs = 86_400_000;
const tab = 0x09;
const newline = 0x0a;
const backslash = 0x5c;
const zero = 0x30;
/** What TSBS has in the place of a device's name where a row lacks it. */
const empty = Buffer.alloc(0);
/** Longest double as text is 24 characters. */
const valueBytes = 26;

/**
 * Rows in PostgreSQL's text COPY format: columns separated by tabs, `\N` for NULL. Whole numbers and times are written
 * digit by digit; other doubles in the fewest digits that give the same double back.
 */
export class TextRows implements RowSink {
  readonly batch: Batch;
  readonly #fields: number[];
  readonly #names: Buffer[] | null;
  readonly #additional: (Buffer[] | null)[];
  #day = Number.NaN;
  /** `2016-01-01 ` of the day of the last row. */
  #date: Buffer = Buffer.alloc(0);

  constructor(layout: Layout) {
    this.batch = new Batch(layout.tables.length);
    this.#fields = layout.tables.map((table) => table.fields);
    this.#names = layout.deviceNames?.map((name) => Buffer.from(copyText(name), 'utf8')) ?? null;
    this.#additional = layout.additionalTags.map(
      (texts) => texts?.map((json) => Buffer.from(copyText(json), 'utf8')) ?? null,
    );
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
    const fields = this.#fields[table];
    if (block === undefined || fields === undefined)
      throw new RangeError(`the data set has no table ${table}`);
    const nameless = missingTag === 0;
    const name = this.#names === null ? null : nameless ? empty : this.#names[device];
    const additional = this.#additional[table]?.[device];
    reserve(block, 64 + (name?.length ?? 0) + (additional?.length ?? 0) + fields * valueBytes);
    const bytes = block.bytes;
    let at = this.#time(bytes, block.length, timeMs, nanos);
    bytes[at] = tab;
    at = integer(bytes, at + 1, nameless ? namelessId : device + 1);
    bytes[at] = tab;
    at = additional === undefined ? nothing(bytes, at + 1) : at + 1 + additional.copy(bytes, at + 1);
    if (name !== null && name !== undefined) {
      bytes[at] = tab;
      at += 1 + name.copy(bytes, at + 1);
    }
    for (let i = 0; i < fields; i += 1) {
      const value = values[i] ?? Number.NaN;
      bytes[at] = tab;
      at = Number.isNaN(value) ? nothing(bytes, at + 1) : double(bytes, at + 1, value);
    }
    bytes[at] = newline;
    block.length = at + 1;
    block.rows += 1;
  }

  /** `2016-01-01 00:00:00.000000+00` */
  #time(bytes: Buffer, from: number, timeMs: number, nanos: number): number {
    const day = Math.floor(timeMs / dayMs);
    if (day !== this.#day) {
      this.#day = day;
      this.#date = Buffer.from(`${new Date(day * dayMs).toISOString().slice(0, 10)} `, 'latin1');
    }
    const at = from + this.#date.copy(bytes, from);
    const ms = timeMs - day * dayMs;
    digits(bytes, at, Math.trunc(ms / 3_600_000), 2);
    bytes[at + 2] = 0x3a;
    digits(bytes, at + 3, Math.trunc(ms / 60_000) % 60, 2);
    bytes[at + 5] = 0x3a;
    digits(bytes, at + 6, Math.trunc(ms / 1000) % 60, 2);
    bytes[at + 8] = 0x2e;
    digits(bytes, at + 9, (ms % 1000) * 1000 + Math.trunc(nanos / 1000), 6);
    bytes[at + 15] = 0x2b;
    digits(bytes, at + 16, 0, 2);
    return at + 18;
  }
}

/** A text value in the text COPY format; null is `\N`. */
export function copyText(value: string | null): string {
  if (value === null) return '\\N';
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
}

function nothing(bytes: Buffer, at: number): number {
  bytes[at] = backslash;
  bytes[at + 1] = 0x4e;
  return at + 2;
}

/** Exactly `count` digits, leading zeros included. */
function digits(bytes: Buffer, at: number, value: number, count: number): void {
  let rest = value;
  for (let i = count - 1; i >= 0; i -= 1) {
    const next = Math.trunc(rest / 10);
    bytes[at + i] = zero + rest - next * 10;
    rest = next;
  }
}

/** A whole number from 0. */
function integer(bytes: Buffer, at: number, value: number): number {
  let count = 1;
  for (let limit = 10; value >= limit; limit *= 10) count += 1;
  digits(bytes, at, value, count);
  return at + count;
}

function double(bytes: Buffer, at: number, value: number): number {
  if (value >= 0 && value < 1e9 && Math.trunc(value) === value && !Object.is(value, -0)) {
    return integer(bytes, at, value);
  }
  return at + bytes.write(Object.is(value, -0) ? '-0' : String(value), at, 'latin1');
}
