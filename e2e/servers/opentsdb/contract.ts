import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Bench, EngineContract } from '../../../src-main/databases/contract.ts';
import { dataset, expected, someRows } from '../../../src-main/databases/contractRows.ts';
import type { Dataset } from '../../../src-main/databases/driver.ts';

const database = 'benchberry contract "é".1';
const foreign = 'benchberry_contract_foreign';
const allTime = 'start=100000000&end=4000000000';
const names = Array.from({ length: dataset.devices }, (_, device) => dataset.deviceTags(device)[0]);

/** What was written as OpenTSDB’s characters, read back. */
function plain(text: string): string {
  const percent = text.replace(/\/([0-9A-F]{2})/g, '%$1');
  return decodeURIComponent(percent);
}
/** The other way round: percent signs are what URLs have in its place. */
function special(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '/');
}

/** Not through the driver: somebody else's. */
async function send({ endpoint }: Bench, method: string, path: string, json?: unknown): Promise<unknown> {
  const { host, port } = z.object({ host: z.string(), port: z.number() }).parse(endpoint().connection);
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const reply = await fetch(`http://${host}:${port}${path}`, { method, ...body });
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}

const tagsSchema = z.record(z.string(), z.string());

export const opentsdbContract: EngineContract = {
  product: 'OpenTSDB',
  tellsNoVersion: true,
  dataset,
  database,
  readiness: ['opentsdb-metrics', 'opentsdb-requests', 'opentsdb-delete', 'opentsdb-compaction'],
  /** Each value is a point of its own: rows are put together by device and time. */
  async stored({ ask }, table) {
    const { name = '', fields = [] } = dataset.tables[table] ?? {};
    const rows = new Map<string, { ms: number; device: number; values: (number | null)[] }>();
    for (const [i, field] of [...fields.map((each) => each.name), 'no_value'].entries()) {
      const metric = `${special(name)}.${special(field)}`;
      const points = ask(`/api/query?${allTime}&m=none:${metric}&ms`, database).catch((error: unknown) => {
        // Where no row lacks its first value there is no such metric.
        if (field === 'no_value' && String(error).includes('knows no such metric')) return [];
        throw error;
      });
      for (const [time, series, value] of await points) {
        const { hostname } = tagsSchema.parse(JSON.parse(series ?? ''));
        const device = hostname === undefined ? 0 : names.indexOf(plain(hostname)) + 1;
        const key = `${time} ${device}`;
        const row = rows.get(key) ?? { ms: Number(time), device, values: fields.map(() => null) };
        if (i < fields.length) row.values[i] = Number(value);
        rows.set(key, row);
      }
    }
    return [...rows.values()]
      .sort((a, b) => a.ms - b.ms)
      .map(({ ms, device, values }) =>
        JSON.stringify([`${new Date(ms).toISOString().slice(0, 23)}000`, device, ...values]),
      );
  },
  expected: (row) => expected({ ...row, nanos: 0 }),
  // It has no transactions: of a batch that is refused other points are kept.
  refusedBy: [],
  refuse: async () => undefined,
  foreign: {
    options: { database: foreign },
    async make(bench) {
      const point = { metric: `${foreign}.precious.value`, timestamp: 1e9, value: 42, tags: { a: 'b' } };
      await send(bench, 'POST', '/api/put?details&sync', [point]);
    },
    value: async ({ ask }) => (await ask(`/api/query?${allTime}&m=none:precious.value`, foreign))[0]?.[2],
    async remove(bench) {
      await send(bench, 'DELETE', `/api/query?${allTime}&m=none:${foreign}.precious.value`);
      await expect
        .poll(() => bench.ask(`/api/query?${allTime}&m=none:precious.value`, foreign), { timeout: 30_000 })
        .toEqual([]);
    },
  },
  queries: { database: 'none' },
  own,
};

function own(bench: Bench): void {
  const { driver, endpoint, session, signal, options, ask, write, counted } = bench;

  it('drains points without keeping them, and counts what came, over both doors', async () => {
    const prepared = await session().prepare(dataset, options({}), signal);
    // A second apart, since the old door has no finer times.
    const rows = someRows(9000).map((row, i) => ({ ...row, timeMs: 1e12 + i * 1000, missingTag: undefined }));
    await write(prepared, [rows]);
    expect(await counted(prepared, 9000)).toEqual({ cpu: 6000, 'Mem "y"': 3000 });
    const reader = await driver.openReader(endpoint(), database, signal);
    const both = async (text: string) => {
      const drained = await reader.run({ text }, signal);
      const kept = await reader.run({ text }, signal, true);
      expect(drained).toEqual({
        rows: kept.values?.length,
        bytes: kept.bytes,
        firstRowMs: expect.any(Number),
      });
      expect(drained.firstRowMs).toBeGreaterThan(0);
      return kept;
    };
    const range = rows.filter(({ table }, i) => table === 0 && i >= 600 && i < 1600);
    const sum = range.reduce((all, { values }) => all + (values[0] ?? 0), 0);
    const values = [
      await both(`/api/query?start=${1e12 + 600_000}&end=${1e12 + 1_599_999}&m=none:cpu.user&ms`),
      await both(`/q?start=${1e9 + 600}&end=${1e9 + 1599}&m=none:cpu.user&ascii&nocache`),
      await both(`/q?start=${1e9 + 600}&end=${1e9 + 1599}&m=none:cpu.user&ascii`),
      await both(`/q?start=${1e9 + 600}&end=${1e9 + 1599}&m=none:cpu.user&ascii`),
    ];
    for (const found of values) {
      expect(found.rows).toBe(range.length);
      expect(found.values?.reduce((all, [, , value]) => all + Number(value), 0)).toBe(sum);
    }
    const none = await reader.run(
      { text: '/api/query?start=1500000000&end=1500000001&m=none:cpu.user' },
      signal,
    );
    expect(none).toEqual({ rows: 0, bytes: none.bytes });
    for (const text of [
      '/api/query?start=1500000000&m=none:no.such',
      '/q?start=1500000000&m=none:no.such&ascii',
    ])
      await expect(reader.run({ text }, signal)).rejects.toMatchObject({
        ...{ code: 'server-error', message: 'The server knows no such metric' },
        detail: expect.stringContaining("No such name for 'metrics'"),
      });
    await expect(reader.run({ text: 'SELECT 1' }, signal)).rejects.toMatchObject({ code: 'bad-input' });
    const controller = new AbortController();
    const running = reader.run({ text: `/api/query?${allTime}&m=none:cpu.user` }, controller.signal);
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    await reader.close();
    await expect(reader.run({ text: '/api/query' }, signal)).rejects.toMatchObject({
      code: 'connection-lost',
    });
  });

  it('tells queries that are answered from the server’s disk from those that are not', async () => {
    const hits = async () => {
      const stats = z.array(
        z.looseObject({ metric: z.string(), value: z.coerce.number(), tags: tagsSchema }),
      );
      return stats
        .parse(await send(bench, 'GET', '/api/stats'))
        .filter(({ metric, tags }) => metric === 'tsd.http.graph.requests' && tags.cache === 'disk')
        .reduce((sum, { value }) => sum + value, 0);
    };
    const text = '/q?start=1000000000&end=1000000009&m=none:cpu.user&ascii';
    await ask(text, database);
    const before = await hits();
    await ask(`${text}&nocache`, database);
    expect(await hits()).toBe(before);
    await ask(text, database);
    expect(await hits()).toBe(before + 1);
  });

  it.each(['http', 'telnet'])(
    'writes more tags than a point may have, none lost: %s',
    async (opentsdbTransport) => {
      const many: Dataset = {
        tags: Array.from({ length: 10 }, (_, i) => ({ name: `tag ${i}`, type: 'string' as const })),
        tables: [{ name: 'cpu', tags: ['own'], fields: [{ name: 'user', type: 'integer' }] }],
        devices: 2,
        deviceTags: (device) => Array.from({ length: 10 }, (_, i) => (i === 8 ? null : `v/${device},${i}`)),
        tableTags: () => ['x=y'],
      };
      const prepared = await session().prepare(many, options({ opentsdbTransport }), signal);
      expect(prepared.notes.join()).toContain('the last 4 of 11 share the tag /more');
      expect(prepared.unanswered === true).toBe(opentsdbTransport === 'telnet');
      const writer = await driver.openWriter(endpoint(), prepared, signal, many);
      writer.row(0, 1, 1e12, 0, Float64Array.of(7));
      await writer.flush(signal);
      await writer.close();
      expect(await counted(prepared, 1)).toEqual({ cpu: 1 });
      const [[, series, value] = []] = await ask(`/api/query?${allTime}&m=none:cpu.user`, database);
      expect(value).toBe('7');
      const { '/more': more = '', ...alone } = tagsSchema.parse(JSON.parse(series ?? ''));
      const pairs = more.split('//');
      const all = [
        ...Object.entries(alone),
        [pairs[0], pairs[1]],
        [pairs[2], pairs[3]],
        [pairs[4], pairs[5]],
      ];
      expect(Object.keys(alone).length).toBe(7);
      expect(pairs.length).toBe(6);
      expect(all.map((pair) => pair.map((part) => plain(part ?? ''))).sort()).toEqual([
        ['own', 'x=y'],
        ...[0, 1, 2, 3, 4, 5, 6, 7, 9].map((i) => [`tag ${i}`, `v/1,${i}`]),
      ]);
    },
  );

  it('counts points that the server does not take, and says why', async () => {
    const prepared = await session().prepare(dataset, options({}), signal);
    await expect(write(prepared, [[{ ...row, timeMs: 5 }]])).rejects.toMatchObject({ code: 'bad-input' });
    const huge = { ...dataset, deviceTags: () => ['x'.repeat(2000), null, null] };
    const telnet = await session().prepare(huge, options({ opentsdbTransport: 'telnet' }), signal);
    const writer = await driver.openWriter(endpoint(), telnet, signal, huge);
    expect(() => writer.row(0, 0, 1e12, 0, Float64Array.of(1, 2, 3))).toThrow('the server takes 1000');
    await writer.close();
    const beyond = { ...row, values: [1e19, 2, 3] };
    for (const opentsdbTransport of ['http', 'telnet']) {
      const engine = options({ opentsdbTransport, resendFor: '0s' });
      const again = await session().prepare(dataset, engine, signal);
      await expect(write(again, [[beyond]])).rejects.toMatchObject({
        ...{ code: 'server-error', message: expect.stringContaining('The server did not take 1 point') },
        detail: expect.stringMatching(/number|Invalid|overflow|value/i),
      });
    }
  });

  it('uses a database as it is where it is told so, and refuses tables that are there', async () => {
    const beside = options({}, { database: foreign, doCreateDb: false });
    await expect(session().prepare(dataset, beside, signal)).rejects.toMatchObject({ code: 'no-database' });
    const first = await session().prepare(dataset, options({}, { database: foreign }), signal);
    await write(first, [someRows(3)]);
    await counted(first, 3);
    await expect(session().prepare(dataset, beside, signal)).rejects.toMatchObject({
      code: 'database-not-ours',
    });
    await session().drop(first, signal);
  });

  it('names what is in the way, and describes itself with the settings that somebody chose', async () => {
    const away = { ...endpoint(), connection: { ...endpoint().connection, port: 1 } };
    await expect(driver.openSession(away, signal)).rejects.toMatchObject({ code: 'connection-refused' });
    const about = await session().describe(signal, database);
    expect(about).toMatchObject({ database, dialect: 'opentsdb', tls: null });
    expect(about.settings.find(({ name }) => name === 'tsd.http.request.max_chunk')?.value).toBe('1048576');
    const old = { ...endpoint(), connection: { ...endpoint().connection, queriesOver: 'q-cached' } };
    const other = await driver.openSession(old, signal);
    expect((await other.describe(signal)).dialect).toBe('opentsdb-q-cached');
    await other.close();
  });
}
const row = { table: 0, device: 0, timeMs: 1e12, nanos: 0, values: [1, 2, 3], missingTag: undefined };
