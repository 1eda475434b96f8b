import { afterEach, describe, expect, it } from 'vitest';
import type { Driver, Endpoint, Prepared } from '../../src-main/databases/driver.ts';
import { openTsbsRows } from '../../src-main/workloads/tsbs/openRows.ts';
import { type Fate, type FaultyProxy, startProxy } from './questdb/proxy.ts';
import type { ServerProcess } from './serverProcess.ts';

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

/**
 * What happens to lines where requests go wrong on their way.
 * @param idempotent whether a row that comes twice is one: then what may be stored is sent again, else the load ends there
 */
export function lineFaults(about: {
  driver: Driver;
  server(): ServerProcess & { connection: Record<string, unknown> };
  idempotent: boolean;
}): void {
  const { driver, idempotent } = about;
  let proxy: FaultyProxy | null = null;
  afterEach(async () => {
    await proxy?.close();
    proxy = null;
  });
  const endpointOf = (port: unknown): Promise<Endpoint> =>
    driver.resolve({ ...about.server().connection, port }, null, { dataFolder: '', signal });
  const direct = () => endpointOf(about.server().connection.port);

  async function prepare(engine: Record<string, unknown> = {}): Promise<Prepared> {
    const session = await driver.openSession(await direct(), signal);
    const options = { database, doCreateDb: true, doAbortOnExist: false };
    const { dataset } = openTsbsRows(spec);
    const prepared = await session.prepare(
      dataset,
      { ...options, engine: driver.loadOptions.parse(engine) },
      signal,
    );
    await session.close();
    return prepared;
  }

  /** Loads everything by one writer, through the proxy where there is one. @returns remarks */
  async function load(
    prepared: Prepared,
    between: (batch: number) => Promise<void> = async () => undefined,
  ): Promise<string[]> {
    const source = openTsbsRows(spec);
    const endpoint = proxy ? await endpointOf(proxy.port) : await direct();
    const writer = await driver.openWriter(endpoint, prepared, signal, source.dataset);
    const remarks: string[] = [];
    try {
      for (let batch = 0; source.fill(writer, batchSize) > 0; batch += 1) {
        await between(batch);
        await writer.flush(signal);
        remarks.push(...(writer.takeRemarks?.() ?? []));
      }
    } finally {
      await writer.close();
    }
    return remarks;
  }

  async function expectRows(prepared: Prepared, rows: number): Promise<void> {
    const session = await driver.openSession(await direct(), signal);
    await session.awaitVisible?.(prepared, rows, () => undefined, signal);
    expect(await session.count(prepared, signal)).toEqual({ cpu: rows });
    await session.close();
  }

  const fates: [string, (n: number) => Fate][] = [
    ['when the server is overloaded', (n) => (n % 3 === 1 ? 'overload' : n % 7 === 2 ? 'too-many' : 'pass')],
    ['when connections end before rows arrive', (n) => (n % 12 === 3 ? 'drop-before' : 'pass')],
    ['when the answer to rows that are stored is lost', (n) => (n % 12 === 5 ? 'drop-after' : 'pass')],
  ];
  describe('each row is stored once', () => {
    it.each(idempotent ? fates : fates.slice(0, 1))('%s', async (_, fate) => {
      const prepared = await prepare();
      proxy = await startProxy(Number(about.server().connection.port), fate);
      const remarks = await load(prepared);
      const { pass, ...wrong } = proxy.fates;
      expect(Object.values(wrong).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(2);
      expect(pass).toBeGreaterThan(30);
      expect(remarks[0]).toMatch(/^Batches are sent again: The (server|connection) /);
      expect(remarks[1]).toContain('2 so far');
      await expectRows(prepared, total);
    });

    it('over a restart in mid-load', async () => {
      const prepared = await prepare({ resendFor: '5m' });
      let restarted: Promise<void> = Promise.resolve();
      const remarks = await load(prepared, async (batch) => {
        if (batch !== 12) return;
        await about.server().end('shutdown');
        // Comes back while the batch is tried again and again.
        restarted = about.server().start();
      });
      await restarted;
      expect(remarks.length).toBeGreaterThan(0);
      await expectRows(prepared, total);
    });
  });

  it('gives up when the time for it is over, and what was acknowledged is there', async () => {
    const prepared = await prepare({ resendFor: '1s' });
    proxy = await startProxy(Number(about.server().connection.port), (n) => (n < 5 ? 'pass' : 'overload'));
    await expect(load(prepared)).rejects.toMatchObject({
      code: 'server-error',
      detail: expect.stringContaining('overloaded'),
    });
    expect(proxy.fates.overload).toBeGreaterThan(2);
    await expectRows(prepared, 5 * batchSize);
  });

  if (!idempotent)
    it('sends nothing again that may be stored: the load ends and says so', async () => {
      const prepared = await prepare();
      proxy = await startProxy(Number(about.server().connection.port), (n) =>
        n < 5 ? 'pass' : 'drop-after',
      );
      await expect(load(prepared)).rejects.toMatchObject({ code: 'connection-lost' });
      expect(proxy.fates['drop-after']).toBe(1);
      await expectRows(prepared, 6 * batchSize);
    });
}
