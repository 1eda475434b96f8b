import type { Dataset } from '../driver.ts';
import type { Http } from '../http/http.ts';
import { writeVarint } from './cells.ts';
import { Delivery } from './delivery.ts';
import { tableName } from './gateway.ts';
import { family } from './keys.ts';
import { tagsTable } from './tables.ts';

/** Devices of one request. */
const piece = 1000;

/**
 * A row for each device in the table of tags, under its name: a column for each tag that it has, as text; those of one
 * table alone as `table/tag`. A device without a name has none: no row key is empty.
 */
export async function writeDevices(
  http: Http,
  database: string,
  dataset: Dataset,
  resendMs: number,
  signal: AbortSignal,
): Promise<void> {
  const delivery = new Delivery(http, resendMs);
  const table = tableName(database, tagsTable);
  for (let from = 0; from < dataset.devices; from += piece) {
    const rows: Buffer[] = [];
    for (let device = from; device < Math.min(from + piece, dataset.devices); device += 1)
      rows.push(...rowOf(dataset, device));
    if (rows.length > 0) await delivery.deliver(table, Buffer.concat(rows), signal);
  }
}

function rowOf(dataset: Dataset, device: number): Buffer[] {
  const values = dataset.deviceTags(device);
  const [name = null] = values;
  if (name === null || name === '') return [];
  const cells: Buffer[] = [];
  const cell = (column: string, value: string) =>
    cells.push(
      message(2, [message(2, [Buffer.from(`${family}:${column}`)]), message(4, [Buffer.from(value)])]),
    );
  dataset.tags.forEach((tag, i) => {
    const value = values[i] ?? null;
    if (value !== null) cell(tag.name, String(value));
  });
  dataset.tables.forEach(({ name: table, tags = [] }, i) => {
    const own = dataset.tableTags?.(i, device) ?? [];
    tags.forEach((tag, k) => {
      if (own[k] !== undefined) cell(`${table}/${tag}`, own[k]);
    });
  });
  return [message(1, [message(1, [Buffer.from(String(name))]), ...cells])];
}

/** A field of protocol buffers: its number, its length, its parts. */
function message(field: number, parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(12);
  head[0] = field * 8 + 2;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([head.subarray(0, writeVarint(head, 1, length)), ...parts]);
}
