import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Distribution } from '../load/distribution.ts';
import { openStore } from '../store/openStore.ts';
import { makeOperation, makeRun, makeTick } from '../store/testRun.ts';
import { createApp } from './createApp.ts';
import { memorySecrets } from './secrets.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchberry-storage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** A finished run of so many seconds, each with a thousand latencies of its own. */
function record(id: string, seconds: number, startedAt: string): void {
  const store = openStore(folder);
  store.runs.create(makeRun({ id, status: 'finished', startedAt, endedAt: startedAt }), {
    pid: 1,
    startedAt: 1,
  });
  for (let seq = 0; seq < seconds; seq += 1) {
    const all = new Distribution();
    for (let i = 0; i < 1000; i += 1) all.recordNs((1 + ((seq * 7919 + i * 104_729) % 90_000)) * 1000);
    const operation = makeOperation({ count: 1000, latencyUs: all.summarize(), serviceUs: null });
    const tick = makeTick({
      runId: id,
      seq,
      atMs: (seq + 1) * 1000,
      intervalMs: 1000,
      operations: [operation],
    });
    store.runs.appendTick(tick, [{ operation: 'batch', latency: all.encode(), service: null }]);
  }
  store.close();
}

test('old runs are thinned on request: their totals stay, the file becomes smaller, and it is done once', async () => {
  record('old', 60, '2020-01-01T00:00:00.000Z');
  record('new', 20, new Date(Date.now() - 3_600_000).toISOString());
  const app = await createApp({ dataFolder: folder, secrets: memorySecrets() });
  try {
    const before = await app.api.call('storage.get', { olderThanDays: 30 });
    expect(before).toMatchObject({ runs: 2, thinnable: { ids: ['old'], seconds: 60 } });
    expect(before.thinnable.bytes).toBeGreaterThan(60 * 500);
    expect((await app.api.call('storage.get', { olderThanDays: 0 })).thinnable.ids).toEqual(['old', 'new']);
    expect(await app.api.call('storage.thin', { id: 'old' })).toBe(true);
    const { ticks } = await app.api.call('runs.series', { id: 'old' });
    expect(ticks.map(({ atMs, intervalMs }) => [atMs, intervalMs])).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => [n * 10_000, 10_000]),
    );
    expect(ticks.map(({ operations }) => operations[0]?.latencyUs?.count)).toEqual(Array(6).fill(10_000));
    expect(await app.api.call('runs.list', { filter: 'since:2019-12-31 until:2020-01-02' })).toMatchObject([
      { id: 'old', thinned: true },
    ]);
    expect(await app.api.call('storage.compact', null)).toBeLessThan(before.fileBytes);
    expect(await app.api.call('storage.thin', { id: 'old' })).toBe(false);
    expect((await app.api.call('storage.get', { olderThanDays: 30 })).thinnable.ids).toEqual([]);
    await expect(app.api.call('storage.thin', { id: 'gone' })).rejects.toMatchObject({ code: 'not-found' });
  } finally {
    await app.close();
  }
});
