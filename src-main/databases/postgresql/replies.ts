import { type ServerErrorFields, shortened } from './errors.ts';

const headerBytes = 5;
/** A message that is read as a whole has at most so much: a value in a script is far smaller. */
const mostBytes = 64 * 1024 * 1024;
const letter = (text: string) => text.charCodeAt(0);
const dataRow = letter('D');
const commandComplete = letter('C');
const emptyQuery = letter('I');
const errorResponse = letter('E');
const readyForQuery = letter('Z');
const rowDescription = letter('T');
const parseComplete = letter('1');

/** Takes what the server answers, message by message. Bodies are views of a buffer that is used again. */
export interface ReplyTaker {
  /** Whether rows and their descriptions are wanted; else they are hopped over. */
  readonly collects: boolean;
  /** Rows follow. */
  described?(body: Buffer | null): void;
  row(body: Buffer | null): void;
  /** A statement is done; its tag is `data` from `from` to `to`, e.g. `COPY 10000`; nothing for an empty statement. */
  completed(data: Buffer, from: number, to: number): void;
  parsed?(): void;
  failed?(error: ServerErrorFields): void;
  /** @param status `I`, `T` or `E` as a character code: no transaction block, in one, in a failed one */
  ready?(status: number): void;
}

/**
 * Cuts the server's messages (type, length, body) as far as a benchmark needs them; the rest is ignored. Rows that nobody
 * wants are a length to hop over, also where they come in pieces.
 */
export class ReplyParser {
  /** ReadyForQuery since `start`. */
  ready = 0;
  /** The first error since `start`: the cause, what follows are its consequences. */
  error: ServerErrorFields | null = null;
  /** Received since the connection was opened, message headers included. */
  bytes = 0;
  readonly #taker: ReplyTaker;
  /** Bytes of a row still to come that nobody wants. */
  #skip = 0;
  /** The beginning of a message whose end is still to come. */
  #rest: Buffer[] = [];
  #restBytes = 0;
  /** What the message needs, as far as it is known. */
  #needed = headerBytes;

  constructor(taker: ReplyTaker) {
    this.#taker = taker;
  }

  start(): void {
    this.ready = 0;
    this.error = null;
  }

  /** @param chunk is not kept: its memory may be used again after the call */
  push(chunk: Buffer): void {
    this.bytes += chunk.length;
    let at = 0;
    if (this.#skip > 0) {
      at = Math.min(this.#skip, chunk.length);
      this.#skip -= at;
      if (this.#skip > 0) return;
    }
    let data = chunk;
    if (this.#restBytes > 0) {
      this.#keep(chunk.subarray(at));
      if (this.#restBytes < this.#needed) return;
      data = Buffer.concat(this.#rest, this.#restBytes);
      at = 0;
      this.#rest = [];
      this.#restBytes = 0;
    }
    this.#needed = headerBytes;
    const { collects } = this.#taker;
    while (data.length - at >= headerBytes) {
      const type = data[at] ?? 0;
      const length = data.readUInt32BE(at + 1);
      const end = at + 1 + length;
      if (length < headerBytes - 1) throw new Error(`a message of ${length} bytes`);
      if (type === dataRow && !collects) {
        this.#taker.row(null);
        if (end > data.length) {
          this.#skip = end - data.length;
          return;
        }
      } else {
        if (end > data.length) {
          if (length > mostBytes) throw new Error(`a message of ${length} bytes`);
          this.#needed = end - at;
          break;
        }
        this.#message(type, data, at + headerBytes, end);
      }
      at = end;
    }
    if (at < data.length) this.#keep(data.subarray(at));
  }

  #keep(part: Buffer): void {
    this.#rest.push(Buffer.from(part));
    this.#restBytes += part.length;
  }

  #message(type: number, data: Buffer, from: number, to: number): void {
    const taker = this.#taker;
    switch (type) {
      case dataRow:
        taker.row(data.subarray(from, to));
        return;
      case rowDescription:
        taker.described?.(taker.collects ? data.subarray(from, to) : null);
        return;
      case commandComplete:
        taker.completed(data, from, to - 1);
        return;
      case emptyQuery:
        taker.completed(data, from, from);
        return;
      case parseComplete:
        taker.parsed?.();
        return;
      case errorResponse: {
        const error = readError(data.subarray(from, to));
        this.error ??= error;
        taker.failed?.(error);
        return;
      }
      case readyForQuery:
        this.ready += 1;
        taker.ready?.(data[from] ?? 0);
    }
  }
}

/** Values of a DataRow as text. */
export function readRow(body: Buffer): (string | null)[] {
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

/** Names of the columns of a RowDescription: each is a name, a zero byte and 18 bytes about its type. */
export function readColumns(body: Buffer): string[] {
  const names: string[] = [];
  let at = 2;
  for (let left = body.readInt16BE(0); left > 0; left -= 1) {
    const end = body.indexOf(0, at);
    names.push(body.toString('utf8', at, end));
    at = end + 19;
  }
  return names;
}

/** Fields of an ErrorResponse: a letter, text, a zero byte; a zero byte ends them. */
function readError(body: Buffer): ServerErrorFields {
  const fields = new Map<string, string>();
  for (const field of body.toString('utf8').split('\0'))
    fields.set(field.slice(0, 1), shortened(field.slice(1)));
  return {
    message: fields.get('M') ?? 'no message',
    code: fields.get('C'),
    detail: fields.get('D'),
    hint: fields.get('H'),
    where: fields.get('W'),
  };
}
