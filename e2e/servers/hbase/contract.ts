import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Bench, EngineContract } from '../../../src-main/databases/contract.ts';
import { dataset as common, type Row, someRows } from '../../../src-main/databases/contractRows.ts';
import type { Dataset } from '../../../src-main/databases/driver.ts';

const database = 'benchberry_contract';
const foreign = 'benchberry_contract_foreign';

const dataset: Dataset = {
  ...common,
  tables: [
    { name: 'cpu', fields: ['user', 'select', 'idle'].map((name) => ({ name, type: 'integer' as const })) },
    { name: 'Mem.y-1', tags: ['bank', "size'"], fields: [{ name: 'used', type: 'double' }] },
  ],
};
const names = Array.from({ length: dataset.devices }, (_, device) => dataset.deviceTags(device)[0]);

/** Not through the driver: somebody else's. */
async function order({ endpoint }: Bench, method: string, path: string, json?: unknown): Promise<void> {
  const { host, port } = z.object({ host: z.string(), port: z.number() }).parse(endpoint().connection);
  const reply = await fetch(`http://${host}:${port}${path}`, {
    method,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
}
const base64 = (text: string) => Buffer.from(text).toString('base64');

export const hbaseContract: EngineContract = {
  product: 'HBase',
  dataset,
  database,
  readiness: [],
  /** Each value is a cell of its own: rows are put together by device and time. */
  async stored({ ask }, table) {
    const { name = '', fields = [] } = dataset.tables[table] ?? {};
    const rows = new Map<string, { nanos: bigint; device: number; values: (number | null)[] }>();
    for (const [time = '', device, field, value] of await ask(`/${name}`, database)) {
      const key = `${time} ${device}`;
      const row = rows.get(key) ?? {
        ...{ nanos: BigInt(time ?? ''), device: names.indexOf(device ?? '') + 1 },
        values: fields.map(() => null),
      };
      row.values[fields.findIndex((each) => each.name === field)] =
        value === null || value === undefined ? null : Number(value);
      rows.set(key, row);
    }
    return [...rows.values()]
      .sort((a, b) => Number(a.nanos - b.nanos))
      .map(({ nanos, device, values }) => {
        const ms = Number(nanos / 1_000_000n);
        const micros = String(nanos / 1000n).slice(-6);
        return JSON.stringify([`${new Date(ms).toISOString().slice(0, 19)}.${micros}`, device, ...values]);
      });
  },
  // It has no transactions: of a batch that is refused other rows are kept.
  refusedBy: [],
  refuse: async () => undefined,
  foreign: {
    options: { database: foreign },
    async make(bench) {
      await order(bench, 'POST', `/namespaces/${foreign}`, { properties: {} });
      await order(bench, 'PUT', `/${foreign}:precious/schema`, {
        ...{ name: `${foreign}:precious`, ColumnSchema: [{ name: 'theirs' }] },
      });
      await order(bench, 'PUT', `/${foreign}:precious/row`, {
        Row: [{ key: base64('row'), Cell: [{ column: base64('theirs:value'), $: base64('42') }] }],
      });
    },
    value: async ({ ask }) => (await ask('/precious', foreign))[0]?.[3],
    async remove(bench) {
      await order(bench, 'DELETE', `/${foreign}:precious/schema`);
      await order(bench, 'DELETE', `/namespaces/${foreign}`);
    },
  },
  queries: { database: 'default' },
  own,
};

/** Rows of one device, one value each, a second apart. */
function oneDevice(count: number): Row[] {
  return Array.from({ length: count }, (_, i) => ({
    ...{ table: 1, device: 4, timeMs: 1e12 + i * 1000, nanos: 0, missingTag: undefined },
    values: [i % 1000],
  }));
}

function own({ driver, endpoint, session, signal, options, ask, write }: Bench): void {
  it('keeps the tags of each device under its name', async () => {
    const prepared = await session().prepare(dataset, options({}), signal);
    await session().writeDevices(prepared, dataset, signal);
    const found = (await ask('/tags', database)).map(([, key, column, value]) => [key, column, value]);
    const wanted = names.flatMap((name, device) => [
      ...dataset.tags.map((tag, i) => [name, `d:${tag.name}`, dataset.deviceTags(device)[i] ?? null]),
      ...['bank', "size'"].map((tag, i) => [name, `d:Mem.y-1/${tag}`, dataset.tableTags?.(1, device)[i]]),
    ]);
    const texts = wanted.filter(([, , value]) => value !== null).map((cell) => cell.map(String));
    expect(found.map((cell) => JSON.stringify(cell)).sort()).toEqual(
      texts.map((cell) => JSON.stringify(cell)).sort(),
    );
  });

  it.each(['series', 'wide'])(
    'gets a device and scans a time range, and counts long rows: %s',
    async (hbaseSchema) => {
      const prepared = await session().prepare(dataset, options({ hbaseSchema }), signal);
      // More than an answer holds, and than a page of a wide row that is counted.
      await write(prepared, [oneDevice(45_000), someRows(30)]);
      expect(await session().count(prepared, signal)).toEqual({ cpu: 20, 'Mem.y-1': 45_010 });
      const reader = await driver.openReader(endpoint(), database, signal);
      const of = async (what: string) => {
        const text = `/Mem.y-1?${what}`;
        const drained = await reader.run({ text }, signal);
        const kept = await reader.run({ text }, signal, true);
        expect(drained).toEqual({ rows: kept.rows, bytes: kept.bytes, firstRowMs: expect.any(Number) });
        expect(drained.firstRowMs).toBeGreaterThan(0);
        // Eight bytes of each value, and its column.
        expect(kept.bytes).toBeGreaterThan(kept.rows * 16);
        return kept.values ?? [];
      };
      const device = await of('device=host_4');
      expect(device.length).toBe(45_002);
      expect(device.slice(2, 5)).toEqual(
        [0, 1, 2].map((i) => [`${1e12 + i * 1000}000000`, 'host_4', 'used', `${i}`]),
      );
      // From the second of these rows to before the 5,002nd.
      const range = await of(`from=${1e12 + 1000}&to=${1e12 + 5_001_000}`);
      expect(range.length).toBe(5000);
      expect(range.reduce((sum, [, , , value]) => sum + Number(value), 0)).toBe(5 * 499_500);
      expect(
        (await of(`device=host_4&from=${1e12}&to=${1e12 + 3000}`)).map(([, , , value]) => value),
      ).toEqual([...['0', '1', '2']]);
      expect((await of(`device=${encodeURIComponent("host'3")}`)).length).toBe(2);
      for (const text of ['/Mem.y-1?device=nobody', '/cpu?from=1&to=2']) {
        const none = await reader.run({ text }, signal);
        expect(none).toEqual({ rows: 0, bytes: none.bytes });
      }
      const controller = new AbortController();
      const running = reader.run({ text: '/Mem.y-1' }, controller.signal);
      controller.abort();
      await expect(running).rejects.toMatchObject({ code: 'cancelled' });
      expect((await reader.run({ text: '/cpu' }, signal)).rows).toBeGreaterThan(20);
      await reader.close();
      await expect(reader.run({ text: '/cpu' }, signal)).rejects.toMatchObject({ code: 'connection-lost' });
    },
  );

  it('makes tables as the options say', async () => {
    const engine = { hbaseCompression: 'GZ', hbaseEncoding: 'DIFF', hbaseBloomFilter: 'ROWCOL' };
    await session().prepare(
      dataset,
      options({ ...engine, hbaseDurability: 'ASYNC_WAL', hbaseSplitAt: 64 }),
      signal,
    );
    const { host, port } = z.object({ host: z.string(), port: z.number() }).parse(endpoint().connection);
    const reply = await fetch(`http://${host}:${port}/${database}:cpu/schema`, {
      headers: { accept: 'application/json' },
    });
    expect(await reply.json()).toMatchObject({
      ...{ DURABILITY: 'ASYNC_WAL', MAX_FILESIZE: String(64 << 20) },
      ColumnSchema: [{ name: 'd', COMPRESSION: 'GZ', DATA_BLOCK_ENCODING: 'DIFF', BLOOMFILTER: 'ROWCOL' }],
    });
  });

  it('uses a namespace as it is where it is told so, and refuses tables that are there', async () => {
    const beside = options({}, { database: foreign, doCreateDb: false });
    await expect(session().prepare(dataset, beside, signal)).rejects.toMatchObject({ code: 'no-database' });
    await session().prepare(dataset, options({}, { database: foreign }), signal);
    await expect(session().prepare(dataset, beside, signal)).rejects.toMatchObject({
      code: 'database-not-ours',
      message: expect.stringContaining('table tags'),
    });
    await session().drop({ database: foreign, notes: [], driver: {} }, signal);
  });

  it('names what is in the way', async () => {
    const away = { ...endpoint(), connection: { ...endpoint().connection, port: 1 } };
    await expect(driver.openSession(away, signal)).rejects.toMatchObject({ code: 'connection-refused' });
    const named = options({}, { database: 'not-a-name' });
    await expect(session().prepare(dataset, named, signal)).rejects.toMatchObject({
      ...{ code: 'bad-input', place: { field: 'dbName' } },
    });
    const quoted = { ...dataset, tables: [{ name: 'Mem "y"', fields: [] }] };
    await expect(session().prepare(quoted, options({}), signal)).rejects.toMatchObject({ code: 'bad-input' });
    const prepared = await session().prepare(dataset, options({}), signal);
    await expect(ask('/absent', database)).rejects.toMatchObject({
      ...{ code: 'server-error', detail: expect.stringContaining('TableNotFoundException') },
    });
    await expect(ask('/cpu?row=1', database)).rejects.toMatchObject({ code: 'bad-input' });
    const early = { table: 0, device: 0, timeMs: -1, nanos: 0, values: [1, 2, 3], missingTag: undefined };
    await expect(write(prepared, [[early]])).rejects.toMatchObject({ code: 'bad-input' });
    // A table that is gone in mid-load is told at once, in the server's words.
    await session().drop(prepared, signal);
    await expect(write(prepared, [someRows(3)])).rejects.toMatchObject({
      ...{ code: 'server-error', detail: expect.stringContaining('TableNotFoundException') },
    });
  });

  it('describes itself with the size of a namespace', async () => {
    const prepared = await session().prepare(dataset, options({}), signal);
    await write(prepared, [someRows(45_000)]);
    const notes = async () => (await session().describe(signal, database)).notes.join('\n');
    // Region servers tell their master every few seconds what they have.
    await vi.waitUntil(async () => (await notes()).includes('has 3 regions of'), {
      timeout: 60_000,
      interval: 500,
    });
    const about = await session().describe(signal, database);
    expect(about).toMatchObject({ database, dialect: 'hbase', edition: '1 region server', tls: null });
    expect(about.versionText).toContain('REST gateway');
    expect(about.settings.some(({ name }) => name.startsWith('heap of localhost:'))).toBe(true);
  });
}
