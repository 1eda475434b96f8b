import type { Dataset, Prepared, Writer } from '../driver.ts';
import { connected, type HttpTarget } from '../http/connection.ts';
import { httpWriter } from '../http/writer.ts';
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
  const http = await connected(target, (own) => versionOf(own, signal));
  const rows = new CellRows(dataset, shape);
  const delivery = new Delivery(http, resendMs);
  return httpWriter(http, rows, {
    async deliver(blocks, own) {
      let bytes = 0;
      for (const [table, block] of blocks.entries()) {
        const name = tableName(prepared.database, dataset.tables[table]?.name ?? '');
        for (const part of partsOf(block)) bytes += await delivery.deliver(name, part, own);
      }
      return bytes;
    },
    takeRemarks: () => delivery.takeRemarks(),
  });
}

/** The requests of a block: whole rows each. */
function partsOf({ bytes, length, rows, marks }: Block): Uint8Array[] {
  if (rows === 0) return [];
  return [0, ...marks].map((start, i) => bytes.subarray(start, marks[i] ?? length));
}
