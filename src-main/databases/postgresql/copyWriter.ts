import type { Block, Send } from './batch.ts';
import type { Layout } from './layout.ts';
import { copyData, copyDone, queryMessage, quoteName } from './statements.ts';
import type { Wire } from './wire.ts';

/** Signature, flags, length of the header extension. */
export const fileHeader = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
/** A number of fields of −1 ends the rows. */
export const fileTrailer = Buffer.from([0xff, 0xff]);

const begin = queryMessage('BEGIN');
const commit = queryMessage('COMMIT');

/**
 * One COPY per table of the batch that has rows, everything sent at once. A single COPY is a transaction by itself;
 * several are put into one.
 */
export function copyWriter(layout: Layout, wire: Wire, format: 'binary' | 'text'): Send {
  const statements = layout.tables.map((table) =>
    queryMessage(
      `COPY ${quoteName(table.name)} (${table.columns.map(quoteName).join(', ')}) FROM STDIN${
        format === 'binary' ? ' WITH (FORMAT binary)' : ''
      }`,
    ),
  );
  const head = format === 'binary' ? copyData(fileHeader) : [];
  const tail = format === 'binary' ? copyData(fileTrailer) : [];
  return async (blocks, signal) => {
    const messages: Uint8Array[] = [];
    let copies = 0;
    blocks.forEach((block, table) => {
      const statement = statements[table];
      if (block.rows === 0 || statement === undefined) return;
      copies += 1;
      messages.push(statement, ...head, ...copyData(written(block)), ...tail, copyDone);
    });
    if (copies > 1) {
      messages.unshift(begin);
      messages.push(commit);
    }
    const { tags } = await wire.exchange(messages, copies > 1 ? copies + 2 : copies, signal);
    return { bytes: messages.reduce((sum, part) => sum + part.length, 0), tags };
  };
}

function written(block: Block): Buffer {
  return block.bytes.subarray(0, block.length);
}
