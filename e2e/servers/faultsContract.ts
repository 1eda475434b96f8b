import { afterEach, describe, expect, it } from 'vitest';
import type { Driver, Endpoint, Prepared, RowSink } from '../../src-main/databases/driver.ts';
import { openTsbsRows } from '../../src-main/workloads/tsbs/openRows.ts';
import { type Fate, type FaultyProxy, startProxy, type Ways } from './questdb/proxy.ts';
import type { ServerProcess } from './serverProcess.ts';

const { signal } = new AbortController();
const batchSize = 50;
const database = 'benchberry_faults';

/** An hour of TSBS's cpu-only: 360 rows a host. */
export const hourOf = (scale: number) => ({
  workload: 'tsbs',
  parameters: {
    ...{ useCase: 'cpu-only', scale, seed: 123, logInterval: '10s' },
    ...{ timestampStart: '2016-01-01T00:00:00Z', timestampEnd: '2016-01-01T01:00:00Z' },
  },
});
const spec = hourOf(5);
const total = 5 * 360;

/** Loads everything by one writer; `between` is done before each batch. @returns remarks */
export async function loadAll(
  { driver, endpoint, prepared }: { driver: Driver; endpoint: Endpoint; prepared: Prepared },
  data: ReturnType<typeof hourOf>,
  rowsABatch: number,
  between: (batch: number) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const source = openTsbsRows(data);
  const writer = await driver.openWriter(endpoint, prepared, signal, source.dataset);
  const remarks: string[] = [];
  try {
    for (let batch = 0; source.fill(writer, rowsABatch) > 0; batch += 1) {
      await between(batch);
      await writer.flush(signal);
      remarks.push(...(writer.takeRemarks?.() ?? []));
    }
  } finally {
    await writer.close();
  }
  return remarks;
}

/** The fields of the rows, each with the sum of its values. */
function wantedSums(): [string, number][] {
  const source = openTsbsRows(spec);
  const sums = source.dataset.tables[0]?.fields.map(({ name }): [string, number] => [name, 0]) ?? [];
  const sink: RowSink = {
    row(_table, _device, _timeMs, _nanos, values) {
      for (const [i, sum] of sums.entries()) sum[1] += values[i] ?? Number.NaN;
    },
  };
  source.fill(sink, total);
  return sums;
}

/** Of one engine. */
export interface Faults {
  driver: Driver;
  server(): Pick<ServerProcess, 'start' | 'end'> & { connection: Record<string, unknown> };
  ways?: Ways;
  /** Load options with them, and what becomes of the n-th request with rows, by what that is. */
  cases: [string, Record<string, unknown>, (n: number) => Fate][];
  /** What the first remark is. */
  remark: RegExp;
  /** What a load ends with where the server is overloaded for too long. */
  overloaded: Record<string, unknown>;
  /** Compares the values with their sums, all of a database. */
  expectSums?(endpoint: Endpoint, database: string, sums: [string, number][], total: number): Promise<void>;
}

/** What tests of an engine's own need. */
export interface FaultsBench {
  endpointOf(port: unknown): Promise<Endpoint>;
  prepare(engine: Record<string, unknown>, endpoint?: Endpoint): Promise<Prepared>;
  load(prepared: Prepared, endpoint: Endpoint): Promise<string[]>;
  /** Puts a proxy before the server until the test is over. */
  proxied(fate: (n: number) => Fate): Promise<{ endpoint: Endpoint; fates: FaultyProxy['fates'] }>;
  /** So many rows are there. */
  expectRows(prepared: Prepared, rows: number): Promise<void>;
  /** Every row is there once, with its own values. */
  expectAll(prepared: Prepared): Promise<void>;
}

/** What happens to rows where requests go wrong on their way: each is stored once. @param own tests of the engine's own */
export function faultsContract(about: Faults, own?: (bench: FaultsBench) => void): void {
  const { driver } = about;
  let proxy: FaultyProxy | null = null;
  afterEach(async () => {
    await proxy?.close();
    proxy = null;
  });
  const endpointOf: FaultsBench['endpointOf'] = (port) =>
    driver.resolve({ ...about.server().connection, port }, null, { dataFolder: '', signal });
  const direct = () => endpointOf(about.server().connection.port);
  const bench: FaultsBench = {
    endpointOf,
    async prepare(engine, endpoint) {
      const session = await driver.openSession(endpoint ?? (await direct()), signal);
      try {
        const options = { database, doCreateDb: true, doAbortOnExist: false };
        const parsed = driver.loadOptions.parse(engine);
        return await session.prepare(openTsbsRows(spec).dataset, { ...options, engine: parsed }, signal);
      } finally {
        await session.close();
      }
    },
    load: (prepared, endpoint) => loadAll({ driver, endpoint, prepared }, spec, batchSize),
    async proxied(fate) {
      proxy = await startProxy(Number(about.server().connection.port), fate, about.ways);
      return { endpoint: await endpointOf(proxy.port), fates: proxy.fates };
    },
    async expectRows(prepared, rows) {
      const session = await driver.openSession(await direct(), signal);
      const visible = await session.awaitVisible?.(prepared, rows, () => undefined, signal);
      expect(visible?.missing ?? null).toBeNull();
      expect(await session.count(prepared, signal)).toEqual({ cpu: rows });
      await session.close();
    },
    async expectAll(prepared) {
      await bench.expectRows(prepared, total);
      await about.expectSums?.(await direct(), database, wantedSums(), total);
    },
  };

  describe('each row is stored once', () => {
    it.each(about.cases)('%s', async (_, engine, fate) => {
      const prepared = await bench.prepare(engine);
      const { endpoint, fates } = await bench.proxied(fate);
      const remarks = await bench.load(prepared, endpoint);
      const { pass, ...wrong } = fates;
      expect(Object.values(wrong).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(2);
      expect(pass).toBeGreaterThan(30);
      expect(remarks[0]).toMatch(about.remark);
      expect(remarks[1]).toContain('2 so far');
      await bench.expectAll(prepared);
    });

    it('over a restart in mid-load', async () => {
      const prepared = await bench.prepare({ resendFor: '5m' });
      let restarted: Promise<void> = Promise.resolve();
      const load = { driver, endpoint: await direct(), prepared };
      const remarks = await loadAll(load, spec, batchSize, async (batch) => {
        if (batch !== 12) return;
        await about.server().end('shutdown');
        // Comes back while the batch is tried again and again.
        restarted = about.server().start();
      });
      await restarted;
      expect(remarks.length).toBeGreaterThan(0);
      await bench.expectAll(prepared);
    });
  });

  it('gives up when the time for it is over, with the server’s last words, and counts what there is', async () => {
    const prepared = await bench.prepare({ resendFor: '1s' });
    const { endpoint, fates } = await bench.proxied((n) => (n < 5 ? 'pass' : 'overload'));
    await expect(bench.load(prepared, endpoint)).rejects.toMatchObject(about.overloaded);
    expect(fates.overload).toBeGreaterThan(2);
    await bench.expectRows(prepared, 5 * batchSize);
  });

  own?.(bench);
}
