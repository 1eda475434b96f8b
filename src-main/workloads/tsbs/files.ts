import type { RowSink } from '../../databases/driver.ts';
import type { RowSource, RowSourceSpec } from '../workload.ts';
import { AsciiWriter } from './formats/asciiWriter.ts';
import type { FileFormat } from './formats/fileFormat.ts';
import { questdbFormat } from './formats/questdb.ts';
import { timescaledbFormat } from './formats/timescaledb.ts';
import { openTsbsRows } from './openRows.ts';

/** The formats there are, by TSBS's names. */
export const fileFormats = {
  timescaledb: timescaledbFormat,
  questdb: questdbFormat,
} as const satisfies Record<string, FileFormat>;
export type FileFormatName = keyof typeof fileFormats;

/** Every process makes the whole set and writes each `groups`-th row of it, beginning with number `group`. */
export interface Interleaving {
  groups: number;
  group: number;
}

const blockBytes = 1 << 20;

/**
 * The bytes of TSBS's data file, in blocks of at most 1 MiB, made only as they are asked for: whoever takes them decides
 * the pace, and memory stays flat.
 * @throws RangeError for an interleaving whose group is not below the number of groups
 */
export function* dataFile(
  rows: RowSourceSpec,
  format: FileFormatName,
  interleaving: Interleaving = { groups: 1, group: 0 },
): Generator<Buffer> {
  const { groups, group } = interleaving;
  if (!(Number.isInteger(groups) && Number.isInteger(group) && group >= 0 && group < groups))
    throw new RangeError(`group ${group} is not below the number of groups, ${groups}`);
  const source = openTsbsRows(rows);
  const { header, rowBytes, sink } = fileFormats[format];
  const rowsPerBlock = Math.floor(blockBytes / rowBytes(source.dataset));
  const writer = new AsciiWriter(blockBytes);
  const text = header(source.dataset);
  if (text !== '') yield Buffer.from(text, 'latin1');
  const rowSink = sink(source.dataset, writer);
  source.skip(group);
  for (;;) {
    const given =
      groups === 1 ? source.fill(rowSink, rowsPerBlock) : fillEach(source, rowSink, rowsPerBlock, groups);
    if (given === 0) return;
    yield writer.take();
  }
}

/** The next row, past those of the other groups, and so on. */
function fillEach(source: RowSource, sink: RowSink, max: number, groups: number): number {
  let given = 0;
  while (given < max && source.fill(sink, 1) === 1) {
    given += 1;
    source.skip(groups - 1);
  }
  return given;
}
