import { AppError, type ErrorPlace } from '../../../src-shared/errors.ts';
import type { Writer } from '../driver.ts';
import type { Send } from './batch.ts';
import { BinaryRows } from './binaryRows.ts';
import type { Dialled } from './connection.ts';
import { copyWriter } from './copyWriter.ts';
import { placeOf } from './dial.ts';
import { insertWriter, rowsAStatement, singleInsertWriter } from './insertWriter.ts';
import type { Layout } from './layout.ts';
import { TextRows } from './textRows.ts';
import { Wire } from './wire.ts';

/** A connection that writes batches, each one transaction, in the layout's write mode. */
export async function openWriter(
  target: Dialled,
  database: string,
  layout: Layout,
  signal: AbortSignal,
): Promise<Writer> {
  const wire = await Wire.open(target, database, signal);
  const { rows, send } = encoder(layout, wire);
  return {
    get pending() {
      return rows.batch.rows;
    },
    row(table, device, timeMs, nanos, values, missingTag) {
      rows.row(table, device, timeMs, nanos, values, missingTag);
    },
    async flush(flushSignal) {
      const expected = rows.batch.rows;
      if (expected === 0) return 0;
      const blocks = rows.batch.take();
      try {
        const { bytes, tags } = await send(blocks, flushSignal);
        checkStored(tags, expected, placeOf(target, database));
        rows.batch.recycle(blocks);
        return bytes;
      } catch (error) {
        await wire.close();
        throw error;
      }
    },
    close: () => wire.close(),
  };
}

function encoder(layout: Layout, wire: Wire): { rows: BinaryRows | TextRows; send: Send } {
  switch (layout.writeMode) {
    case 'binary':
      return { rows: new BinaryRows(layout, true), send: copyWriter(layout, wire, 'binary') };
    case 'text':
      return { rows: new TextRows(layout), send: copyWriter(layout, wire, 'text') };
    case 'insert':
      return {
        rows: new BinaryRows(layout, false, layout.tables.map(rowsAStatement)),
        send: insertWriter(layout, wire),
      };
    case 'insert-single':
      return {
        rows: new BinaryRows(
          layout,
          false,
          layout.tables.map(() => 1),
        ),
        send: singleInsertWriter(layout, wire),
      };
  }
}

/** A trigger or rule can swallow rows without an error; the figures would be of rows that are not there. */
function checkStored(tags: readonly string[], expected: number, place: ErrorPlace): void {
  let stored = 0;
  for (const tag of tags) stored += Number(/^(?:COPY|INSERT 0) (\d+)$/.exec(tag)?.[1] ?? 0);
  if (stored === expected) return;
  throw new AppError({
    code: 'server-error',
    message: `The server stored ${stored} rows of a batch of ${expected}`,
    place,
    hint: 'Look for triggers or rules on the table that drop rows.',
  });
}
