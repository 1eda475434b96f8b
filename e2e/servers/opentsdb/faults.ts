import { afterEach, describe, expect, it } from 'vitest';
import type { Endpoint, Prepared, RowSink } from '../../../src-main/databases/driver.ts';
import { opentsdbDriver } from '../../../src-main/databases/opentsdb/index.ts';
import { openTsbsRows } from '../../../src-main/workloads/tsbs/openRows.ts';
import { type Fate, type FaultyProxy, startProxy } from '../questdb/proxy.ts';
import { opentsdbPrograms } from './fetch.ts';
import { type OpentsdbServer, startTsd } from './server.ts';

const { signal } = new AbortController();
const total = 1800;
const batchSize = 50;
const database = 'benchberry_faults';
const spec = {
  workload: 'tsbs',
  parameters: {
    ...{ useCase: 'cpu-only', scale: 5, seed: 123, logInterval: '10s' },
    ...{ timestampStart: '2016-01-01T00:00:00Z', timestampEnd: '2016-01-01T01:00:00Z' },
  },
};
/** As the server answers when HBase’s client has too much in its queue. */
const throttled = JSON.stringify({
  ...{ success: 0, failed: 1 },
  errors: [
    { error: 'Please throttle writes: 10000 RPCs waiting', datapoint: { metric: 'benchberry_faults.cpu' } },
  ],
});
const ways = {
  isRows: ({ url = '' }: { url?: string | undefined }) => url.startsWith('/api/put'),
  overloaded: throttled,
};

/** What happens to points where requests go wrong on their way: each is stored once. */
export function faultsContract(server: () => OpentsdbServer): void {
  let proxy: FaultyProxy | null = null;
  afterEach(async () => {
    await proxy?.close();
    proxy = null;
  });

  const endpointOf = (port: unknown): Promise<Endpoint> =>
    opentsdbDriver.resolve({ ...server().connection, port }, null, { dataFolder: '', signal });
  const direct = () => endpointOf(server().connection.port);

  async function prepare(engine: Record<string, unknown>, endpoint?: Endpoint): Promise<Prepared> {
    const session = await opentsdbDriver.openSession(endpoint ?? (await direct()), signal);
    try {
      const options = { database, doCreateDb: true, doAbortOnExist: false };
      const parsed = opentsdbDriver.loadOptions.parse(engine);
      return await session.prepare(openTsbsRows(spec).dataset, { ...options, engine: parsed }, signal);
    } finally {
      await session.close();
    }
  }

  /** Loads everything by one writer; `between` is done before each batch. @returns remarks */
  async function load(
    prepared: Prepared,
    endpoint: Endpoint,
    between: (batch: number) => Promise<void> = async () => undefined,
  ): Promise<string[]> {
    const source = openTsbsRows(spec);
    const writer = await opentsdbDriver.openWriter(endpoint, prepared, signal, source.dataset);
    const remarks: string[] = [];
    for (let batch = 0; source.fill(writer, batchSize) > 0; batch += 1) {
      await between(batch);
      await writer.flush(signal);
      remarks.push(...(writer.takeRemarks?.() ?? []));
    }
    await writer.close();
    return remarks;
  }

  async function counted(prepared: Prepared, rows: number): Promise<Record<string, number>> {
    const session = await opentsdbDriver.openSession(await direct(), signal);
    const visible = await session.awaitVisible?.(prepared, rows, () => undefined, signal);
    expect(visible?.missing).toBeNull();
    const counts = await session.count(prepared, signal);
    await session.close();
    return counts;
  }

  /** Every point is there once, with its own value. */
  async function expectAll(prepared: Prepared): Promise<void> {
    expect(await counted(prepared, total)).toEqual({ cpu: total });
    const { dataset } = openTsbsRows(spec);
    const fields = dataset.tables[0]?.fields ?? [];
    const wanted = fields.map(() => 0);
    const sum: RowSink = {
      row(_table, _device, _timeMs, _nanos, values) {
        for (const [i, value] of values.entries()) wanted[i] = (wanted[i] ?? 0) + value;
      },
    };
    openTsbsRows(spec).fill(sum, total);
    const reader = await opentsdbDriver.openReader(await direct(), database, signal);
    for (const [i, { name }] of fields.entries()) {
      const text = `/api/query?start=1400000000&end=1500000000&m=none:cpu.${name}&ms`;
      const { rows, values = [] } = await reader.run({ text }, signal, true);
      expect([name, rows]).toEqual([name, total]);
      expect(values.reduce((all, point) => all + Number(point.at(-1)), 0)).toBe(wanted[i]);
    }
    await reader.close();
  }

  describe('each point is stored once', () => {
    it.each<[string, Record<string, unknown>, (n: number) => Fate]>([
      [
        'when the server asks for less',
        {},
        (n) => (n % 5 === 1 ? 'overload' : n % 11 === 2 ? 'too-many' : 'pass'),
      ],
      ['when connections end before points arrive', {}, (n) => (n % 12 === 3 ? 'drop-before' : 'pass')],
      [
        'when the answer to points that are stored is lost',
        { opentsdbGzip: true },
        (n) => (n % 12 === 5 ? 'drop-after' : 'pass'),
      ],
    ])('%s', async (_, engine, fate) => {
      const prepared = await prepare(engine);
      proxy = await startProxy(Number(server().connection.port), fate, ways);
      const remarks = await load(prepared, await endpointOf(proxy.port));
      const { pass, ...wrong } = proxy.fates;
      expect(Object.values(wrong).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(2);
      expect(pass).toBeGreaterThan(30);
      expect(remarks[0]).toMatch(/^Points are sent again: /);
      expect(remarks[1]).toContain('2 so far');
      await expectAll(prepared);
    });

    it('over a restart in mid-load', async () => {
      const prepared = await prepare({ resendFor: '5m' });
      let restarted: Promise<void> = Promise.resolve();
      const remarks = await load(prepared, await direct(), async (batch) => {
        if (batch !== 12) return;
        await server().end('shutdown');
        // Comes back while the batch is tried again and again.
        restarted = server().start();
      });
      await restarted;
      expect(remarks.length).toBeGreaterThan(0);
      await expectAll(prepared);
    });
  });

  it('gives up when the time for it is over, with the server’s last words, and counts what there is', async () => {
    const prepared = await prepare({ resendFor: '1s' });
    const port = Number(server().connection.port);
    proxy = await startProxy(port, (n) => (n < 5 ? 'pass' : 'overload'), ways);
    await expect(load(prepared, await endpointOf(proxy.port))).rejects.toMatchObject({
      ...{ code: 'server-error', message: 'HBase behind the server does not keep up, or is away' },
      detail: expect.stringContaining('Please throttle writes: 10000 RPCs waiting'),
    });
    expect(proxy.fates.overload).toBeGreaterThan(2);
    expect(await counted(prepared, 5 * batchSize)).toEqual({ cpu: 5 * batchSize });
  });

  it('keeps to what a server takes that nobody has configured, and replaces nothing there', async () => {
    const { jars, hbase } = opentsdbPrograms();
    const plain = await startTsd(hbase.java, jars, server().hbase.zookeeper, {
      ...{ 'tsd.http.request.enable_chunked': 'false', 'tsd.http.query.allow_delete': 'false' },
      'tsd.storage.enable_compaction': 'true',
    });
    try {
      const endpoint = await endpointOf(plain.connection.port);
      const prepared = await prepare({});
      const session = await opentsdbDriver.openSession(endpoint, signal);
      expect((await session.readiness?.(signal))?.map(({ result }) => result)).toEqual([
        'pass',
        'warn',
        'warn',
        'warn',
      ]);
      await session.close();
      await expect(prepare({}, endpoint)).rejects.toMatchObject({
        ...{ code: 'unsupported', hint: expect.stringContaining('allow_delete') },
      });
      // 50 rows of ten values are far more than the 8 KiB of one of its requests.
      await load({ ...prepared, driver: { ...prepared.driver, requestBytes: 8000 } }, endpoint);
      await expectAll(prepared);
    } finally {
      await plain.stop();
    }
  });
}
