import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Dataset, Driver, Endpoint, Prepared, PrepareOptions, Session } from './driver.ts';

/** One server that the contract is tried on. */
export interface ContractServer {
  driver: Driver;
  open(): Promise<Endpoint>;
  close(): Promise<void>;
  /** Load options of the engine that must all store the same rows. */
  ways: readonly Record<string, unknown>[];
}

const signal = new AbortController().signal;
const database = 'benchberry contract "é"';
const foreign = 'benchberry_contract_foreign';

/** Names and values that break careless quoting, tags that are missing, two tables, whole and broken numbers. */
const dataset: Dataset = {
  tags: [
    { name: 'hostname', type: 'string' },
    { name: 'Region "x"', type: 'string' },
    { name: 'load', type: 'float32' },
  ],
  tables: [
    { name: 'cpu', fields: ['user', 'select', 'idle'].map((name) => ({ name, type: 'integer' as const })) },
    { name: 'Mem "y"', fields: [{ name: 'used', type: 'double' }] },
  ],
  devices: 5,
  deviceTags: (device) => [
    ['host\t0', 'host\\1', 'höst\n2', "host'3", 'host_4'][device] ?? null,
    device === 3 ? null : `region ${device}`,
    device === 1 ? null : device + 0.5,
  ],
};

interface Row {
  table: number;
  device: number;
  timeMs: number;
  nanos: number;
  values: number[];
}

/** More rows in one batch than fit into the 65,535 parameters of one INSERT. */
function someRows(count: number, from = 0): Row[] {
  const special = [Number.NaN, 1e-7, 1e21, -0, 0.1, 123_456_789.125, -273.15, 5e-324, 1.7976931348623157e308];
  return Array.from({ length: count }, (_, n) => {
    const i = n + from;
    const table = i % 3 === 2 ? 1 : 0;
    return {
      table,
      device: i % 5,
      timeMs: Date.UTC(1999, 11, 31, 23, 59, 50) + i * 977,
      nanos: (i * 4099) % 1_000_000,
      values: table === 0 ? [i % 101, (i * 7) % 101, i % 11 === 0 ? Number.NaN : 100] : [special[i % 9] ?? 0],
    };
  });
}

/** The row as this test expects to read it back: ISO time with microseconds, device number, values. */
function expected(row: Row): string {
  const micros = String((row.timeMs % 1000) * 1000 + Math.floor(row.nanos / 1000)).padStart(6, '0');
  const time = `${new Date(row.timeMs).toISOString().slice(0, 19)}.${micros}`;
  return JSON.stringify([time, row.device + 1, ...row.values.map((v) => (Number.isNaN(v) ? null : v + 0))]);
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Tests that every SQL driver passes on a real server. */
export function driverContract(name: string, server: ContractServer): void {
  const { driver } = server;
  let endpoint: Endpoint;
  let session: Session;

  const options = (engine: Record<string, unknown>, more: Partial<PrepareOptions> = {}): PrepareOptions => ({
    database,
    doCreateDb: true,
    doAbortOnExist: false,
    engine: driver.loadOptions.parse(engine),
    ...more,
  });
  async function ask(text: string, where = 'postgres'): Promise<(string | null)[][]> {
    const reader = await driver.openReader(endpoint, where, signal);
    try {
      return (await reader.run({ text }, signal, true)).values ?? [];
    } finally {
      await reader.close();
    }
  }
  async function write(prepared: Prepared, batches: readonly Row[][]): Promise<number> {
    const writer = await driver.openWriter(endpoint, structuredClone(prepared), signal);
    let bytes = 0;
    let flushing: Promise<number> = Promise.resolve(0);
    for (const batch of batches) {
      for (const row of batch)
        writer.row(row.table, row.device, row.timeMs, row.nanos, Float64Array.from(row.values));
      bytes += await flushing;
      expect(writer.pending).toBe(batch.length);
      // the next batch is written while this one is on its way
      flushing = writer.flush(signal);
      expect(writer.pending).toBe(0);
    }
    bytes += await flushing;
    await writer.close();
    return bytes;
  }
  async function stored(table: number): Promise<string[]> {
    const spec = dataset.tables[table];
    const fields = spec?.fields.map((field) => quoted(field.name)) ?? [];
    const reader = await driver.openReader(endpoint, database, signal);
    await reader.run({ text: 'SET extra_float_digits = 3' }, signal);
    const { values = [] } = await reader.run(
      {
        text: `SELECT to_char(time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), tags_id, ${fields.join(', ')}
               FROM ${quoted(spec?.name ?? '')} ORDER BY time, tags_id`,
      },
      signal,
      true,
    );
    await reader.close();
    return values.map(([time, ...rest]) =>
      JSON.stringify([time, ...rest.map((v) => (v === null || v === undefined ? null : Number(v)))]),
    );
  }

  describe(name, () => {
    beforeAll(async () => {
      endpoint = await server.open();
      session = await driver.openSession(endpoint, signal);
    });
    afterAll(async () => {
      try {
        await session?.drop({ database, notes: [], driver: {} }, signal);
        await session?.close();
      } finally {
        await server.close();
      }
    });

    it('describes itself', async () => {
      const server = await session.describe(signal);
      expect(server).toMatchObject({ engine: driver.id, product: 'PostgreSQL', database: 'postgres' });
      expect(server.versionText).toContain(server.version);
      expect(Number.parseInt(server.version, 10)).toBeGreaterThanOrEqual(9);
      expect(server.roundTripUs).toBeGreaterThan(0);
      const [size] = await ask(`SELECT pg_database_size('postgres') / 2, pg_database_size('postgres') * 2`);
      expect(server.sizeBytes).toBeGreaterThan(Number(size?.[0]));
      expect(server.sizeBytes).toBeLessThan(Number(size?.[1]));
      for (const setting of server.settings) {
        const [row] = await ask(
          `SELECT boot_val IS DISTINCT FROM setting FROM pg_settings WHERE name = '${setting.name}'`,
        );
        expect(row).toEqual(['t']);
      }
    });

    for (const way of server.ways) {
      it(`stores every row as it was given: ${JSON.stringify(way)}`, async () => {
        const batches = [someRows(40), someRows(17_000, 40), someRows(1, 17_040), [], someRows(300, 17_041)];
        const prepared = await session.prepare(dataset, options(way), signal);
        await session.writeDevices(prepared, dataset, signal);
        const bytes = await write(prepared, batches);
        expect(bytes).toBeGreaterThan(batches.flat().length * 20);
        const counts = await session.count(prepared, signal);
        for (const [i, table] of dataset.tables.entries()) {
          const rows = batches.flat().filter((row) => row.table === i);
          expect(counts[table.name]).toBe(rows.length);
          const found = await stored(i);
          const wanted = rows.map(expected);
          const differs = wanted.findIndex((line, at) => line !== found[at]);
          expect(differs === -1 ? null : [wanted[differs], found[differs]]).toBeNull();
          expect(found.length).toBe(wanted.length);
        }
      });
    }

    it('writes the tags rows, device 0 first, and goes on numbering after them', async () => {
      const prepared = await session.prepare(dataset, options({}), signal);
      await session.writeDevices(prepared, dataset, signal);
      const rows = await ask('SELECT id, hostname, "Region ""x""", load FROM tags ORDER BY id', database);
      expect(rows).toEqual([
        ['1', 'host\t0', 'region 0', '0.5'],
        ['2', 'host\\1', 'region 1', null],
        ['3', 'höst\n2', 'region 2', '2.5'],
        ['4', "host'3", null, '3.5'],
        ['5', 'host_4', 'region 4', '4.5'],
      ]);
      expect(await ask(`INSERT INTO tags (hostname) VALUES ('later') RETURNING id`, database)).toEqual([
        ['6'],
      ]);
    });

    it('has the tags as JSON, and the device name in every row, where asked to', async () => {
      const engine = { useJsonbTags: true, inTablePartitionTag: true, writeMode: 'text' };
      for (const writeMode of ['binary', 'text', 'insert', 'insert-single']) {
        const prepared = await session.prepare(dataset, options({ ...engine, writeMode }), signal);
        await session.writeDevices(prepared, dataset, signal);
        await write(prepared, [someRows(30)]);
        const names = await ask('SELECT DISTINCT tags_id, hostname FROM cpu ORDER BY 1', database);
        expect(names).toEqual(
          ['host\t0', 'host\\1', 'höst\n2', "host'3", 'host_4'].map((n, i) => [`${i + 1}`, n]),
        );
        const [json] = await ask(
          `SELECT tagset->>'hostname', tagset->'load' FROM tags WHERE id = 2`,
          database,
        );
        expect(json).toEqual(['host\\1', 'null']);
      }
    });

    it('drops only what it made: a database without the mark is refused and stays', async () => {
      await ask(`DROP DATABASE IF EXISTS ${foreign}`);
      await ask(`CREATE DATABASE ${foreign}`);
      await ask('CREATE TABLE precious AS SELECT 42 AS value', foreign);
      try {
        const taken = session.prepare(dataset, options({}, { database: foreign }), signal);
        await expect(taken).rejects.toMatchObject({
          code: 'database-not-ours',
          message: expect.stringContaining(foreign),
          hint: expect.stringContaining('another database name'),
        });
        await expect(
          session.drop({ database: foreign, notes: [], driver: {} }, signal),
        ).rejects.toMatchObject({
          code: 'database-not-ours',
        });
        // used as it is, beside what is there
        const beside = options({}, { database: foreign, doCreateDb: false });
        const prepared = await session.prepare(dataset, beside, signal);
        await write(prepared, [someRows(3)]);
        expect(await session.count(prepared, signal)).toEqual({ cpu: 2, 'Mem "y"': 1 });
        // tables that exist are refused, and added to only where the plan says so
        await expect(session.prepare(dataset, beside, signal)).rejects.toMatchObject({
          code: 'database-not-ours',
        });
        const again = options({ createMetricsTable: false }, { database: foreign, doCreateDb: false });
        const more = await session.prepare(dataset, again, signal);
        await session.writeDevices(more, dataset, signal);
        await session.writeDevices(more, dataset, signal);
        expect(await ask('SELECT count(*) FROM tags', foreign)).toEqual([['5']]);
        await write(more, [someRows(6)]);
        expect(await session.count(more, signal)).toEqual({ cpu: 4, 'Mem "y"': 2 });
        const other = { ...dataset, deviceTags: (i: number) => [`else_${i}`, null, null] };
        await expect(session.writeDevices(more, other, signal)).rejects.toMatchObject({ code: 'bad-input' });
        expect(await ask('SELECT count(*) FROM tags', foreign)).toEqual([['5']]);
        expect(await ask('SELECT value FROM precious', foreign)).toEqual([['42']]);
      } finally {
        await ask(`DROP DATABASE ${foreign}`);
      }
    });

    it('makes its own database anew, unless told not to touch what exists', async () => {
      await session.prepare(dataset, options({}), signal);
      await ask('CREATE TABLE left_over (a int)', database);
      await session.prepare(dataset, options({}), signal);
      expect(await ask(`SELECT to_regclass('left_over') IS NULL`, database)).toEqual([['t']]);
      await expect(
        session.prepare(dataset, options({}, { doAbortOnExist: true }), signal),
      ).rejects.toMatchObject({
        code: 'bad-input',
        place: { field: 'doAbortOnExist' },
      });
      const absent = options({}, { database: 'benchberry_absent', doCreateDb: false });
      await expect(session.prepare(dataset, absent, signal)).rejects.toMatchObject({ code: 'no-database' });
      const long = options({}, { database: 'é'.repeat(32) });
      await expect(session.prepare(dataset, long, signal)).rejects.toMatchObject({ code: 'bad-input' });
    });

    it('makes hypertables where the server has TimescaleDB, and says so where it has plain tables', async () => {
      const { dialect, edition } = await session.describe(signal);
      const engine = { chunkTime: '1h30m', partitions: 3 };
      const prepared = await session.prepare(dataset, options(engine), signal);
      const made = await session.describe(signal, database);
      expect(made.dialect).toBe(dialect);
      await write(prepared, [someRows(17_000)]);
      if (dialect === 'postgresql') {
        expect(edition).toBe('plain');
        expect(prepared.notes.join()).toContain('Plain tables');
        return;
      }
      expect(made.edition).toMatch(/^TimescaleDB \d+\.\d+\.\d+ \((Apache|Community)\)$/);
      expect(made.edition.startsWith(edition)).toBe(true);
      expect(prepared.notes).toEqual([]);
      const dimensions = await ask(
        `SELECT hypertable_name, column_name, time_interval, num_partitions
         FROM timescaledb_information.dimensions ORDER BY 1 DESC, dimension_number`,
        database,
      );
      expect(dimensions).toEqual(
        ['cpu', 'Mem "y"'].flatMap((table) => [
          [table, 'time', '01:30:00', null],
          [table, 'tags_id', null, '3'],
        ]),
      );
      const [chunks] = await ask(
        `SELECT count(DISTINCT range_start), max(range_end - range_start)
         FROM timescaledb_information.chunks WHERE hypertable_name = 'cpu'`,
        database,
      );
      const periods = new Set(
        someRows(17_000)
          .filter((row) => row.table === 0)
          .map((row) => Math.floor(row.timeMs / 5_400_000)),
      );
      expect(chunks).toEqual([String(periods.size), '01:30:00']);
    });

    it('describes the database that is to be queried', async () => {
      await session.prepare(dataset, options({ useHypertable: false }), signal);
      expect(await session.describe(signal, database)).toMatchObject({ database, dialect: 'postgresql' });
    });

    it('drains rows without keeping them, and counts what came', async () => {
      const reader = await driver.openReader(endpoint, 'postgres', signal);
      const text = "SELECT i, repeat('x', 3000), NULL FROM generate_series(1, 20000) i";
      const drained = await reader.run({ text }, signal);
      const kept = await reader.run({ text }, signal, true);
      // DataRow: letter, length, number of fields, then 4 bytes of length and the text of each
      const rowBytes =
        kept.values?.reduce((sum, [i]) => sum + 7 + 4 + (i?.length ?? 0) + 4 + 3000 + 4, 0) ?? 0;
      expect(drained).toEqual({ rows: 20_000, bytes: kept.bytes });
      expect(kept.rows).toBe(20_000);
      expect(kept.values?.[19_999]).toEqual(['20000', 'x'.repeat(3000), null]);
      const around = kept.bytes - rowBytes;
      expect(around).toBeGreaterThan(0);
      expect(around).toBeLessThan(200);
      await reader.close();
    });

    it('gives the server’s own words for an error, and the reader goes on', async () => {
      const reader = await driver.openReader(endpoint, 'postgres', signal);
      await expect(reader.run({ text: 'SELECT no_such_column' }, signal)).rejects.toMatchObject({
        code: 'server-error',
        detail: expect.stringMatching(/no_such_column.*42703/s),
      });
      expect((await reader.run({ text: 'SELECT 1' }, signal)).rows).toBe(1);
      await reader.close();
      await expect(reader.run({ text: 'SELECT 1' }, signal)).rejects.toMatchObject({
        code: 'connection-lost',
      });
    });

    it('stops a statement on the server when asked to, and leaves no connection', async () => {
      const doing = () =>
        ask(
          `SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_sleep(3600)%' AND pid <> pg_backend_pid()`,
        );
      const reader = await driver.openReader(endpoint, 'postgres', signal);
      const controller = new AbortController();
      const running = reader.run({ text: 'SELECT pg_sleep(3600)' }, controller.signal);
      running.catch(() => undefined); // awaited below
      await vi.waitUntil(async () => (await doing()).length === 1, { timeout: 20_000 });
      controller.abort();
      await expect(running).rejects.toMatchObject({ code: 'cancelled' });
      await vi.waitUntil(async () => (await doing()).length === 0, { timeout: 20_000 });
      await expect(driver.openReader(endpoint, 'postgres', AbortSignal.abort())).rejects.toMatchObject({
        code: 'cancelled',
      });
      await expect(session.describe(AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    });

    it('stores nothing of a batch that fails, in either table', async () => {
      for (const writeMode of ['binary', 'text', 'insert', 'insert-single']) {
        const prepared = await session.prepare(dataset, options({ writeMode }), signal);
        await ask('ALTER TABLE "Mem ""y""" ADD CHECK (used < 10 OR tags_id < 0)', database);
        const writer = await driver.openWriter(endpoint, prepared, signal);
        writer.row(0, 0, 0, 0, Float64Array.of(1, 2, 3));
        writer.row(1, 0, 0, 0, Float64Array.of(11));
        await expect(writer.flush(signal)).rejects.toMatchObject({ code: 'server-error' });
        writer.row(0, 0, 0, 0, Float64Array.of(1, 2, 3));
        await expect(writer.flush(signal)).rejects.toMatchObject({ code: 'connection-lost' });
        expect(await session.count(prepared, signal)).toEqual({ cpu: 0, 'Mem "y"': 0 });
      }
    });

    it('names a database that is not there', async () => {
      await expect(driver.openReader(endpoint, 'benchberry_absent', signal)).rejects.toMatchObject({
        code: 'no-database',
        place: { database: 'benchberry_absent' },
      });
    });
  });
}

/** Any text as a name and as a value, through the server and back. */
export function quotingContract(
  name: string,
  run: (sql: string) => Promise<(string | null)[][]>,
  quote: {
    name: (text: string) => string;
    text: (text: string) => string;
  },
): void {
  it(`${name}: quotes any text`, async () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter((s) => !s.includes('\0'));
    const hostile = fc.string({
      unit: fc.constantFrom("'", '"', '\\', ';', '--', '$$', 'é', ' ', '\n', 'E'),
      minLength: 1,
      maxLength: 15,
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, hostile), async (value) => {
        fc.pre(Buffer.byteLength(value) <= 63 && value.isWellFormed());
        const rows = await run(
          `SELECT ${quote.text(value)}, json_object_keys(row_to_json(x)) FROM (SELECT 1 AS ${quote.name(value)}) x`,
        );
        expect(rows).toEqual([[value, value]]);
      }),
      { numRuns: 300 },
    );
  });
}
