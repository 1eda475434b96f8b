import { afterEach, describe, expect, it } from 'vitest';
import type { Endpoint, Prepared, RowSink } from '../../../src-main/databases/driver.ts';
import { hbaseDriver } from '../../../src-main/databases/hbase/index.ts';
import { openTsbsRows } from '../../../src-main/workloads/tsbs/openRows.ts';
import { type Fate, type FaultyProxy, startProxy } from '../questdb/proxy.ts';
import type { HbaseRestServer } from './server.ts';

const { signal } = new AbortController();
const total = 1800;
const batchSize = 50;
const spec = {
  workload: 'tsbs',
  parameters: {
    ...{ useCase: 'cpu-only', scale: 5, seed: 123, logInterval: '10s' },
    ...{ timestampStart: '2016-01-01T00:00:00Z', timestampEnd: '2016-01-01T01:00:00Z' },
  },
};
/** As the gateway answers when a region's memory is full. */
const busy = `Unavailable\r
org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException: Failed 50 actions: RegionTooBusyException: 50 times\r
\tat org.apache.hadoop.hbase.client.BatchErrors.makeException(BatchErrors.java:57)\r
Caused by: org.apache.hadoop.hbase.RegionTooBusyException: Over memstore limit=128.0M\r
`;
const ways = {
  isRows: ({ url = '' }: { url?: string | undefined }) => url.endsWith(':cpu/rows'),
  overloaded: busy,
};

/** What happens to rows where requests go wrong on their way: each is stored once. */
export function faultsContract(server: () => HbaseRestServer): void {
  let proxy: FaultyProxy | null = null;
  afterEach(async () => {
    await proxy?.close();
    proxy = null;
  });

  const endpointOf = (port: unknown): Promise<Endpoint> =>
    hbaseDriver.resolve({ ...server().connection, port }, null, { dataFolder: '', signal });
  const direct = () => endpointOf(server().connection.port);

  async function prepare(engine: Record<string, unknown>): Promise<Prepared> {
    const session = await hbaseDriver.openSession(await direct(), signal);
    const { dataset } = openTsbsRows(spec);
    const prepared = await session.prepare(
      dataset,
      {
        ...{ database: 'benchberry_faults', doCreateDb: true, doAbortOnExist: false },
        engine: hbaseDriver.loadOptions.parse(engine),
      },
      signal,
    );
    await session.close();
    return prepared;
  }

  /** Loads everything by one writer; `between` is done before each batch. @returns remarks */
  async function load(
    prepared: Prepared,
    endpoint: Endpoint,
    between: (batch: number) => Promise<void> = async () => undefined,
  ): Promise<string[]> {
    const source = openTsbsRows(spec);
    const writer = await hbaseDriver.openWriter(endpoint, prepared, signal, source.dataset);
    const remarks: string[] = [];
    for (let batch = 0; source.fill(writer, batchSize) > 0; batch += 1) {
      await between(batch);
      await writer.flush(signal);
      remarks.push(...(writer.takeRemarks?.() ?? []));
    }
    await writer.close();
    return remarks;
  }

  /** Every row is there once, with its own values. */
  async function expectAll(prepared: Prepared): Promise<void> {
    const session = await hbaseDriver.openSession(await direct(), signal);
    expect(await session.count(prepared, signal)).toEqual({ cpu: total });
    await session.close();
    let wanted = 0;
    const sum: RowSink = {
      row(_table, _device, _timeMs, _nanos, values) {
        for (const value of values) wanted += value;
      },
    };
    openTsbsRows(spec).fill(sum, total);
    const reader = await hbaseDriver.openReader(await direct(), 'benchberry_faults', signal);
    const { rows, values = [] } = await reader.run({ text: '/cpu' }, signal, true);
    await reader.close();
    expect(rows).toBe(total * 10);
    expect(values.reduce((all, cell) => all + Number(cell.at(-1)), 0)).toBe(wanted);
  }

  describe('each row is stored once', () => {
    it.each<[string, Record<string, unknown>, (n: number) => Fate]>([
      [
        'when regions are too busy',
        {},
        (n) => (n % 5 === 1 ? 'overload' : n % 11 === 2 ? 'too-many' : 'pass'),
      ],
      ['when connections end before rows arrive', {}, (n) => (n % 12 === 3 ? 'drop-before' : 'pass')],
      [
        'when the answer to rows that are stored is lost',
        { hbaseSchema: 'wide' },
        (n) => (n % 12 === 5 ? 'drop-after' : 'pass'),
      ],
    ])('%s', async (_, engine, fate) => {
      const prepared = await prepare(engine);
      proxy = await startProxy(Number(server().connection.port), fate, ways);
      const remarks = await load(prepared, await endpointOf(proxy.port));
      const { pass, ...wrong } = proxy.fates;
      expect(Object.values(wrong).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(2);
      expect(pass).toBeGreaterThan(30);
      expect(remarks[0]).toMatch(/^Rows are sent again: The (server|connection) /);
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
    proxy = await startProxy(Number(server().connection.port), (n) => (n < 5 ? 'pass' : 'overload'), ways);
    await expect(load(prepared, await endpointOf(proxy.port))).rejects.toMatchObject({
      code: 'server-error',
      detail: expect.stringContaining('RegionTooBusyException: Over memstore limit'),
    });
    expect(proxy.fates.overload).toBeGreaterThan(2);
    const session = await hbaseDriver.openSession(await direct(), signal);
    expect(await session.count(prepared, signal)).toEqual({ cpu: 5 * batchSize });
    await session.close();
  });
}
