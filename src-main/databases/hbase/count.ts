import type { Http } from '../http/http.ts';
import type { Shape } from './loadOptions.ts';
import { base64, type Filter, scanCells } from './scan.ts';

/** The first field, which every row of the data has a cell of, and where the second one begins. */
const firstField = Buffer.of(0, 0);
const secondField = Buffer.of(0, 1);
/** Of a wide row the gateway holds so many cells at a time. */
const pageCells = 20_000;

const keysOnly: Filter = { type: 'KeyOnlyFilter' };
const page: Filter = { type: 'ColumnPaginationFilter', limit: pageCells, offset: 0 };

/** Rows of the data in a table: cells of the first field, whose keys are fetched and counted. */
export async function countRows(
  http: Http,
  table: string,
  { schema }: Shape,
  signal: AbortSignal,
): Promise<number> {
  const first: Filter = { type: 'ColumnPrefixFilter', value: base64(firstField) };
  if (schema === 'series') {
    const { cells } = await scanCells(http, { table, filters: [first, keysOnly] }, signal);
    return cells;
  }
  // The beginning of every row, and then what is left of the long ones.
  const long: { key: Buffer; column: Buffer }[] = [];
  let last: { key: Buffer; column: Buffer; cells: number } | null = null;
  const { cells } = await scanCells(
    http,
    { table, filters: [first, page, keysOnly] },
    signal,
    (key, column) => {
      if (last?.key.equals(key)) {
        last.cells += 1;
        last.column = column;
      } else last = { key, column, cells: 1 };
      if (last.cells === pageCells) long.push({ key: Buffer.from(key), column: Buffer.from(column) });
    },
  );
  let rows = cells;
  for (const { key, column } of long) rows += await countRest(http, table, key, column, signal);
  return rows;
}

/** @param column the last one that is counted already */
async function countRest(
  http: Http,
  table: string,
  key: Buffer,
  column: Buffer,
  signal: AbortSignal,
): Promise<number> {
  let from = qualifierOf(column);
  for (let rows = 0; ; ) {
    const after: Filter = {
      type: 'ColumnRangeFilter',
      ...{ minColumn: base64(from), minColumnInclusive: false },
      ...{ maxColumn: base64(secondField), maxColumnInclusive: false },
    };
    const { cells } = await scanCells(
      http,
      {
        table,
        rows: { start: key, end: Buffer.concat([key, Buffer.of(0)]) },
        filters: [after, page, keysOnly],
      },
      signal,
      (_, next) => {
        from = qualifierOf(next);
      },
    );
    rows += cells;
    if (cells < pageCells) return rows;
  }
}

function qualifierOf(column: Buffer): Buffer {
  return column.subarray(column.indexOf(58) + 1);
}
