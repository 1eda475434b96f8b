/** Called with each cell; the buffers are parts of the answer. */
export type TakeCell = (key: Buffer, column: Buffer, timestampMs: number, data: Buffer) => void;

/**
 * The cells of a `CellSet` as the gateway sends it.
 * @returns how many there are
 * @throws RangeError for what is none
 */
export function readCells(bytes: Buffer, take?: TakeCell): number {
  let cells = 0;
  const set = new Message(bytes, 0, bytes.length);
  while (set.next()) if (set.field === 1) cells += readRow(set.part(), take);
  return cells;
}

function readRow(row: Message, take: TakeCell | undefined): number {
  let key: Buffer = Buffer.alloc(0);
  let cells = 0;
  while (row.next()) {
    if (row.field === 1) key = row.data();
    else if (row.field === 2) {
      cells += 1;
      if (take !== undefined) takeCell(key, row.part(), take);
    }
  }
  return cells;
}

function takeCell(key: Buffer, cell: Message, take: TakeCell): void {
  let column: Buffer = Buffer.alloc(0);
  let data: Buffer = Buffer.alloc(0);
  let timestampMs = 0;
  while (cell.next()) {
    if (cell.field === 2) column = cell.data();
    else if (cell.field === 3) timestampMs = cell.number;
    else if (cell.field === 4) data = cell.data();
  }
  take(key, column, timestampMs, data);
}

/** The fields of one message of protocol buffers, one after the other. */
class Message {
  field = 0;
  /** Of a varint; of other fields, where they begin. */
  number = 0;
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;
  #dataEnd = 0;

  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  next(): boolean {
    if (this.#at >= this.#end) return false;
    const tag = this.#varint();
    this.field = Math.floor(tag / 8);
    const type = tag % 8;
    if (type === 0) {
      this.number = this.#varint();
      return true;
    }
    const length = type === 2 ? this.#varint() : type === 1 ? 8 : type === 5 ? 4 : Number.NaN;
    this.number = this.#at;
    this.#dataEnd = this.#at + length;
    if (!(this.#dataEnd <= this.#end)) throw new RangeError(`no message: field ${this.field} does not end`);
    this.#at = this.#dataEnd;
    return true;
  }

  data(): Buffer {
    return this.#bytes.subarray(this.number, this.#dataEnd);
  }

  part(): Message {
    return new Message(this.#bytes, this.number, this.#dataEnd);
  }

  #varint(): number {
    let value = 0;
    for (let scale = 1; this.#at < this.#end && scale < 2 ** 70; scale *= 0x80) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new RangeError('no message: a number does not end');
  }
}
