import { performance } from 'node:perf_hooks';
import { lost } from '../http/errors.ts';
import type { Http, Reply } from '../http/http.ts';
import { readCells, type TakeCell } from './answers.ts';
import { order, protobuf, refused } from './gateway.ts';
import type { Keys } from './keys.ts';

/** Cells of one answer of a scanner: about half a megabyte. */
const answerCells = 10_000;
/** Rows that the gateway asks the region server for at a time. */
const cachedRows = 100;
/** A scanner that is not let go stays in the gateway's memory. */
const letGoMs = 10_000;

/** A filter as the gateway reads it. */
export type Filter = { type: string; [option: string]: unknown };

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export interface Scan {
  /** With its namespace. */
  table: string;
  rows?: Keys | undefined;
  /** Milliseconds, the second exclusive: timestamps of the cells. */
  times?: { fromMs: number; toMs: number } | undefined;
  /** All of them must let a cell pass. */
  filters?: readonly Filter[];
}

export interface Fetched {
  cells: number;
  /** Received. */
  bytes: number;
  /** Milliseconds until the first part of the first answer with cells had come; null where there are none. */
  firstMs: number | null;
}

/**
 * Fetches all cells of a scan, answer by answer. The gateway ends a scan early, without a word, where the region server
 * fails it: who knows how many cells there must be compares.
 */
export async function scanCells(
  http: Http,
  { table, rows, times, filters: own = [] }: Scan,
  signal: AbortSignal,
  take?: TakeCell,
): Promise<Fetched> {
  const start = performance.now();
  const filters = rows?.pattern === undefined ? own : [keysLike(rows.pattern), ...own];
  const scanner = {
    batch: answerCells,
    caching: cachedRows,
    maxVersions: 1,
    ...(rows && { startRow: base64(rows.start), endRow: base64(rows.end) }),
    ...(times && { startTime: times.fromMs, endTime: times.toMs }),
    ...(filters.length > 0 && {
      filter: JSON.stringify(
        filters.length === 1 ? filters[0] : { type: 'FilterList', op: 'MUST_PASS_ALL', filters },
      ),
    }),
  };
  const made = await order(http, { method: 'PUT', path: `/${table}/scanner`, json: scanner }, signal);
  const path = pathOf(http, made);
  const letGo = () => http.send({ method: 'DELETE', path }, AbortSignal.timeout(letGoMs));
  try {
    const all: Fetched = { cells: 0, bytes: 0, firstMs: null };
    for (;;) {
      const answered = await fetchCells(http, path, 'scanner', start, signal, take);
      all.cells += answered.cells;
      all.bytes += answered.bytes;
      all.firstMs ??= answered.firstMs;
      if (answered.cells < answerCells) break;
    }
    await letGo();
    return all;
  } catch (error) {
    // What has gone wrong is told, not that the scanner could not be let go either.
    await letGo().catch(() => undefined);
    throw error;
  }
}

function keysLike(value: string): Filter {
  return { type: 'RowFilter', op: 'EQUAL', comparator: { type: 'RegexStringComparator', value } };
}

/**
 * Fetches the cells that one request brings: of a row, or of a scanner.
 * @param start what `firstMs` is counted from
 */
export async function fetchCells(
  http: Http,
  path: string,
  of: 'row' | 'scanner',
  start: number,
  signal: AbortSignal,
  take?: TakeCell,
): Promise<Fetched> {
  const chunks: Buffer[] = [];
  let firstMs: number | null = null;
  const reply = await http.send(
    {
      path,
      headers: { accept: protobuf },
      onChunk(chunk) {
        firstMs ??= performance.now() - start;
        chunks.push(chunk);
      },
    },
    signal,
  );
  const none = { cells: 0, bytes: reply.bytes, firstMs: null };
  // A scanner that has come to its end, or a row that is not there; of a scanner it is the table.
  if (reply.status === 204) return none;
  if (reply.status === 404 && of === 'row' && reply.body.trim() === 'Not found') return none;
  if (reply.status !== 200) throw refused(http, reply, { ...http.place, statement: path });
  const bytes = Buffer.concat(chunks);
  try {
    return { cells: readCells(bytes, take), bytes: reply.bytes, firstMs };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw lost(http.place, `the answer cannot be read: ${error.message}`);
  }
}

function pathOf(http: Http, { location }: Reply): string {
  if (location !== null && URL.canParse(location, 'http://gateway'))
    return new URL(location, 'http://gateway').pathname;
  throw lost(http.place, `the answer does not say where the scanner is: ${location ?? 'no location'}`);
}
