import type { SqlStatement, SqlType, SqlValue, StatementOptions } from '../sqlClient.ts';
import type { SendBuffer } from './sendBuffer.ts';
import { describeMessage, executeMessage, parseMessage, syncMessage } from './statements.ts';

const oids: Record<SqlType, number> = { unspecified: 0, bigint: 20, varchar: 1043 };

/** A declared statement with its messages made once: Bind differs only by its values and its length. */
export class Statement implements SqlStatement {
  readonly text: string;
  readonly parameters: number;
  /** null: parsed anew each time. */
  readonly name: string | null;
  readonly parse: Buffer;
  #isParsed = false;
  readonly #head: Buffer;
  readonly #resultFormats: Buffer;
  /** Formats of the results, Describe, Execute; with Sync or without. */
  readonly #tail: Buffer;
  readonly #tailWithSync: Buffer;

  constructor(text: string, name: string | null, options: StatementOptions) {
    const { parameters, types = [], binaryResults = false } = options;
    this.text = text;
    this.name = name;
    this.parameters = parameters;
    const own = name ?? '';
    this.parse = parseMessage(
      own,
      text,
      types.map((type) => oids[type]),
    );
    // All values are text: no formats of parameters.
    this.#head = Buffer.concat([
      Buffer.from('B\0\0\0\0\0', 'latin1'),
      Buffer.from(`${own}\0`),
      short(0),
      short(parameters),
    ]);
    this.#resultFormats = binaryResults ? Buffer.concat([short(1), short(1)]) : short(0);
    this.#tail = Buffer.concat([this.#resultFormats, describeMessage, executeMessage]);
    this.#tailWithSync = Buffer.concat([this.#tail, syncMessage]);
  }

  get isParsed(): boolean {
    return this.#isParsed;
  }
  /** The server has parsed it under its name. */
  confirm(): void {
    if (this.name !== null) this.#isParsed = true;
  }

  bind(out: SendBuffer, values: readonly SqlValue[], sync: boolean): void {
    if (values.length !== this.parameters)
      throw new Error(`${values.length} values for ${this.parameters} parameters: ${this.text}`);
    out.bind(this.#head, values, sync ? this.#tailWithSync : this.#tail, this.#resultFormats.length);
  }
}

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value, 0);
  return bytes;
}
