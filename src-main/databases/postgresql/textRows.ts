import type { RowSink } from '../driver.ts';
import { Batch, reserve } from './batch.ts';
import { type Layout, namelessId } from './layout.ts';

const dayMs = 86_400_000;
const zero = 0x30;
/** Longest double as text is 24 characters. */
const valueBytes = 26;

/** How rows are written as text. */
export interface TextStyle {
  /** Around a row, and between its columns. */
  open: string;
  separator: string;
  close: string;
  /** Around a time. */
  quote: string;
  /** After a time, which is UTC. */
  zone: string;
  nothing: string;
  /** A text, or what stands for none. */
  textOf(value: string | null): string;
}

/** PostgreSQL's text COPY format: columns separated by tabs, `\N` for NULL. */
const copyStyle: TextStyle = {
  open: '',
  separator: '\t',
  close: '\n',
  quote: '',
  zone: '+00',
  nothing: '\\N',
  textOf: copyText,
};

/**
 * Rows as text, PostgreSQL's where no other style is given. Whole numbers and times are written digit by digit; other
 * doubles in the fewest digits that give the same double back.
 */
export class TextRows implements RowSink {
  readonly batch: Batch;
  readonly #fields: number[];
  readonly #names: Buffer[] | null;
  readonly #additional: (Buffer[] | null)[];
  readonly #style: Record<Exclude<keyof TextStyle, 'textOf'>, Buffer>;
  /** What TSBS has in the place of a device's name where a row lacks it. */
  readonly #noName: Buffer;
  readonly #rowsAStatement: number;
  #day = Number.NaN;
  /** `2016-01-01 ` of the day of the last row. */
  #date: Buffer = Buffer.alloc(0);

  /** @param rowsAStatement every so many rows are marked; 0: none are */
  constructor(layout: Layout, style: TextStyle = copyStyle, rowsAStatement = 0) {
    const { open, separator, close, quote, zone, nothing, textOf } = style;
    const bytes = (text: string) => Buffer.from(text, 'utf8');
    this.#style = {
      open: bytes(open),
      separator: bytes(separator),
      close: bytes(close),
      quote: bytes(quote),
      zone: bytes(zone),
      nothing: bytes(nothing),
    };
    this.#noName = bytes(textOf(''));
    this.#rowsAStatement = rowsAStatement;
    this.batch = new Batch(layout.tables.length);
    this.#fields = layout.tables.map((table) => table.fields);
    this.#names = layout.deviceNames?.map((name) => bytes(textOf(name))) ?? null;
    this.#additional = layout.additionalTags.map(
      (texts) => texts?.map((json) => bytes(textOf(json))) ?? null,
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
    const name = this.#names === null ? null : nameless ? this.#noName : this.#names[device];
    const additional = this.#additional[table]?.[device];
    reserve(block, 64 + (name?.length ?? 0) + (additional?.length ?? 0) + fields * valueBytes);
    if (this.#rowsAStatement > 0 && block.rows % this.#rowsAStatement === 0) block.marks.push(block.length);
    const { bytes } = block;
    const { open, separator, close, nothing } = this.#style;
    let at = this.#time(bytes, put(bytes, block.length, open), timeMs, nanos);
    at = put(bytes, at, separator);
    at = integer(bytes, at, nameless ? namelessId : device + 1);
    at = put(bytes, put(bytes, at, separator), additional ?? nothing);
    if (name !== null && name !== undefined) at = put(bytes, put(bytes, at, separator), name);
    for (let i = 0; i < fields; i += 1) {
      const value = values[i] ?? Number.NaN;
      at = put(bytes, at, separator);
      at = Number.isNaN(value) ? put(bytes, at, nothing) : double(bytes, at, value);
    }
    block.length = put(bytes, at, close);
    block.rows += 1;
  }

  /** `2016-01-01 00:00:00.000000+00` */
  #time(bytes: Buffer, from: number, timeMs: number, nanos: number): number {
    const day = Math.floor(timeMs / dayMs);
    if (day !== this.#day) {
      this.#day = day;
      this.#date = Buffer.from(`${new Date(day * dayMs).toISOString().slice(0, 10)} `, 'latin1');
    }
    const { quote, zone } = this.#style;
    const start = put(bytes, from, quote);
    const at = start + this.#date.copy(bytes, start);
    const ms = timeMs - day * dayMs;
    digits(bytes, at, Math.trunc(ms / 3_600_000), 2);
    bytes[at + 2] = 0x3a;
    digits(bytes, at + 3, Math.trunc(ms / 60_000) % 60, 2);
    bytes[at + 5] = 0x3a;
    digits(bytes, at + 6, Math.trunc(ms / 1000) % 60, 2);
    bytes[at + 8] = 0x2e;
    digits(bytes, at + 9, (ms % 1000) * 1000 + Math.trunc(nanos / 1000), 6);
    return put(bytes, put(bytes, at + 15, zone), quote);
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

/** A few bytes: a loop is quicker than a copy. */
function put(bytes: Buffer, from: number, part: Buffer): number {
  if (part.length > 8) return from + part.copy(bytes, from);
  for (let i = 0; i < part.length; i += 1) bytes[from + i] = part[i] ?? 0;
  return from + part.length;
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
