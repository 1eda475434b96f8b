import { expect, it } from 'vitest';
import type { Bench, EngineContract } from '../../../src-main/databases/contract.ts';
import { dataset as common, someRows } from '../../../src-main/databases/contractRows.ts';
import type { Dataset } from '../../../src-main/databases/driver.ts';

/** In names that QuestDB takes: no quotes in them. */
const dataset: Dataset = {
  ...common,
  tags: [
    { name: 'hostname', type: 'string' },
    { name: 'Region x=1', type: 'string' },
    { name: 'load', type: 'float32' },
  ],
  tables: [
    { name: 'cpu', fields: ['user', 'select', 'idle'].map((name) => ({ name, type: 'integer' as const })) },
    { name: 'Mem y é', tags: ['bank', 'size ö'], fields: [{ name: 'used', type: 'double' }] },
  ],
};

export const questdbContract = {
  product: 'QuestDB',
  dataset,
  database: 'benchberry',
  readiness: ['wal', 'suspended'],
  async stored({ ask }, table) {
    const { name = '', fields = [] } = dataset.tables[table] ?? {};
    const columns = fields.map((field) => `"${field.name}"`).join(', ');
    const values = await ask(`SELECT timestamp, hostname, ${columns} FROM "${name}" ORDER BY timestamp`);
    const names = Array.from({ length: dataset.devices }, (_, device) => dataset.deviceTags(device)[0]);
    return values.map(([time, host, ...rest]) =>
      JSON.stringify([
        String(time).replace(' ', 'T').replace('Z', ''),
        host === null ? 0 : names.indexOf(host ?? '') + 1,
        ...rest.map((v) => (v === null || v === undefined ? null : Number(v))),
      ]),
    );
  },
  refusedBy: [{}, { deduplicate: true }],
  async refuse({ ask }) {
    await ask('ALTER TABLE "Mem y é" ALTER COLUMN used TYPE BOOLEAN');
  },
  foreign: {
    options: {},
    async make({ ask }) {
      await ask('DROP TABLE IF EXISTS cpu');
      await ask('CREATE TABLE cpu AS (SELECT 42 AS value FROM long_sequence(1))');
    },
    value: async ({ ask }) => (await ask('SELECT value FROM cpu'))[0]?.[0],
    async remove({ ask }) {
      await ask('DROP TABLE cpu');
    },
  },
  queries: {
    database: 'qdb',
    many: "SELECT x, rpad('', 3000, 'x') AS text, NULL AS nothing FROM long_sequence(20000)",
    none: 'SELECT x FROM long_sequence(1) WHERE x = 2',
    wrong: { text: 'SELECT no_such_column FROM long_sequence(1)', detail: /no_such_column/ },
    endless: 'SELECT sum(a.x * b.x) FROM long_sequence(100000000) a CROSS JOIN long_sequence(1000000) b',
    endlessRunning:
      "SELECT query_id FROM query_activity() WHERE query LIKE '%CROSS JOIN%' AND query NOT LIKE '%query_activity%'",
  },
  own,
} satisfies EngineContract;

function own({ session, signal, options, ask, write, counted }: Bench): void {
  it('describes what it keeps, and the settings that somebody chose', async () => {
    const prepared = await session().prepare(dataset, options({}), signal);
    await write(prepared, [someRows(3000)]);
    await counted(prepared, 3000);
    const about = await session().describe(signal);
    expect(about.dialect).toBe('questdb');
    expect(about.sizeBytes).toBeGreaterThan(100_000);
    const telemetry = about.settings.find(({ name }) => name === 'telemetry.enabled');
    expect(telemetry).toMatchObject({ value: 'false', source: 'conf' });
    expect(about.notes.join()).toContain('nosync');
    expect(about.tls).toBeNull();
  });

  it('makes the table that QuestDB itself makes of the first row, with what the options say', async () => {
    const shape = (table: string) =>
      ask(`SELECT "column", type, designated, upsertKey FROM table_columns('${table}')`);
    const prepared = await session().prepare(
      dataset,
      options({ partitionBy: 'MONTH', deduplicate: true, symbolCapacity: 4096 }),
      signal,
    );
    expect(await shape('Mem y é')).toEqual([
      ['hostname', 'SYMBOL', 'f', 't'],
      ['Region x=1', 'SYMBOL', 'f', 't'],
      ['bank', 'SYMBOL', 'f', 't'],
      ['size ö', 'SYMBOL', 'f', 't'],
      ['load', 'DOUBLE', 'f', 'f'],
      ['used', 'DOUBLE', 'f', 'f'],
      ['timestamp', 'TIMESTAMP', 't', 't'],
    ]);
    expect(await ask(`SELECT symbolCapacity FROM table_columns('cpu') WHERE "column" = 'hostname'`)).toEqual([
      ['4096'],
    ]);
    expect(await ask(`SELECT partitionBy, walEnabled, dedup FROM tables() WHERE table_name = 'cpu'`)).toEqual(
      [['MONTH', 't', 't']],
    );
    // Rows alike in time and tags are one.
    await write(prepared, [someRows(90)]);
    await write(prepared, [someRows(90)]);
    expect(await counted(prepared, 90)).toEqual({ cpu: 60, 'Mem y é': 30 });
  });

  it('appends where the plan says so, and counts what is new', async () => {
    const first = await session().prepare(dataset, options({}), signal);
    await write(first, [someRows(30)]);
    await counted(first, 30);
    const more = await session().prepare(
      dataset,
      options({ appendToTables: true }, { doCreateDb: false }),
      signal,
    );
    await write(more, [someRows(60, 30)]);
    expect(await counted(more, 60)).toEqual({ cpu: 40, 'Mem y é': 20 });
    expect(await ask('SELECT count() FROM cpu')).toEqual([['60']]);
    await expect(
      session().prepare(dataset, options({}, { doCreateDb: false }), signal),
    ).rejects.toMatchObject({
      code: 'database-not-ours',
    });
    await session().drop(more, signal);
    await expect(session().prepare(dataset, options({ appendToTables: true }), signal)).rejects.toMatchObject(
      {
        code: 'no-database',
        place: { field: 'appendToTables' },
      },
    );
  });

  it('names a table that no longer applies its WAL', async () => {
    const prepared = await session().prepare(dataset, options({}), signal);
    await ask('ALTER TABLE cpu SUSPEND WAL');
    await write(prepared, [someRows(30)]);
    await expect(session().awaitVisible?.(prepared, 30, () => undefined, signal)).rejects.toMatchObject({
      code: 'server-error',
      message: expect.stringContaining('cpu is suspended'),
      hint: expect.stringContaining('RESUME WAL'),
    });
    const lines = await session().readiness?.(signal);
    expect(lines?.[1]).toMatchObject({ result: 'warn', detail: 'cpu' });
    await ask('ALTER TABLE cpu RESUME WAL');
    expect(await counted(prepared, 30)).toEqual({ cpu: 20, 'Mem y é': 10 });
  });

  it.each([
    [{ deduplicate: true, walTables: false, ilpTransport: 'tcp' }, 'deduplicate'],
    [{ walTables: false }, 'walTables'],
    [{ partitionBy: 'NONE' }, 'partitionBy'],
    [{ gzipRows: true, ilpTransport: 'tcp' }, 'gzipRows'],
  ])('refuses options that contradict each other: %j', async (engine, field) => {
    await expect(session().prepare(dataset, options(engine), signal)).rejects.toMatchObject({
      code: 'bad-input',
      place: { field },
    });
  });
}
