import type { ServerErrorFields } from './errors.ts';

/** What one exchange brought. */
export interface Exchange {
  rows: number;
  /** Bytes received, message headers included. */
  bytes: number;
  /** Command tags in order, e.g. `COPY 10000`. */
  tags: string[];
  values: (string | null)[][];
}

const headerBytes = 5;
const letter = (text: string) => text.charCodeAt(0);
const dataRow = letter('D');
const commandComplete = letter('C');
const errorResponse = letter('E');
const readyForQuery = letter('Z');

/**
 * Reads the server's messages (type, length, body) as far as a benchmark needs them: rows are counted and hopped over,
 * or collected as text; tags, the first error and ReadyForQuery are kept; everything else is ignored.
 */
export class ReplyParser {
  ready = 0;
  error: ServerErrorFields | null = null;
  #rows = 0;
  #bytes = 0;
  #tags: string[] = [];
  #values: (string | null)[][] = [];
  #collect = false;
  /** Bytes of a row still to come that nobody wants. */
  #skip = 0;
  /** The beginning of a message whose end is still to come. */
  #rest: Buffer | null = null;

  start(collect: boolean): void {
    this.ready = 0;
    this.error = null;
    this.#rows = 0;
    this.#bytes = 0;
    this.#tags = [];
    this.#values = [];
    this.#collect = collect;
  }

  result(): Exchange {
    return { rows: this.#rows, bytes: this.#bytes, tags: this.#tags, values: this.#values };
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length;
    let at = 0;
    if (this.#skip > 0) {
      at = Math.min(this.#skip, chunk.length);
      this.#skip -= at;
      if (this.#skip > 0) return;
    }
    const data = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk.subarray(at)]);
    if (this.#rest !== null) at = 0;
    this.#rest = null;
    while (data.length - at >= headerBytes) {
      const type = data[at] ?? 0;
      const end = at + 1 + data.readUInt32BE(at + 1);
      if (type === dataRow && !this.#collect) {
        this.#rows += 1;
        if (end > data.length) {
          this.#skip = end - data.length;
          return;
        }
      } else {
        if (end > data.length) break;
        this.#message(type, data.subarray(at + headerBytes, end));
      }
      at = end;
    }
    if (at < data.length) this.#rest = data.subarray(at);
  }

  #message(type: number, body: Buffer): void {
    if (type === dataRow) {
      this.#rows += 1;
      this.#values.push(readRow(body));
    } else if (type === commandComplete) {
      this.#tags.push(body.toString('utf8', 0, body.length - 1));
    } else if (type === errorResponse) {
      // the first one is the cause, what follows its consequences
      this.error ??= readError(body);
    } else if (type === readyForQuery) {
      this.ready += 1;
    }
  }
}

function readRow(body: Buffer): (string | null)[] {
  const values: (string | null)[] = [];
  let at = 2;
  for (let left = body.readInt16BE(0); left > 0; left -= 1) {
    const length = body.readInt32BE(at);
    at += 4;
    values.push(length < 0 ? null : body.toString('utf8', at, at + length));
    at += Math.max(length, 0);
  }
  return values;
}

/** Fields of an ErrorResponse: a letter, text, a zero byte; a zero byte ends them. */
function readError(body: Buffer): ServerErrorFields {
  const fields = new Map<string, string>();
  for (const field of body.toString('utf8').split('\0')) fields.set(field.slice(0, 1), field.slice(1));
  return {
    message: fields.get('M') ?? 'no message',
    code: fields.get('C'),
    detail: fields.get('D'),
    hint: fields.get('H'),
    where: fields.get('W'),
  };
}
