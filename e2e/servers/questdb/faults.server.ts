import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint, Prepared, RowSink, Session } from '../../../src-main/databases/driver.ts';
import { questdbDriver } from '../../../src-main/databases/questdb/index.ts';
import { openTsbsRows } from '../../../src-main/workloads/tsbs/openRows.ts';
import { hourOf, loadAll } from '../faultsContract.ts';
import { questdbPrograms } from './fetch.ts';
import { type Fate, type FaultyProxy, startProxy } from './proxy.ts';
import { type QuestdbServer, startQuestdb } from './server.ts';

const { signal } = new AbortController();
const total = 3600;
const batchSize = 100;
const spec = hourOf(10);

let server: QuestdbServer;
let direct: Session;
let proxy: FaultyProxy | null = null;
beforeAll(async () => {
  server = await startQuestdb(questdbPrograms());
  direct = await questdbDriver.openSession(await endpointOf(server.port), signal);
});
afterAll(async () => {
  await direct?.close();
  await server?.stop();
});
afterEach(async () => {
  await proxy?.close();
  proxy = null;
});

function endpointOf(port: number): Promise<Endpoint> {
  return questdbDriver.resolve({ ...server.connection, port }, null, { dataFolder: '', signal });
}

function prepare(engine: Record<string, unknown>): Promise<Prepared> {
  const { dataset } = openTsbsRows(spec);
  return direct.prepare(
    dataset,
    {
      ...{ database: 'benchmark', doCreateDb: true, doAbortOnExist: false },
      engine: questdbDriver.loadOptions.parse(engine),
    },
    signal,
  );
}

const load = async (prepared: Prepared, port: number, between?: (batch: number) => Promise<void>) =>
  loadAll({ driver: questdbDriver, endpoint: await endpointOf(port), prepared }, spec, batchSize, between);

/** Every row is there once, with its own values. */
async function expectAll(prepared: Prepared): Promise<void> {
  expect(await direct.awaitVisible?.(prepared, total, () => undefined, signal)).toEqual({ missing: null });
  expect(await direct.count(prepared, signal)).toEqual({ cpu: total });
  let wanted = 0;
  const sum: RowSink = {
    row(_table, _device, _timeMs, _nanos, values) {
      for (const value of values) wanted += Math.trunc(value);
    },
  };
  openTsbsRows(spec).fill(sum, total);
  const reader = await questdbDriver.openReader(await endpointOf(server.port), 'qdb', signal);
  const fields = openTsbsRows(spec).dataset.tables[0]?.fields.map(({ name }) => `sum(${name})`) ?? [];
  const { values } = await reader.run(
    { text: `SELECT count(), count_distinct(concat(hostname, timestamp)), ${fields.join(' + ')} FROM cpu` },
    signal,
    true,
  );
  await reader.close();
  expect(values?.[0]?.map(Number)).toEqual([total, total, wanted]);
}

describe.each([
  { name: 'looking into the table', engine: {} },
  { name: 'with deduplication', engine: { deduplicate: true } },
  { name: 'compressed', engine: { gzipRows: true } },
])('each row is stored once, $name,', ({ engine }) => {
  it.each<[string, (n: number) => Fate]>([
    ['when the server is overloaded', (n) => (n % 3 === 1 ? 'overload' : n % 7 === 2 ? 'too-many' : 'pass')],
    ['when connections end before rows arrive', (n) => (n % 12 === 3 ? 'drop-before' : 'pass')],
    ['when the answer to rows that are stored is lost', (n) => (n % 12 === 5 ? 'drop-after' : 'pass')],
  ])('%s', async (_, fate) => {
    const prepared = await prepare(engine);
    proxy = await startProxy(server.port, fate);
    const remarks = await load(prepared, proxy.port);
    const { pass, ...wrong } = proxy.fates;
    expect(Object.values(wrong).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(2);
    expect(pass).toBeGreaterThan(30);
    expect(remarks[0]).toMatch(/^Batches are sent again: The (server|connection) /);
    expect(remarks[1]).toContain('2 so far');
    await expectAll(prepared);
  });
});

it.each(['crash', 'shutdown'] as const)(
  'each row is stored once over a restart in mid-load: %s',
  async (how) => {
    const prepared = await prepare({});
    let restarted: Promise<void> = Promise.resolve();
    const remarks = await load(prepared, server.port, async (batch) => {
      if (batch !== 12) return;
      await server.end(how);
      // Comes back while the batch is tried again and again.
      restarted = server.start();
    });
    await restarted;
    expect(remarks.length).toBeGreaterThan(0);
    await expectAll(prepared);
  },
);

it('gives up when the time for it is over, with the server’s last words, and counts what there is', async () => {
  const prepared = await prepare({ resendFor: '1s' });
  proxy = await startProxy(server.port, (n) => (n < 5 ? 'pass' : 'overload'));
  await expect(load(prepared, proxy.port)).rejects.toMatchObject({
    code: 'server-error',
    detail: expect.stringContaining('overloaded'),
  });
  expect(proxy.fates.overload).toBeGreaterThan(2);
  await direct.awaitVisible?.(prepared, 5 * batchSize, () => undefined, signal);
  expect(await direct.count(prepared, signal)).toEqual({ cpu: 5 * batchSize });
});

it('sends nothing again where the plan says so, or where rows of before look the same', async () => {
  for (const [engine, fate] of [
    [{ resendFor: '0s' }, 'overload'],
    [{ appendToTables: true }, 'drop-after'],
  ] as const) {
    await prepare({});
    const prepared = await prepare(engine);
    proxy = await startProxy(server.port, () => fate);
    await expect(load(prepared, proxy.port)).rejects.toMatchObject({
      code: fate === 'overload' ? 'server-error' : 'connection-lost',
    });
    expect(proxy.fates[fate]).toBe(1);
    await proxy.close();
    proxy = null;
  }
});

it('shows the server’s message, line and error id of rows that it refuses', async () => {
  const prepared = await prepare({});
  const reader = await questdbDriver.openReader(await endpointOf(server.port), 'qdb', signal);
  await reader.run({ text: 'DROP TABLE cpu' }, signal);
  await reader.run(
    {
      text: 'CREATE TABLE cpu (usage_idle BOOLEAN, timestamp TIMESTAMP) TIMESTAMP(timestamp) PARTITION BY DAY',
    },
    signal,
  );
  await expect(load(prepared, server.port)).rejects.toMatchObject({
    code: 'server-error',
    message: 'The server refused the rows',
    detail: expect.stringMatching(
      /usage_idle.*line 1 of the batch.*error \S+ in the server’s log.*HTTP 400/s,
    ),
  });
  await reader.run({ text: 'DROP TABLE cpu' }, signal);
  await reader.close();
});

it('names what is wrong with a connection', async () => {
  const open = async (more: Record<string, unknown>, secret: string | null = null) => {
    const endpoint = await questdbDriver.resolve({ ...server.connection, ...more }, secret, {
      dataFolder: '',
      signal,
    });
    await (await questdbDriver.openSession(endpoint, signal)).close();
  };
  await expect(open({ port: 1 })).rejects.toMatchObject({ code: 'connection-refused', place: { port: 1 } });
  await expect(open({ wirePort: 1 })).rejects.toMatchObject({
    code: 'connection-refused',
    place: { port: 1 },
  });
  await expect(open({ host: 'no-such-host.invalid' })).rejects.toMatchObject({ code: 'host-not-found' });
  await expect(open({ tlsMode: 'require' })).rejects.toMatchObject({ code: 'tls-unavailable' });
  await expect(open({}, 'wrong')).rejects.toMatchObject({ code: 'wrong-password', secret: 'database' });
  await expect(open({ queriesOver: 'http' })).resolves.toBeUndefined();
});
