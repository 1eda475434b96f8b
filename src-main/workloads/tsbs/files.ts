import type { RowSink } from '../../databases/driver.ts';
import type { QuerySourceSpec, RowSource, RowSourceSpec } from '../workload.ts';
import { AsciiWriter } from './formats/asciiWriter.ts';
import type { FileFormat } from './formats/fileFormat.ts';
import { questdbFormat } from './formats/questdb.ts';
import { timescaledbFormat } from './formats/timescaledb.ts';
import { openTsbsRows } from './openRows.ts';
import { TsbsQueries } from './queries/openQueries.ts';

/** The formats there are, by TSBS's names. */
export const fileFormats = {
  timescaledb: timescaledbFormat,
  questdb: questdbFormat,
  influx: questdbFormat,
} as const satisfies Record<string, FileFormat>;
export type FileFormatName = keyof typeof fileFormats;
export const formatNames = ['timescaledb', 'questdb', 'influx'] as const satisfies readonly FileFormatName[];

/** Every process makes the whole set and writes each `groups`-th row (or query) of it, beginning with number `group`. */
export interface Interleaving {
  groups: number;
  group: number;
}

const everything: Interleaving = { groups: 1, group: 0 };
const usualBlockBytes = 1 << 20;
const queriesPerBlock = 100;

/**
 * The bytes of TSBS's data file, in blocks of about 1 MiB at most, made only as they are asked for: whoever takes them decides
 * the pace, and memory stays flat. Two blocks take turns: one is the caller's until the next but one is asked for. A new
 * one each time would have the whole heap looked through for garbage every few of them.
 * @throws RangeError for an interleaving whose group is not below the number of groups
 */
export function* dataFile(
  rows: RowSourceSpec,
  format: FileFormatName,
  interleaving: Interleaving = everything,
): Generator<Buffer> {
  const { groups, group } = checked(interleaving);
  const source = openTsbsRows(rows);
  const { header, rowBytes, sink } = fileFormats[format];
  const blockBytes = Math.max(usualBlockBytes, rowBytes(source.dataset));
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

/** A small data file as one. */
export function wholeDataFile(...of: Parameters<typeof dataFile>): Buffer {
  const blocks: Buffer[] = [];
  for (const block of dataFile(...of)) blocks.push(Buffer.from(block));
  return Buffer.concat(blocks);
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

/**
 * TSBS's queries of one type, a statement a line, made only as they are asked for.
 * @param dialect `timescaledb`, `postgresql` or `questdb`
 * @throws AppError `unsupported`; RangeError as `dataFile`
 */
export function* queryList(
  queries: QuerySourceSpec,
  dialect: string,
  interleaving: Interleaving = everything,
): Generator<Buffer> {
  const { groups, group } = checked(interleaving);
  const source = new TsbsQueries(queries, dialect);
  let lines: string[] = [];
  for (let index = group; index < source.total; index += groups) {
    lines.push(`${source.at(index).text}\n`);
    if (lines.length < queriesPerBlock) continue;
    yield Buffer.from(lines.join(''));
    lines = [];
  }
  if (lines.length > 0) yield Buffer.from(lines.join(''));
}

function checked(interleaving: Interleaving): Interleaving {
  const { groups, group } = interleaving;
  if (Number.isInteger(groups) && Number.isInteger(group) && group >= 0 && group < groups)
    return interleaving;
  throw new RangeError(`group ${group} is not below the number of groups, ${groups}`);
}
