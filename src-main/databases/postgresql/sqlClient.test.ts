import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Endpoint } from '../driver.ts';
import type { SqlClient } from '../sqlClient.ts';
import { noTestServer, startTestServer, type TestServer } from '../testServer.ts';
import { endpointTo, signal } from './faultsTesting.ts';
import { postgresqlDriver as driver } from './index.ts';

const serverTests = noTestServer === null ? describe : describe.skip;

serverTests('a client for transactions', () => {
  let server: TestServer;
  let client: SqlClient;
  const open = async (own = signal, connection: Record<string, unknown> = {}): Promise<SqlClient> => {
    const endpoint: Endpoint = await endpointTo({ ...server.connection, ...connection }, server.password);
    if (driver.openClient === undefined) throw new Error('PostgreSQL has transactions');
    return driver.openClient(endpoint, 'postgres', own);
  };
  beforeAll(async () => {
    server = await startTestServer();
    client = await open();
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  it('is known to the server by its process id and its name', () => {
    const name = server.psql(
      `SELECT application_name FROM pg_stat_activity WHERE pid = ${client.backendPid}`,
    );
    expect(name).toBe('benchberry-load');
  });

  it.each(['disable', 'prefer'])(
    'works over a socket that is read in place and one that is not: %s',
    async (tlsMode) => {
      const own = await open(signal, { tlsMode });
      const long = await own.query(`SELECT repeat('y', 1000) FROM generate_series(1, 5000)`, true);
      expect(long.results[0]?.rows.every(([text]) => text === 'y'.repeat(1000))).toBe(true);
      expect((await own.query(`SELECT repeat('z', 1000) FROM generate_series(1, 5000)`)).rows).toBe(5000);
      expect(own.receivedBytes).toBeGreaterThan(10_000_000);
      await own.close();
    },
  );

  it('cancels what is under way when its signal is aborted', async () => {
    const abort = new AbortController();
    const own = await open(abort.signal);
    const sleeping = own.query('SELECT pg_sleep(600)');
    sleeping.catch(() => undefined); // awaited below
    const active = () =>
      server.psql(`SELECT count(*) FROM pg_stat_activity WHERE pid = ${own.backendPid} AND state = 'active'`);
    await vi.waitUntil(() => active() === '1', { timeout: 30_000 });
    abort.abort();
    await expect(sleeping).rejects.toMatchObject({ code: 'cancelled' });
    await expect(own.query('SELECT 1')).rejects.toMatchObject({ code: 'cancelled' });
    const gone = () => server.psql(`SELECT count(*) FROM pg_stat_activity WHERE pid = ${own.backendPid}`);
    await vi.waitUntil(() => gone() === '0', { timeout: 30_000 });
  });

  it('says what ended the connection: in the middle of a statement, and while nothing was asked', async () => {
    for (const text of ['SELECT pg_sleep(600)', null]) {
      const own = await open();
      const asked = text === null ? null : own.query(text);
      asked?.catch(() => undefined); // awaited below
      server.psql(`SELECT pg_terminate_backend(${own.backendPid})`);
      const lost = { code: 'connection-lost', detail: expect.stringContaining('administrator command') };
      if (asked !== null) await expect(asked).rejects.toMatchObject(lost);
      else {
        const gone = () => server.psql(`SELECT count(*) FROM pg_stat_activity WHERE pid = ${own.backendPid}`);
        await vi.waitUntil(() => gone() === '0', { timeout: 30_000 });
      }
      await expect(own.query('SELECT 1')).rejects.toMatchObject(lost);
      await own.close();
    }
  });
});
