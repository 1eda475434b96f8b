import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientContract } from './contractClient.ts';
import { readerContract } from './contractReader.ts';
import { dataset, expected, type Row, someRows } from './contractRows.ts';
import type { Driver, Endpoint, Prepared, PrepareOptions, Session } from './driver.ts';

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
    const writer = await driver.openWriter(endpoint, structuredClone(prepared), signal, dataset);
    let bytes = 0;
    let flushing: Promise<number> = Promise.resolve(0);
    for (const batch of batches) {
      for (const row of batch)
        writer.row(
          row.table,
          row.device,
          row.timeMs,
          row.nanos,
          Float64Array.from(row.values),
          row.missingTag,
        );
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

    it('tells whether somebody tuned it, and whether it cleans up', async () => {
      const lines = (await session.readiness?.(signal)) ?? [];
      expect(lines.map(({ id }) => id)).toEqual(['settings', 'autovacuum']);
      const [[buffers] = []] = await ask(`SELECT pg_size_bytes(current_setting('shared_buffers'))`);
      expect(lines[0]?.value).toBe(Number(buffers));
      expect(['pass', 'wait']).toContain(lines[1]?.result);
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
        // The first row lacks its device's name.
        expect(names).toEqual(
          ['', 'host\t0', 'host\\1', 'höst\n2', "host'3", 'host_4'].map((n, i) => [`${i}`, n]),
        );
        const own = await ask(
          `SELECT DISTINCT tags_id, additional_tags->>'bank', additional_tags->>'size''\\'
           FROM "Mem ""y""" ORDER BY 1`,
          database,
        );
        expect(own).toEqual(
          [0, 1, 2, 3, 4].map((device) => [`${device + 1}`, ...(dataset.tableTags?.(1, device) ?? [])]),
        );
        expect(await ask('SELECT count(additional_tags) FROM cpu', database)).toEqual([['0']]);
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

    it('stores nothing of a batch that fails, in either table', async () => {
      for (const writeMode of ['binary', 'text', 'insert', 'insert-single']) {
        const prepared = await session.prepare(dataset, options({ writeMode }), signal);
        await ask('ALTER TABLE "Mem ""y""" ADD CHECK (used < 10 OR tags_id < 0)', database);
        const writer = await driver.openWriter(endpoint, prepared, signal, dataset);
        writer.row(0, 0, 0, 0, Float64Array.of(1, 2, 3));
        writer.row(1, 0, 0, 0, Float64Array.of(11));
        await expect(writer.flush(signal)).rejects.toMatchObject({ code: 'server-error' });
        writer.row(0, 0, 0, 0, Float64Array.of(1, 2, 3));
        await expect(writer.flush(signal)).rejects.toMatchObject({ code: 'connection-lost' });
        expect(await session.count(prepared, signal)).toEqual({ cpu: 0, 'Mem "y"': 0 });
      }
    });

    readerContract(driver, () => endpoint, ask);
    clientContract(driver, () => endpoint, ask);
  });
}
