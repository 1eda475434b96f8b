import { createDraw } from './distributions.ts';
import type { PrepareOptions } from './prepareOptions.ts';
import { Random } from './random.ts';
import { constantC, constantPad, tableName } from './tables.ts';
import { randomC, randomPad } from './texts.ts';

/** Text of one INSERT at most, as sysbench fills it. */
const insertBytes = 524_288;
/** A part of a COPY; small enough that a figure a second is fresh on a slow server. */
const chunkRows = 500;

type Join = (id: number | null, k: number, c: string, pad: string) => string;

/** Rows of one table as text, in order; `k` is drawn by the plan's distribution. */
class Rows {
  readonly #options: PrepareOptions;
  readonly #random: Random;
  readonly #k: () => number;
  #given = 0;

  /** @param table from 1 */
  constructor(options: PrepareOptions, table: number) {
    this.#options = options;
    this.#random = new Random(options.randSeed, table);
    const draw = createDraw(this.#random, options);
    this.#k = () => draw(1, options.tableSize);
  }

  get left(): number {
    return this.#options.tableSize - this.#given;
  }

  next(join: Join): string {
    this.#given += 1;
    const id = this.#options.autoInc ? null : this.#given;
    return this.#options.sysbenchVersion === '0.4'
      ? join(id, 0, constantC, constantPad)
      : join(id, this.#k(), randomC(this.#random), randomPad(this.#random));
  }
}

const asValues: Join = (id, k, c, pad) => `(${id === null ? '' : `${id}, `}${k}, '${c}', '${pad}')`;
const asLine: Join = (id, k, c, pad) => `${id === null ? '' : `${id}\t`}${k}\t${c}\t${pad}\n`;

const columns = (options: PrepareOptions) => (options.autoInc ? '(k, c, pad)' : '(id, k, c, pad)');

/** The INSERT statements that fill a table. @param table from 1 */
export function* inserts(options: PrepareOptions, table: number): Generator<{ text: string; rows: number }> {
  const source = new Rows(options, table);
  const head = `INSERT INTO ${tableName(options.sysbenchVersion, table)}${columns(options)} VALUES`;
  const most = options.writeMode === 'insert-single' ? 1 : options.rowsPerInsert || Number.POSITIVE_INFINITY;
  let text = '';
  let rows = 0;
  while (source.left > 0) {
    const row = source.next(asValues);
    const full = rows >= most || (options.rowsPerInsert === 0 && text.length + row.length + 1 > insertBytes);
    if (rows > 0 && full) {
      yield { text, rows };
      rows = 0;
    }
    text = rows === 0 ? `${head} ${row}` : `${text},${row}`;
    rows += 1;
  }
  if (rows > 0) yield { text, rows };
}

export function copyStatement(options: PrepareOptions, table: number): string {
  return `COPY ${tableName(options.sysbenchVersion, table)} ${columns(options)} FROM STDIN`;
}

/** The same rows for COPY in text form. */
export function* copyChunks(
  options: PrepareOptions,
  table: number,
): Generator<{ bytes: Uint8Array; rows: number }> {
  const source = new Rows(options, table);
  while (source.left > 0) {
    const rows = Math.min(chunkRows, source.left);
    let text = '';
    for (let i = 0; i < rows; i += 1) text += source.next(asLine);
    yield { bytes: Buffer.from(text, 'latin1'), rows };
  }
}
