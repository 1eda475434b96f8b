import { expect, it } from 'vitest';
import type { Bench, EngineContract } from '../contract.ts';
import { clientContract } from '../contractClient.ts';
import { dataset, someRows } from '../contractRows.ts';

const database = 'benchberry contract "é"';
const foreign = 'benchberry_contract_foreign';
const writeModes = ['binary', 'text', 'insert', 'insert-single'];

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** What PostgreSQL and TimescaleDB promise beside what every driver does. */
export const postgresqlContract: EngineContract = {
  product: 'PostgreSQL',
  dataset,
  database,
  readiness: ['settings', 'autovacuum'],
  async stored({ driver, endpoint, signal }, table) {
    const spec = dataset.tables[table];
    const fields = spec?.fields.map((field) => quoted(field.name)) ?? [];
    const reader = await driver.openReader(endpoint(), database, signal);
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
  },
  refusedBy: writeModes.map((writeMode) => ({ writeMode })),
  async refuse({ ask }) {
    await ask('ALTER TABLE "Mem ""y""" ADD CHECK (used < 10 OR tags_id < 0)', database);
  },
  foreign: {
    options: { database: foreign },
    async make({ ask }) {
      await ask(`DROP DATABASE IF EXISTS ${foreign}`);
      await ask(`CREATE DATABASE ${foreign}`);
      await ask('CREATE TABLE precious AS SELECT 42 AS value', foreign);
    },
    value: async ({ ask }) => (await ask('SELECT value FROM precious', foreign))[0]?.[0],
    async remove({ ask }) {
      await ask(`DROP DATABASE ${foreign}`);
    },
  },
  queries: {
    database: 'postgres',
    many: "SELECT i, repeat('x', 3000), NULL FROM generate_series(1, 20000) i",
    none: 'SELECT 1 WHERE false',
    wrong: { text: 'SELECT no_such_column', detail: /no_such_column.*42703/s },
    endless: 'SELECT pg_sleep(3600)',
    endlessRunning: `SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_sleep(3600)%' AND pid <> pg_backend_pid()`,
  },
  own,
};

function own({ driver, endpoint, session, signal, options, ask, write }: Bench): void {
  it('describes its size and the settings that somebody chose', async () => {
    const server = await session().describe(signal);
    expect(Number.parseInt(server.version, 10)).toBeGreaterThanOrEqual(9);
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
    const [settings, vacuum] = (await session().readiness?.(signal)) ?? [];
    const [[buffers] = []] = await ask(`SELECT pg_size_bytes(current_setting('shared_buffers'))`);
    expect(settings?.value).toBe(Number(buffers));
    expect(['pass', 'wait']).toContain(vacuum?.result);
  });

  it('names a database that is not there', async () => {
    await expect(driver.openReader(endpoint(), 'benchberry_absent', signal)).rejects.toMatchObject({
      code: 'no-database',
      place: { database: 'benchberry_absent' },
    });
  });

  it('writes the tags rows, device 0 first, and goes on numbering after them', async () => {
    const prepared = await session().prepare(dataset, options({}), signal);
    await session().writeDevices(prepared, dataset, signal);
    const rows = await ask('SELECT id, hostname, "Region ""x""", load FROM tags ORDER BY id', database);
    expect(rows).toEqual([
      ['1', 'host\t0', 'region 0', '0.5'],
      ['2', 'host\\1', 'region 1', null],
      ['3', 'höst\n2', 'region 2', '2.5'],
      ['4', "host'3", null, '3.5'],
      ['5', 'host_4', 'region 4', '4.5'],
    ]);
    expect(await ask(`INSERT INTO tags (hostname) VALUES ('later') RETURNING id`, database)).toEqual([['6']]);
  });

  it('has the tags as JSON, and the device name in every row, where asked to', async () => {
    const engine = { useJsonbTags: true, inTablePartitionTag: true, writeMode: 'text' };
    for (const writeMode of ['binary', 'text', 'insert', 'insert-single']) {
      const prepared = await session().prepare(dataset, options({ ...engine, writeMode }), signal);
      await session().writeDevices(prepared, dataset, signal);
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
      const [json] = await ask(`SELECT tagset->>'hostname', tagset->'load' FROM tags WHERE id = 2`, database);
      expect(json).toEqual(['host\\1', 'null']);
    }
  });

  it('drops only what it made: a database without the mark is refused and stays', async () => {
    await ask(`DROP DATABASE IF EXISTS ${foreign}`);
    await ask(`CREATE DATABASE ${foreign}`);
    await ask('CREATE TABLE precious AS SELECT 42 AS value', foreign);
    try {
      const taken = session().prepare(dataset, options({}, { database: foreign }), signal);
      await expect(taken).rejects.toMatchObject({
        code: 'database-not-ours',
        message: expect.stringContaining(foreign),
        hint: expect.stringContaining('another database name'),
      });
      await expect(
        session().drop({ database: foreign, notes: [], driver: {} }, signal),
      ).rejects.toMatchObject({
        code: 'database-not-ours',
      });
      // used as it is, beside what is there
      const beside = options({}, { database: foreign, doCreateDb: false });
      const prepared = await session().prepare(dataset, beside, signal);
      await write(prepared, [someRows(3)]);
      expect(await session().count(prepared, signal)).toEqual({ cpu: 2, 'Mem "y"': 1 });
      // tables that exist are refused, and added to only where the plan says so
      await expect(session().prepare(dataset, beside, signal)).rejects.toMatchObject({
        code: 'database-not-ours',
      });
      const again = options({ createMetricsTable: false }, { database: foreign, doCreateDb: false });
      const more = await session().prepare(dataset, again, signal);
      await session().writeDevices(more, dataset, signal);
      await session().writeDevices(more, dataset, signal);
      expect(await ask('SELECT count(*) FROM tags', foreign)).toEqual([['5']]);
      await write(more, [someRows(6)]);
      expect(await session().count(more, signal)).toEqual({ cpu: 4, 'Mem "y"': 2 });
      const other = { ...dataset, deviceTags: (i: number) => [`else_${i}`, null, null] };
      await expect(session().writeDevices(more, other, signal)).rejects.toMatchObject({ code: 'bad-input' });
      expect(await ask('SELECT count(*) FROM tags', foreign)).toEqual([['5']]);
      expect(await ask('SELECT value FROM precious', foreign)).toEqual([['42']]);
    } finally {
      await ask(`DROP DATABASE ${foreign}`);
    }
  });

  it('makes its own database anew, unless told not to touch what exists', async () => {
    await session().prepare(dataset, options({}), signal);
    await ask('CREATE TABLE left_over (a int)', database);
    await session().prepare(dataset, options({}), signal);
    expect(await ask(`SELECT to_regclass('left_over') IS NULL`, database)).toEqual([['t']]);
    await expect(
      session().prepare(dataset, options({}, { doAbortOnExist: true }), signal),
    ).rejects.toMatchObject({
      code: 'bad-input',
      place: { field: 'doAbortOnExist' },
    });
    const absent = options({}, { database: 'benchberry_absent', doCreateDb: false });
    await expect(session().prepare(dataset, absent, signal)).rejects.toMatchObject({ code: 'no-database' });
    const long = options({}, { database: 'é'.repeat(32) });
    await expect(session().prepare(dataset, long, signal)).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('makes hypertables where the server has TimescaleDB, and says so where it has plain tables', async () => {
    const { dialect, edition } = await session().describe(signal);
    const engine = { chunkTime: '1h30m', partitions: 3 };
    const prepared = await session().prepare(dataset, options(engine), signal);
    const made = await session().describe(signal, database);
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
    await session().prepare(dataset, options({ useHypertable: false }), signal);
    expect(await session().describe(signal, database)).toMatchObject({ database, dialect: 'postgresql' });
  });

  clientContract(driver, endpoint, ask);
}
