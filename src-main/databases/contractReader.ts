import { expect, it, vi } from 'vitest';
import type { Driver, Endpoint } from './driver.ts';

const { signal } = new AbortController();

/** Statements of an engine that show how its readers behave. */
export interface QueryWords {
  /** The database that there is always. */
  database: string;
  /** 20,000 rows of their number from 1 on, 3,000 times x, and NULL. */
  many: string;
  /** No row. */
  none: string;
  wrong: { text: string; detail: RegExp };
  /** Takes hours, */
  endless: string;
  /** and has a row here as long as it is at it. */
  endlessRunning: string;
  /** Answers are not PostgreSQL's messages: another reader over another protocol, whose bytes and first row are its own. */
  otherProtocol?: true;
}

/** The part of the contract that is about queries. */
export function readerContract(
  driver: Driver,
  endpoint: () => Endpoint,
  ask: (text: string) => Promise<(string | null)[][]>,
  words: QueryWords,
): void {
  const { database } = words;

  it('drains rows without keeping them, and counts what came', async () => {
    const reader = await driver.openReader(endpoint(), database, signal);
    const text = words.many;
    const drained = await reader.run({ text }, signal);
    const kept = await reader.run({ text }, signal, true);
    // DataRow: letter, length, number of fields, then 4 bytes of length and the text of each
    const rowBytes = kept.values?.reduce((sum, [i]) => sum + 7 + 4 + (i?.length ?? 0) + 4 + 3000 + 4, 0) ?? 0;
    expect(drained).toEqual({ rows: 20_000, bytes: kept.bytes, firstRowMs: expect.any(Number) });
    expect(drained.firstRowMs).toBeGreaterThan(0);
    expect(await reader.run({ text: words.none }, signal)).toMatchObject({ rows: 0 });
    expect((await reader.run({ text: words.none }, signal)).firstRowMs).toBeUndefined();
    expect(kept.rows).toBe(20_000);
    expect(kept.values?.[19_999]).toEqual(['20000', 'x'.repeat(3000), null]);
    const around = kept.bytes - rowBytes;
    if (!words.otherProtocol) {
      expect(around).toBeGreaterThan(0);
      expect(around).toBeLessThan(200);
    }
    await reader.close();
  });

  it('gives the server’s own words for an error, and the reader goes on', async () => {
    const reader = await driver.openReader(endpoint(), database, signal);
    await expect(reader.run({ text: words.wrong.text }, signal)).rejects.toMatchObject({
      code: 'server-error',
      detail: expect.stringMatching(words.wrong.detail),
    });
    expect((await reader.run({ text: 'SELECT 1' }, signal)).rows).toBe(1);
    await reader.close();
    await expect(reader.run({ text: 'SELECT 1' }, signal)).rejects.toMatchObject({
      code: 'connection-lost',
    });
  });

  it('stops a statement on the server when asked to, and leaves no connection', async () => {
    const doing = () => ask(words.endlessRunning);
    const reader = await driver.openReader(endpoint(), database, signal);
    const controller = new AbortController();
    const running = reader.run({ text: words.endless }, controller.signal);
    running.catch(() => undefined); // awaited below
    await vi.waitUntil(async () => (await doing()).length === 1, { timeout: 20_000 });
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    await vi.waitUntil(async () => (await doing()).length === 0, { timeout: 20_000 });
    await expect(driver.openReader(endpoint(), database, AbortSignal.abort())).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
}
