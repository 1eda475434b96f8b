import type { Dataset, Prepared, Writer } from '../driver.ts';
import { type HttpTarget, httpTo } from '../http/connection.ts';
import { lost } from '../http/errors.ts';
import type { Block } from '../postgresql/batch.ts';
import { CellRows } from './cells.ts';
import { Delivery } from './delivery.ts';
import { versionOf } from './describe.ts';
import { tableName } from './gateway.ts';
import { preparedSchema } from './loadOptions.ts';

/** A connection that puts the rows of each batch, table by table, and waits for the answers. */
export async function openWriter(
  target: HttpTarget,
  prepared: Prepared,
  dataset: Dataset,
  signal: AbortSignal,
): Promise<Writer> {
  const { shape, resendMs } = preparedSchema.parse(prepared.driver);
  const http = await httpTo(target);
  await versionOf(http, signal); // Connected before anything is measured.
  const rows = new CellRows(dataset, shape);
  const delivery = new Delivery(http, resendMs);
  let closed = false;
  return {
    get pending() {
      return rows.batch.rows;
    },
    row(table, device, timeMs, nanos, values, missingTag) {
      rows.row(table, device, timeMs, nanos, values, missingTag);
    },
    async flush(flushSignal) {
      if (closed) throw lost(http.place, 'it is closed');
      const blocks = rows.batch.take();
      let bytes = 0;
      try {
        for (const [table, block] of blocks.entries()) {
          const name = tableName(prepared.database, dataset.tables[table]?.name ?? '');
          for (const part of partsOf(block)) bytes += await delivery.deliver(name, part, flushSignal);
        }
        rows.batch.recycle(blocks);
        return bytes;
      } catch (error) {
        closed = true;
        http.close();
        throw error;
      }
    },
    takeRemarks: () => delivery.takeRemarks(),
    async close() {
      closed = true;
      http.close();
    },
  };
}

/** The requests of a block: whole rows each. */
function partsOf({ bytes, length, rows, marks }: Block): Uint8Array[] {
  if (rows === 0) return [];
  return [0, ...marks].map((start, i) => bytes.subarray(start, marks[i] ?? length));
}
