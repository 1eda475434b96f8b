import { expect, it } from 'vitest';
import { opentsdbDriver } from '../../../src-main/databases/opentsdb/index.ts';
import { type FaultsBench, faultsContract } from '../faultsContract.ts';
import { opentsdbPrograms } from './fetch.ts';
import { type OpentsdbServer, startTsd } from './server.ts';

const { signal } = new AbortController();
/** As the server answers when HBase’s client has too much in its queue. */
const throttled = JSON.stringify({
  ...{ success: 0, failed: 1 },
  errors: [
    { error: 'Please throttle writes: 10000 RPCs waiting', datapoint: { metric: 'benchberry_faults.cpu' } },
  ],
});

export function opentsdbFaults(server: () => OpentsdbServer): void {
  faultsContract(
    {
      driver: opentsdbDriver,
      server,
      ways: { isRows: ({ url = '' }) => url.startsWith('/api/put'), overloaded: throttled },
      cases: [
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
      ],
      remark: /^Points are sent again: /,
      overloaded: {
        ...{ code: 'server-error', message: 'HBase behind the server does not keep up, or is away' },
        detail: expect.stringContaining('Please throttle writes: 10000 RPCs waiting'),
      },
      async expectSums(endpoint, database, sums, total) {
        const reader = await opentsdbDriver.openReader(endpoint, database, signal);
        for (const [name, sum] of sums) {
          const text = `/api/query?start=1400000000&end=1500000000&m=none:cpu.${name}&ms`;
          const { rows, values = [] } = await reader.run({ text }, signal, true);
          expect([name, rows]).toEqual([name, total]);
          expect(values.reduce((all, point) => all + Number(point.at(-1)), 0)).toBe(sum);
        }
        await reader.close();
      },
    },
    (bench) => ofAPlainServer(server, bench),
  );
}

/** A server with OpenTSDB's own settings. */
function ofAPlainServer(server: () => OpentsdbServer, bench: FaultsBench): void {
  it('keeps to what a server takes that nobody has configured, and replaces nothing there', async () => {
    const { jars, hbase } = opentsdbPrograms();
    const plain = await startTsd(hbase.java, jars, server().hbase.zookeeper, {
      ...{ 'tsd.http.request.enable_chunked': 'false', 'tsd.http.query.allow_delete': 'false' },
      'tsd.storage.enable_compaction': 'true',
    });
    try {
      const endpoint = await bench.endpointOf(plain.connection.port);
      const prepared = await bench.prepare({});
      const session = await opentsdbDriver.openSession(endpoint, signal);
      expect((await session.readiness?.(signal))?.map(({ result }) => result)).toEqual([
        'pass',
        'warn',
        'warn',
        'warn',
      ]);
      await session.close();
      await expect(bench.prepare({}, endpoint)).rejects.toMatchObject({
        ...{ code: 'unsupported', hint: expect.stringContaining('allow_delete') },
      });
      // 50 rows of ten values are far more than the 8 KiB of one of its requests.
      await bench.load({ ...prepared, driver: { ...prepared.driver, requestBytes: 8000 } }, endpoint);
      await bench.expectAll(prepared);
    } finally {
      await plain.stop();
    }
  });
}
