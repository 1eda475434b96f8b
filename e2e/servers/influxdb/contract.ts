import { expect, it } from 'vitest';
import type { Bench, EngineContract } from '../../../src-main/databases/contract.ts';
import { someRows } from '../../../src-main/databases/contractRows.ts';
import type { Dataset, Prepared } from '../../../src-main/databases/driver.ts';
import { lineDataset as dataset, deviceNumber } from '../lineDataset.ts';

const database = 'benchberry contract "é"';
const foreign = 'benchberry_contract_foreign';
const quoted = (name: string) => `"${name.replace(/[\\"]/g, '\\$&')}"`;

/** Somebody else's. */
const precious: Dataset = {
  tags: [],
  tables: [{ name: 'precious', fields: [{ name: 'value', type: 'integer' }] }],
  devices: 1,
  deviceTags: () => [],
};
const theirs: Prepared = { database: foreign, notes: [], driver: {} };

export const influxdbContract: EngineContract = {
  product: 'InfluxDB',
  dataset,
  database,
  readiness: [],
  async stored({ ask }, table) {
    const { name = '', fields = [] } = dataset.tables[table] ?? {};
    const columns = ['hostname', ...fields.map((field) => field.name), 'no_value'].map(quoted).join(', ');
    const values = await ask(`SELECT ${columns} FROM ${quoted(name)}`, database);
    return values.map(([time, host, ...rest]) => {
      const micros = Number(time);
      const text = `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, 19)}.${String(micros % 1_000_000).padStart(6, '0')}`;
      return JSON.stringify([
        text,
        deviceNumber(host),
        ...rest.slice(0, -1).map((v) => (v === null ? null : Number(v) + 0)),
      ]);
    });
  },
  // It has no transactions: of a batch that is refused the good lines are kept.
  refusedBy: [],
  refuse: async () => undefined,
  foreign: {
    options: { database: foreign },
    async make({ ask, driver, endpoint, signal }) {
      if ((await ask('SHOW DATABASES')).flat().includes(foreign)) await ask(`DROP DATABASE ${foreign}`);
      await ask(`CREATE DATABASE ${foreign}`);
      const writer = await driver.openWriter(endpoint(), theirs, signal, precious);
      writer.row(0, 0, 1, 0, Float64Array.of(42));
      await writer.flush(signal);
      await writer.close();
    },
    value: async ({ ask }) => (await ask('SELECT value FROM precious', foreign))[0]?.[1],
    async remove({ ask }) {
      await ask(`DROP DATABASE ${foreign}`);
    },
  },
  queries: { database: '_internal' },
  own,
};

function own({ driver, endpoint, session, signal, options, ask, write }: Bench): void {
  it('drains rows without keeping them, and counts what came', async () => {
    const prepared = await session().prepare(dataset, options({}), signal);
    await write(prepared, [someRows(45_000)]);
    const reader = await driver.openReader(endpoint(), database, signal);
    const text = 'SELECT "user" FROM cpu';
    const drained = await reader.run({ text }, signal);
    const kept = await reader.run({ text }, signal, true);
    expect(drained).toEqual({ rows: 30_000, bytes: kept.bytes, firstRowMs: expect.any(Number) });
    expect(drained.firstRowMs).toBeGreaterThan(0);
    expect(kept.values?.length).toBe(30_000);
    expect(kept.values?.[1]?.[1]).toBe('1');
    // Each row is at least [, 15 digits of µs, a comma, a digit and ].
    expect(kept.bytes).toBeGreaterThan(30_000 * 19);
    const none = await reader.run({ text: 'SELECT "user" FROM cpu WHERE time < 0' }, signal);
    expect(none).toEqual({ rows: 0, bytes: none.bytes });
    await reader.close();
  });

  it('gives the server’s own words for an error, and the reader goes on', async () => {
    const reader = await driver.openReader(endpoint(), database, signal);
    await expect(reader.run({ text: 'SELECT FROM' }, signal)).rejects.toMatchObject({
      code: 'server-error',
      detail: expect.stringMatching(/error parsing query.*HTTP 400/s),
    });
    expect((await reader.run({ text: 'SHOW DATABASES' }, signal)).rows).toBeGreaterThan(0);
    await reader.close();
    await expect(reader.run({ text: 'SHOW DATABASES' }, signal)).rejects.toMatchObject({
      code: 'connection-lost',
    });
    const absent = await driver.openReader(endpoint(), 'benchberry_absent', signal);
    await expect(absent.run({ text: 'SELECT "user" FROM cpu' }, signal)).rejects.toMatchObject({
      code: 'no-database',
      place: { database: 'benchberry_absent' },
    });
    await absent.close();
    await expect(
      driver.openReader(
        { ...endpoint(), connection: { ...endpoint().connection, port: 1 } },
        database,
        signal,
      ),
    ).rejects.toMatchObject({ code: 'connection-refused' });
  });

  it('stops a query when asked to', async () => {
    const reader = await driver.openReader(endpoint(), database, signal);
    const controller = new AbortController();
    const running = reader.run({ text: 'SELECT "user" FROM cpu' }, controller.signal);
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    await reader.close();
    await expect(driver.openReader(endpoint(), database, AbortSignal.abort())).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('says what it cannot carry, and what the server refuses', async () => {
    const named = { ...dataset, tags: [{ name: 'host\nname', type: 'string' as const }] };
    await expect(session().prepare(named, options({}), signal)).rejects.toMatchObject({ code: 'bad-input' });
    const prepared = await session().prepare(dataset, options({}), signal);
    const odd = { ...dataset, deviceTags: () => ['a\\b', null, null] };
    const careless = await driver.openWriter(endpoint(), prepared, signal, odd);
    expect(() => careless.row(0, 0, 1, 0, Float64Array.of(1, 2, 3))).toThrow('cannot carry the tag value');
    await careless.close();
    await write(prepared, [someRows(3)]);
    const other = {
      ...dataset,
      tables: [{ name: 'cpu', fields: [{ name: 'user', type: 'double' as const }] }],
    };
    const writer = await driver.openWriter(endpoint(), prepared, signal, other);
    writer.row(0, 0, Date.UTC(1999, 11, 31), 0, Float64Array.of(0.5));
    await expect(writer.flush(signal)).rejects.toMatchObject({
      code: 'server-error',
      detail: expect.stringContaining('field type conflict'),
    });
    writer.row(0, 0, 0, 0, Float64Array.of(0.5));
    await expect(writer.flush(signal)).rejects.toMatchObject({ code: 'connection-lost' });
  });

  it('uses a database as it is where it is told so, and refuses measurements that are there', async () => {
    const beside = options({}, { database: foreign, doCreateDb: false });
    await expect(session().prepare(dataset, beside, signal)).rejects.toMatchObject({ code: 'no-database' });
    await ask(`CREATE DATABASE ${foreign}`);
    try {
      const prepared = await session().prepare(dataset, beside, signal);
      await write(prepared, [someRows(3)]);
      expect(Object.values(await session().count(prepared, signal))).toEqual([2, 1]);
      await expect(session().prepare(dataset, beside, signal)).rejects.toMatchObject({
        code: 'database-not-ours',
      });
    } finally {
      await ask(`DROP DATABASE ${foreign}`);
    }
  });

  it('describes itself with the settings that somebody chose', async () => {
    const about = await session().describe(signal, database);
    expect(about).toMatchObject({ database, dialect: 'influxql', tls: null, notes: [] });
    expect(about.settings).toEqual([
      { name: 'data.cache-snapshot-memory-size', value: '20971520', unit: null, source: 'configuration' },
    ]);
    expect(about.dataFolder).toMatch(/data$/);
  });
}
