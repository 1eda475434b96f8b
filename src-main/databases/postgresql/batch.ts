/** Growing buffers that are used again batch after batch: nothing is allocated per row, and little per batch. */

const initialBytes = 1 << 16;

/** Bytes of one table within a batch. `view` is over the same memory as `bytes`. */
export interface Block {
  bytes: Buffer;
  view: DataView;
  length: number;
  rows: number;
  /** Where every so many rows begin, for encoders that cut a batch into statements. */
  marks: number[];
}

/** Sends the blocks of one batch; resolves with the bytes sent and the command tags of what stored rows. */
export type Send = (
  blocks: readonly Block[],
  signal: AbortSignal,
) => Promise<{ bytes: number; tags: readonly string[] }>;

function newBlock(size: number): Block {
  const bytes = Buffer.allocUnsafeSlow(size);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, size), length: 0, rows: 0, marks: [] };
}

/** What was written, table by table; nothing of a table without rows. */
export function textsOf(blocks: readonly Block[]): Buffer[] {
  return blocks.filter(({ rows }) => rows > 0).map(({ bytes, length }) => bytes.subarray(0, length));
}

/** Makes room for `more` bytes, doubling. */
export function reserve(block: Block, more: number): void {
  const needed = block.length + more;
  if (needed <= block.bytes.length) return;
  const larger = newBlock(Math.max(needed, block.bytes.length * 2));
  block.bytes.copy(larger.bytes, 0, 0, block.length);
  block.bytes = larger.bytes;
  block.view = larger.view;
}

/**
 * One block per table, in pairs: while a batch is on its way to the server the next one is written into the other half.
 * TSBS splits a batch per table in the same way.
 */
export class Batch {
  readonly #spare: Block[][] = [];
  readonly #tables: number;
  blocks: Block[];

  constructor(tables: number) {
    this.#tables = tables;
    this.blocks = this.#fresh();
  }

  get rows(): number {
    let rows = 0;
    for (const block of this.blocks) rows += block.rows;
    return rows;
  }

  /** What was written since the last call; give it back with `recycle` when it is no longer needed. */
  take(): Block[] {
    const taken = this.blocks;
    this.blocks = this.#spare.pop() ?? this.#fresh();
    return taken;
  }

  recycle(blocks: Block[]): void {
    for (const block of blocks) {
      block.length = 0;
      block.rows = 0;
      block.marks.length = 0;
    }
    this.#spare.push(blocks);
  }

  #fresh(): Block[] {
    return Array.from({ length: this.#tables }, () => newBlock(initialBytes));
  }
}
