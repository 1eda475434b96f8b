import { performance } from 'node:perf_hooks';
import { AppError } from '../../../src-shared/errors.ts';
import type { Query, Reader, ReadResult } from '../driver.ts';
import { connected, type HttpTarget } from '../http/connection.ts';
import { lost } from '../http/errors.ts';
import type { Http } from '../http/http.ts';
import { nanosecondText } from '../questdb/ilpText.ts';
import type { TakeCell } from './answers.ts';
import { tableName } from './gateway.ts';
import { deviceKey, deviceOf, family, type Keys, keysBetween, keysOf, readColumn } from './keys.ts';
import type { Layout } from './loadOptions.ts';
import { namespaceExists, tablesOf } from './ownership.ts';
import { type Fetched, fetchCells, type Scan, scanCells } from './scan.ts';
import { layoutOf } from './tables.ts';

/** A device that can stand in a path as it is. */
const plainName = /^[\w.-]+$/;

/**
 * Statements are `/TABLE?device=NAME&from=MS&to=MS`, parameters optional, the end exclusive: the cells of one device or of
 * all, of a time range or of all time. Each cell is a row: nanoseconds, device, field and value; in tables of somebody
 * else's timestamp, row key, column and value.
 *
 * A device of wide rows is got by its row key. Of a time series, a device is a scan of its salt in which only its keys
 * pass, and a time range a scan of a range of keys for each salt. Anything else is a scan of the whole table.
 */
export async function openReader(target: HttpTarget, database: string, signal: AbortSignal): Promise<Reader> {
  const layouts = new Map<string, Layout | null>();
  // Looked up before anything is measured.
  const http = await connected(target, async (own) => {
    if (!(await namespaceExists(own, database, signal))) return;
    for (const table of await tablesOf(own, database, signal))
      layouts.set(table, await layoutOf(own, tableName(database, table), signal));
  });
  let closed = false;
  return {
    async run(query, runSignal, collect = false) {
      if (closed) throw lost(http.place, 'it is closed');
      const { table, ...what } = partsOf(query);
      const name = tableName(database, table);
      const layout = layouts.get(table) ?? (await layoutOf(http, name, runSignal));
      layouts.set(table, layout);
      const values: (string | null)[][] = [];
      const take: TakeCell | undefined = collect
        ? (key, column, timestampMs, data) => values.push(rowOf(layout, key, column, timestampMs, data))
        : undefined;
      const fetched = await fetchWhat(http, name, layout, what, runSignal, take);
      return resultOf(fetched, collect ? values : undefined);
    },
    async close() {
      closed = true;
      http.close();
    },
  };
}

interface What {
  device: string | null;
  times: { fromMs: number; toMs: number } | undefined;
}

async function fetchWhat(
  http: Http,
  table: string,
  layout: Layout | null,
  { device, times }: What,
  signal: AbortSignal,
  take: TakeCell | undefined,
): Promise<Fetched> {
  if (layout === null) return scanCells(http, { table, times }, signal, take);
  if (device !== null && layout.schema === 'wide' && plainName.test(device)) {
    const range = times === undefined ? '' : `/${times.fromMs},${times.toMs}`;
    const path = `/${table}/${deviceKey(device, layout)}/${family}${range}`;
    return fetchCells(http, path, 'row', performance.now(), signal, take);
  }
  const keys: (Keys | undefined)[] =
    device !== null
      ? [keysOf(device, layout)]
      : layout.schema === 'series' && times !== undefined
        ? keysBetween(times.fromMs, times.toMs, layout)
        : [undefined];
  return scanAll(
    http,
    keys.map((rows) => ({ table, times, rows })),
    signal,
    take,
  );
}

/** One scan after the other. */
async function scanAll(
  http: Http,
  scans: readonly Scan[],
  signal: AbortSignal,
  take: TakeCell | undefined,
): Promise<Fetched> {
  const start = performance.now();
  const all: Fetched = { cells: 0, bytes: 0, firstMs: null };
  for (const scan of scans) {
    const before = performance.now() - start;
    const { cells, bytes, firstMs } = await scanCells(http, scan, signal, take);
    all.cells += cells;
    all.bytes += bytes;
    if (firstMs !== null) all.firstMs ??= before + firstMs;
  }
  return all;
}

function resultOf({ cells, bytes, firstMs }: Fetched, values: ReadResult['values']): ReadResult {
  return {
    rows: cells,
    bytes,
    ...(firstMs !== null && cells > 0 && { firstRowMs: firstMs }),
    ...(values !== undefined && { values }),
  };
}

function rowOf(
  layout: Layout | null,
  key: Buffer,
  column: Buffer,
  timestampMs: number,
  data: Buffer,
): (string | null)[] {
  const read = layout && readColumn(key, column, layout);
  const field = read && layout?.fields[read.field];
  if (!layout || !read || !field)
    return [String(timestampMs), key.toString('utf8'), column.toString('utf8'), data.toString('utf8')];
  const value =
    data.length < 8 ? null : field.type === 'integer' ? data.readBigInt64BE() : data.readDoubleBE();
  return [
    nanosecondText(read.timeMs, read.nanos),
    deviceOf(key, layout),
    field.name,
    value === null ? null : String(value),
  ];
}

/** @throws AppError `bad-input` */
function partsOf({ text }: Query): What & { table: string } {
  const url =
    text.startsWith('/') && URL.canParse(text, 'http://table') ? new URL(text, 'http://table') : null;
  const known = ['device', 'from', 'to'];
  const wrong = url === null || [...url.searchParams.keys()].some((name) => !known.includes(name));
  const times = ['from', 'to'].map((name) => url?.searchParams.get(name) ?? null);
  const [from, to] = times;
  if (wrong || times.some((time) => time !== null && !/^\d{1,15}$/.test(time)))
    throw new AppError({
      code: 'bad-input',
      message: 'This is no statement for HBase',
      place: { statement: text },
      hint: 'It looks like /TABLE?device=NAME&from=MS&to=MS, parameters optional.',
    });
  const limited = from !== null || to !== null;
  return {
    table: url.pathname.slice(1),
    device: url.searchParams.get('device'),
    times: limited ? { fromMs: Number(from ?? 0), toMs: Number(to ?? Number.MAX_SAFE_INTEGER) } : undefined,
  };
}
