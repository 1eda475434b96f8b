import { expect, it } from 'vitest';
import type { Bench, EngineContract } from '../../../src-main/databases/contract.ts';
import { expected, someRows } from '../../../src-main/databases/contractRows.ts';
import type { Dataset, Prepared } from '../../../src-main/databases/driver.ts';
import { victoriametricsDriver } from '../../../src-main/databases/victoriametrics/index.ts';
import { lineDataset as dataset, deviceNumber } from '../lineDataset.ts';
import { startVictoriaMetrics } from './server.ts';

const database = 'benchberry contract "é"';
const foreign = 'benchberry_contract_foreign';

/** Somebody else's. */
const precious: Dataset = {
  tags: [],
  tables: [{ name: 'precious', fields: [{ name: 'value', type: 'integer' }] }],
  devices: 1,
  deviceTags: () => [],
};
const theirs: Prepared = { database: foreign, notes: [], driver: {} };
/** Up to an hour from now: values of this moment are left out otherwise. */
const exported = (selector: string) => {
  const end = String(Math.floor(Date.now() / 1000) + 3600);
  return `/api/v1/export?${new URLSearchParams({ 'match[]': selector, start: '1', end })}`;
};
/**
 * Values of one series share a power of ten: 5e-324 beside 1.8e308 is lost. That there is a value is compared, and values
 * of a size in a test below.
 */
const there = (table: number, value: number) => (table === 1 && !Number.isNaN(value) ? 1 : value);

export const victoriametricsContract: EngineContract = {
  product: 'VictoriaMetrics',
  tellsNoVersion: true,
  dataset,
  database,
  readiness: [],
  /** Each field is a series of its own: rows are put together by device and time. */
  async stored({ ask }, table) {
    const { name = '', fields = [] } = dataset.tables[table] ?? {};
    const rows = new Map<string, { ms: number; device: number; values: (number | null)[] }>();
    for (let device = 0; device <= dataset.devices; device += 1) {
      const host = device === 0 ? '' : dataset.deviceTags(device - 1)[0];
      for (const [i, field] of [...fields.map((each) => each.name), 'no_value'].entries()) {
        const metric = JSON.stringify(`${name}_${field}`);
        const found = await ask(exported(`{__name__=${metric},hostname=${JSON.stringify(host)}}`), database);
        for (const [time, value] of found) {
          const key = `${time} ${device}`;
          const row = rows.get(key) ?? { ms: Number(time), device, values: fields.map(() => null) };
          if (i < fields.length) row.values[i] = there(table, Number(value));
          rows.set(key, row);
        }
      }
    }
    expect(deviceNumber('host 1')).toBe(2);
    return [...rows.values()]
      .sort((a, b) => a.ms - b.ms)
      .map(({ ms, device, values }) => JSON.stringify([timeText(ms), device, ...values]));
  },
  expected(row) {
    return expected({ ...row, nanos: 0, values: row.values.map((value) => there(row.table, value)) });
  },
  // A batch is taken in or not; lines that cannot be read are passed over.
  refusedBy: [],
  refuse: async () => undefined,
  foreign: {
    options: { database: foreign },
    async make({ driver, endpoint, signal }) {
      const writer = await driver.openWriter(endpoint(), theirs, signal, precious);
      writer.row(0, 0, Date.now(), 0, Float64Array.of(42));
      await writer.flush(signal);
      await writer.close();
    },
    value: async ({ ask }) => (await ask(exported('precious_value'), foreign))[0]?.[1],
    async remove() {
      // Not through the driver, which never deletes what is not its own.
    },
  },
  queries: { database: 'none' },
  own,
};

function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000`;
}

function own({ driver, endpoint, session, signal, options, write, counted }: Bench): void {
  it('drains values without keeping them, and counts what came', async () => {
    const prepared = await session().prepare(dataset, options({}), signal);
    await write(prepared, [someRows(45_000)]);
    expect(Object.values(await counted(prepared, 45_000))).toEqual([30_000, 15_000]);
    const reader = await driver.openReader(endpoint(), database, signal);
    const text = exported('cpu_user');
    const drained = await reader.run({ text }, signal);
    const kept = await reader.run({ text }, signal, true);
    expect(drained).toEqual({ rows: 30_000, bytes: kept.bytes, firstRowMs: expect.any(Number) });
    expect(drained.firstRowMs).toBeGreaterThan(0);
    expect(kept.values?.length).toBe(30_000);
    // Each value has at least 13 digits of ms, a digit, and a comma after each.
    expect(kept.bytes).toBeGreaterThan(30_000 * 15);
    const none = await reader.run({ text: exported('no_such_metric') }, signal);
    expect(none).toEqual({ rows: 0, bytes: none.bytes });
    await expect(reader.run({ text: exported('bad{') }, signal)).rejects.toMatchObject({
      code: 'server-error',
      detail: expect.stringContaining('cannot parse'),
    });
    expect((await reader.run({ text }, signal)).rows).toBe(30_000);
    const controller = new AbortController();
    const running = reader.run({ text }, controller.signal);
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    await reader.close();
    await expect(reader.run({ text }, signal)).rejects.toMatchObject({ code: 'connection-lost' });
  });

  it('keeps doubles of a size to a dozen digits', async () => {
    const values = [0.1, -273.15, 123_456_789.125, 1e-7, 98.765_432_101];
    const prepared = await session().prepare(dataset, options({}), signal);
    const rows = values.map((value, i) => ({
      table: 1,
      device: i,
      timeMs: 1e12 + i,
      nanos: 0,
      values: [value],
    }));
    await write(prepared, [rows.map((row) => ({ ...row, missingTag: undefined }))]);
    await counted(prepared, values.length);
    const reader = await driver.openReader(endpoint(), database, signal);
    const text = exported(`{__name__=${JSON.stringify('Mem "y",é_used')}}`);
    const found = await reader.run({ text }, signal, true);
    await reader.close();
    const sorted = (found.values ?? []).sort(([a], [b]) => Number(a) - Number(b));
    expect(sorted.map(([, value]) => Number(value))).toEqual(values);
  });

  it('names what is in the way: a port nobody is at, an absent database, names it cannot carry', async () => {
    const away = { ...endpoint(), connection: { ...endpoint().connection, port: 1 } };
    await expect(driver.openSession(away, signal)).rejects.toMatchObject({ code: 'connection-refused' });
    const absent = options({}, { database: 'benchberry_absent', doCreateDb: false });
    await expect(session().prepare(dataset, absent, signal)).rejects.toMatchObject({ code: 'no-database' });
    const named = { ...dataset, tags: [{ name: 'host\\name', type: 'string' as const }] };
    await expect(session().prepare(named, options({}), signal)).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('tells of values that the server drops for their age', async () => {
    const server = await startVictoriaMetrics('1');
    try {
      const other = await victoriametricsDriver.resolve(server.connection, null, { dataFolder: '', signal });
      const control = await driver.openSession(other, signal);
      const prepared = await control.prepare(dataset, options({}), signal);
      const writer = await driver.openWriter(other, prepared, signal, dataset);
      writer.row(0, 0, Date.UTC(1999, 0, 1), 0, Float64Array.of(1, 2, 3));
      await writer.flush(signal);
      await expect(control.awaitVisible?.(prepared, 1, () => undefined, signal)).rejects.toMatchObject({
        code: 'server-error',
        message: 'The server dropped 4 values for their time',
        hint: expect.stringContaining('-retentionPeriod'),
      });
      await writer.close();
      await control.close();
    } finally {
      await server.stop();
    }
  });

  it('describes itself with the flags that somebody set', async () => {
    const about = await session().describe(signal, database);
    expect(about).toMatchObject({ database, dialect: 'victoriametrics', edition: 'single node', tls: null });
    expect(about.settings.find(({ name }) => name === 'retentionPeriod')?.value).toBe('100y');
    expect(about.dataFolder).toMatch(/data$/);
    expect(about.sizeBytes).toBeGreaterThan(1000);
  });
}
