import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { ServerSample } from '../../../src-shared/model/telemetry.ts';
import type { Endpoint } from '../driver.ts';
import type { Http } from '../http/http.ts';
import type { Telemetry } from '../telemetry.ts';
import { httpTo, targetFrom } from './connection.ts';
import { marks } from './ownership.ts';
import { ask } from './sql.ts';
import { pending, readWal } from './wal.ts';

const sampleMs = 1000;
const sizesMs = 10_000;
/** How long the last sample may take once the end was asked for. */
const endMs = 2000;

const memorySchema = z.object({ memory_tag: z.string(), bytes: z.coerce.number() });
/** The rows stand there since 9.0. */
const pendingRowsSchema = z.object({ wal_pending_row_count: z.coerce.number().nullish() });
const storageSchema = z.object({ tableName: z.string(), diskSize: z.coerce.number() });

/** A connection of its own over HTTP: how far the WAL is behind, what memory the server takes, once a second. */
export async function openTelemetry(
  endpoint: Endpoint,
  _database: string,
  signal: AbortSignal,
): Promise<Telemetry> {
  const http = await httpTo(targetFrom(endpoint));
  await http.send({ path: '/ping' }, signal);
  return {
    limits: [],
    noStatements: 'QuestDB keeps no counts of statements.',
    watch: (now, onSample, stop) => watch(http, now, onSample, stop),
    statements: async () => new Map(),
    statementTexts: async () => new Map(),
    async close() {
      http.close();
    },
  };
}

/** See `Telemetry.watch`. */
async function watch(
  http: Http,
  now: () => number,
  onSample: (sample: ServerSample) => void,
  stop: AbortSignal,
): Promise<void> {
  const giveUp = new AbortController();
  const hurry = () => setTimeout(() => giveUp.abort(), endMs).unref();
  stop.addEventListener('abort', hurry, { once: true });
  let from = now();
  let sized = Number.NEGATIVE_INFINITY;
  try {
    for (;;) {
      const last = stop.aborted;
      if (!last) {
        const left = Math.max(0, from + sampleMs - now());
        // The end cuts it short.
        await pause(left, undefined, { signal: stop }).catch(() => undefined);
      }
      const withSizes = now() - sized >= sizesMs;
      if (withSizes) sized = now();
      const sample = await look(http, withSizes, giveUp.signal);
      const atMs = now();
      onSample({ ...sample, atMs, intervalMs: Math.max(1, atMs - from) });
      from = atMs;
      if (last) return;
    }
  } finally {
    stop.removeEventListener('abort', hurry);
  }
}

async function look(
  http: Http,
  withSizes: boolean,
  signal: AbortSignal,
): Promise<Omit<ServerSample, 'atMs' | 'intervalMs'>> {
  const wals = await readWal(http, null, signal);
  const rows = await ask(http, pendingRowsSchema, 'SELECT * FROM tables()', signal);
  const memory = new Map(
    (await ask(http, memorySchema, 'SELECT * FROM memory_metrics()', signal)).map((each) => [
      each.memory_tag,
      each.bytes,
    ]),
  );
  const known = rows.filter((row) => row.wal_pending_row_count !== undefined);
  return {
    ...{ waits: { samples: 0, events: {}, idle: 0 }, background: {}, checkpoints: [], autovacuum: [] },
    ...{ blocked: [], blockedCount: 0, wal: null, database: null, io: null },
    applying: {
      transactions: wals.reduce((sum, wal) => sum + pending(wal), 0),
      rows: known.length === 0 ? null : known.reduce((sum, row) => sum + (row.wal_pending_row_count ?? 0), 0),
      suspended: wals.filter(({ suspended }) => suspended).map(({ name }) => name),
      usedBytes: memory.get('TOTAL_USED') ?? null,
      residentBytes: memory.get('RSS') ?? null,
    },
    sizes: withSizes ? await sizes(http, signal) : null,
  };
}

async function sizes(http: Http, signal: AbortSignal): Promise<ServerSample['sizes']> {
  const tables = await ask(http, storageSchema, 'SELECT * FROM table_storage()', signal);
  return {
    databaseBytes: tables.reduce((sum, { diskSize }) => sum + diskSize, 0),
    tables: tables
      .filter(({ tableName }) => tableName !== marks)
      .sort((a, b) => b.diskSize - a.diskSize)
      .slice(0, 10)
      .map(({ tableName, diskSize }) => ({ name: tableName, tableBytes: diskSize, indexBytes: 0 })),
  };
}
