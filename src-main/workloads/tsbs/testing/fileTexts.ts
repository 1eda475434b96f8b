import type { AppError } from '../../../../src-shared/errors.ts';
import type { Dataset, RowSink } from '../../../databases/driver.ts';
import { type FileFormatName, wholeDataFile } from '../files.ts';
import { openTsbsRows } from '../openRows.ts';
import { datasetOf } from '../reading/catalogue.ts';
import type { ByteSource } from '../reading/openBytes.ts';
import { RowFile } from '../reading/rowFile.ts';

const hour = {
  ...{ useCase: 'cpu-only', seed: 123, scale: 10, logInterval: '10s' },
  ...{ timestampStart: '2016-01-01T00:00:00Z', timestampEnd: '2016-01-01T01:00:00Z' },
};
export function rowsSpec(changes: Record<string, unknown> = {}) {
  return { workload: 'tsbs', parameters: { ...hour, ...changes } };
}

/** The text that the generator writes. */
export function textOf(changes: Record<string, unknown>, format: FileFormatName): Buffer {
  return wholeDataFile(rowsSpec(changes), format);
}

/** Takes rows as texts: table, time, tags, values; whatever numbers the devices have. */
export function textSink(dataset: Dataset, rows: string[]): RowSink {
  return {
    row(table, device, timeMs, nanos, values, missingTag) {
      const tags = dataset.deviceTags(device).map((tag, i) => (i === missingTag ? null : tag));
      const own = dataset.tableTags?.(table, device) ?? [];
      const { name, fields = [] } = dataset.tables[table] ?? {};
      const time = BigInt(timeMs) * 1_000_000n + BigInt(nanos);
      const numbers = fields.map((_, i) => (Number.isNaN(values[i]) ? '' : values[i]));
      rows.push(`${name} ${time} ${tags.join(',')} ${own.join(',')} ${numbers.join(',')}`);
    },
  };
}

export function generatedRows(changes: Record<string, unknown>): string[] {
  const source = openTsbsRows(rowsSpec(changes));
  const rows: string[] = [];
  source.fill(textSink(source.dataset, rows), Number.MAX_SAFE_INTEGER);
  return rows;
}

/** A file's bytes from memory, in blocks of so many. */
function bytesOf(text: Buffer, blockBytes: number): () => Promise<ByteSource> {
  let at = 0;
  return async () => ({
    compression: 'none',
    size: text.length,
    get consumed() {
      return at;
    },
    async next() {
      const block = text.subarray(at, at + blockBytes);
      at += block.length;
      return block.length === 0 ? null : block;
    },
    close: () => undefined,
  });
}

/** What is read out of a text: first to learn what it holds, then, with that known, the rows. */
export async function readText(
  text: Buffer,
  { blockBytes = 4096, anyOrder = false } = {},
): Promise<{ rows: string[]; flaw: AppError | null; dataset: Dataset }> {
  const first = new RowFile('a.txt', anyOrder, undefined, bytesOf(text, blockBytes));
  while (await first.more()) while (first.next());
  const known = first.catalogue.data();
  const dataset = datasetOf(known);
  const rows: string[] = [];
  const sink = textSink(dataset, rows);
  const second = new RowFile('a.txt', anyOrder, known, bytesOf(text, blockBytes * 3));
  while (rows.length < first.rows && (await second.more())) {
    while (rows.length < first.rows && second.next()) {
      const { table, device, ms, nanos, values, missing } = second.reader;
      sink.row(table, device, ms, nanos, values, missing < 0 ? undefined : missing);
    }
  }
  return { rows, flaw: first.flaw, dataset };
}
