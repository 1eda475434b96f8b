import { expect, it, vi } from 'vitest';
import type { Driver, Endpoint } from './driver.ts';

const { signal } = new AbortController();

/** The part of the contract that is about queries. */
export function readerContract(
  driver: Driver,
  endpoint: () => Endpoint,
  ask: (text: string) => Promise<(string | null)[][]>,
): void {
  it('drains rows without keeping them, and counts what came', async () => {
    const reader = await driver.openReader(endpoint(), 'postgres', signal);
    const text = "SELECT i, repeat('x', 3000), NULL FROM generate_series(1, 20000) i";
    const drained = await reader.run({ text }, signal);
    const kept = await reader.run({ text }, signal, true);
    // DataRow: letter, length, number of fields, then 4 bytes of length and the text of each
    const rowBytes = kept.values?.reduce((sum, [i]) => sum + 7 + 4 + (i?.length ?? 0) + 4 + 3000 + 4, 0) ?? 0;
    expect(drained).toEqual({ rows: 20_000, bytes: kept.bytes, firstRowMs: expect.any(Number) });
    expect(drained.firstRowMs).toBeGreaterThan(0);
    expect((await reader.run({ text: 'SELECT 1 WHERE false' }, signal)).firstRowMs).toBeUndefined();
    expect(kept.rows).toBe(20_000);
    expect(kept.values?.[19_999]).toEqual(['20000', 'x'.repeat(3000), null]);
    const around = kept.bytes - rowBytes;
    expect(around).toBeGreaterThan(0);
    expect(around).toBeLessThan(200);
    await reader.close();
  });

  it('gives the server’s own words for an error, and the reader goes on', async () => {
    const reader = await driver.openReader(endpoint(), 'postgres', signal);
    await expect(reader.run({ text: 'SELECT no_such_column' }, signal)).rejects.toMatchObject({
      code: 'server-error',
      detail: expect.stringMatching(/no_such_column.*42703/s),
    });
    expect((await reader.run({ text: 'SELECT 1' }, signal)).rows).toBe(1);
    await reader.close();
    await expect(reader.run({ text: 'SELECT 1' }, signal)).rejects.toMatchObject({
      code: 'connection-lost',
    });
  });

  it('stops a statement on the server when asked to, and leaves no connection', async () => {
    const doing = () =>
      ask(`SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_sleep(3600)%' AND pid <> pg_backend_pid()`);
    const reader = await driver.openReader(endpoint(), 'postgres', signal);
    const controller = new AbortController();
    const running = reader.run({ text: 'SELECT pg_sleep(3600)' }, controller.signal);
    running.catch(() => undefined); // awaited below
    await vi.waitUntil(async () => (await doing()).length === 1, { timeout: 20_000 });
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    await vi.waitUntil(async () => (await doing()).length === 0, { timeout: 20_000 });
    await expect(driver.openReader(endpoint(), 'postgres', AbortSignal.abort())).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('names a database that is not there', async () => {
    await expect(driver.openReader(endpoint(), 'benchberry_absent', signal)).rejects.toMatchObject({
      code: 'no-database',
      place: { database: 'benchberry_absent' },
    });
  });
}
