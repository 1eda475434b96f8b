import { AppError } from '../../../src-shared/errors.ts';
import type { Dataset, RowSink } from '../driver.ts';
import { KeptBytes } from '../keptBytes.ts';
import { noValue } from '../lines/rows.ts';
import { Batch, type Block, reserve } from '../postgresql/batch.ts';
import { writeInteger } from '../questdb/ilpText.ts';
import { metricName, tagsOf } from './names.ts';

/** Before this second the server takes a time for one of another unit, or does not find its points. */
export const firstSecond = 100_000_000;
/** More than the digits of any number or time. */
const numberBytes = 32;

/** A way in which points are written: `head`, time, `between`, value, tags. */
export interface PointForm {
  head(metric: string): string;
  between: string;
  tail(tags: ReturnType<typeof tagsOf>): string;
  /** Most bytes of one point; with `splits`, also of points that go together. */
  most: number;
  splits: boolean;
  /** What to do about a point that is longer. */
  hint: string;
}

/** JSON as /api/put takes it: an array's elements, each after its comma. @param most bytes of a request */
export function jsonForm(most: number): PointForm {
  return {
    head: (metric) => `,{"metric":"${metric}","timestamp":`,
    between: ',"value":',
    tail: (tags) => `,"tags":{${tags.map(([name, value]) => `"${name}":"${value}"`).join(',')}}}`,
    most,
    splits: true,
    hint: 'Let the server take larger requests: tsd.http.request.max_chunk.',
  };
}

/** Longer lines make the server close the connection, once they are longer than 1,024 bytes without their end. */
const lineBytes = 1000;

/** Lines of the old protocol. */
export const telnetForm: PointForm = {
  head: (metric) => `put ${metric} `,
  between: ' ',
  tail: (tags) => `${tags.map(([name, value]) => ` ${name}=${value}`).join('')}\n`,
  most: lineBytes,
  splits: false,
  hint: 'Send points over HTTP: opentsdbTransport: http.',
};

interface Table {
  /** Beginnings of the points of each field, and last of the one for rows without a first value. */
  heads: Uint8Array[];
  integer: boolean[];
  /** Ends of the points of a device. */
  tails: KeptBytes;
}

/**
 * Rows as points, one for each value that is there: straight into the block of their table. A row whose first value is NULL
 * has a point of `no_value` besides: so the rows of a table are the points of its first field and of that one.
 */
export class PointRows implements RowSink {
  readonly batch: Batch;
  readonly #dataset: Dataset;
  readonly #mostTags: number;
  readonly #form: PointForm;
  readonly #between: Uint8Array;
  readonly #tables: Table[];
  #timeMs = Number.NaN;
  #time: Uint8Array = new Uint8Array(0);

  constructor(dataset: Dataset, about: { database: string; mostTags: number }, form: PointForm) {
    this.batch = new Batch(dataset.tables.length);
    this.#dataset = dataset;
    this.#mostTags = about.mostTags;
    this.#form = form;
    this.#between = Buffer.from(form.between, 'latin1');
    const tails = tailsOf(dataset, `${form.between}${about.mostTags}`);
    this.#tables = dataset.tables.map(({ name, fields }, table) => ({
      heads: [...fields.map((field) => field.name), noValue].map((field) =>
        Buffer.from(form.head(metricName(about.database, name, field)), 'latin1'),
      ),
      integer: fields.map(({ type }) => type === 'integer'),
      tails: tails[table] as KeptBytes,
    }));
  }

  row(
    table: number,
    device: number,
    timeMs: number,
    _nanos: number,
    values: Float64Array,
    missingTag?: number,
  ): void {
    const block = this.batch.blocks[table];
    const spec = this.#tables[table];
    if (block === undefined || spec === undefined) throw new RangeError(`the data set has no table ${table}`);
    if (timeMs !== this.#timeMs) this.#setTime(timeMs);
    const { heads, integer, tails } = spec;
    const last = heads.length - 1;
    const kept = missingTag === undefined && this.#keep(tails, table, device);
    const tail = kept ? null : Buffer.from(this.#tail(table, device, missingTag), 'latin1');
    const tailBytes = tail?.length ?? tails.sizeOf(device);
    for (let i = 0; i <= last; i += 1) {
      const value = i < last ? (values[i] as number) : Number.isNaN(values[0] ?? Number.NaN) ? 1 : Number.NaN;
      if (Number.isNaN(value)) continue;
      const head = heads[i] as Uint8Array;
      reserve(block, head.length + numberBytes * 2 + this.#between.length + tailBytes);
      const { bytes } = block;
      const start = block.length;
      let at = copy(head, bytes, start);
      at = copy(this.#time, bytes, at);
      at = copy(this.#between, bytes, at);
      at = i === last || integer[i] ? writeInteger(bytes, at, value + 0) : writeDouble(bytes, at, value);
      at = tail === null ? at + tails.copy(device, bytes, at) : copy(tail, bytes, at);
      block.length = at;
      this.#limit(block, start);
    }
    block.rows += 1;
  }

  #setTime(timeMs: number): void {
    if (timeMs < firstSecond * 1000 || timeMs >= 1e13)
      throw new AppError({
        code: 'bad-input',
        message: `OpenTSDB keeps no points of ${new Date(timeMs).toISOString()}`,
        hint: `Times are from ${new Date(firstSecond * 1000).toISOString()} on.`,
      });
    this.#timeMs = timeMs;
    // As seconds where it is whole ones: a point then takes two bytes less on the disk.
    this.#time = Buffer.from(String(timeMs % 1000 === 0 ? timeMs / 1000 : timeMs), 'latin1');
  }

  #keep(tails: KeptBytes, table: number, device: number): boolean {
    return tails.sizeOf(device) >= 0 || tails.keep(device, this.#tail(table, device));
  }

  #tail(table: number, device: number, missingTag?: number): string {
    return this.#form.tail(tagsOf(this.#dataset, table, device, this.#mostTags, missingTag));
  }

  /** Notes where a request begins. */
  #limit(block: Block, start: number): void {
    const { most, splits, hint } = this.#form;
    if (block.length - start > most)
      throw new AppError({
        code: 'bad-input',
        message: `A point has ${block.length - start} bytes, and the server takes ${most}`,
        detail: block.bytes.toString('latin1', start, start + 200),
        hint,
      });
    if (splits && block.length - (block.marks.at(-1) ?? 0) > most) block.marks.push(start);
  }
}

const kept = new WeakMap<Dataset, Map<string, KeptBytes[]>>();

/** One for each table; writers of a thread that write the same points share them. */
function tailsOf(dataset: Dataset, form: string): KeptBytes[] {
  const forms = kept.get(dataset) ?? new Map<string, KeptBytes[]>();
  kept.set(dataset, forms);
  const tails = forms.get(form) ?? dataset.tables.map(() => new KeptBytes(dataset.devices));
  forms.set(form, tails);
  return tails;
}

function copy(from: Uint8Array, to: Uint8Array, start: number): number {
  let at = start;
  for (let i = 0; i < from.length; i += 1) to[at++] = from[i] as number;
  return at;
}

/** Shortest exact text; with a dot or an exponent, since the server takes anything else for a whole number. */
function writeDouble(bytes: Buffer, at: number, value: number): number {
  // −0 is 0 to a database.
  const text = String(value + 0);
  return at + bytes.write(/[.e]/.test(text) ? text : `${text}.0`, at, 'latin1');
}

/** The requests of a block of the JSON form: an array each. */
export function requestsOf({ bytes, length, marks }: Block): Uint8Array[][] {
  if (length === 0) return [];
  return [0, ...marks].map((start, i) => [
    ...[Buffer.from('['), bytes.subarray(start + 1, marks[i] ?? length), Buffer.from(']')],
  ]);
}
