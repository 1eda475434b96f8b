import { describe, expect, it } from 'vitest';
import { histogramOf, queries, run } from './testing/jobs.ts';

describe('queries', () => {
  for (const workers of [1, 3, 12])
    it(`are asked once each with ${workers} workers`, async () => {
      const { result, first, hits } = await run(queries(500, { workers }), 500);
      expect(result.error).toBeNull();
      expect(histogramOf(hits)).toEqual({ 1: 500 });
      expect(first).toMatchObject({
        name: 'lastpoint',
        count: 500,
        rows: 1_000,
        bytes: 15_000,
        late: 0,
        dropped: 0,
      });
    });

  it('are counted from after the burn-in, also with prewarm', async () => {
    const plain = await run(queries(100, { burnIn: 30 }), 100);
    expect(plain.first.count).toBe(70);
    expect(plain.first.latency.count).toBe(70);
    const warm = await run(queries(100, { burnIn: 31, prewarm: true }), 100);
    expect(histogramOf(warm.hits)).toEqual({ 2: 100 });
    expect(warm.result.operations.map((o) => [o.name, o.count])).toEqual([
      ['lastpoint', 169],
      ['cold queries', 84],
      ['warm queries', 85],
    ]);
    expect(warm.snapshots.every((s) => s.operations.length === 1)).toBe(true);
  });

  it('go on after a refusal, which is counted and told', async () => {
    const { result, first, events } = await run(queries(200), 200, { failAt: 77, failCode: 'server-error' });
    expect(result.error).toBeNull();
    expect(first).toMatchObject({ count: 199, errors: 1 });
    expect(result.failures).toEqual(['as it was told']);
    expect(events).toEqual(['Query failed: as it was told']);
  });

  it('end with a lost connection', async () => {
    const { result, first } = await run(queries(200), 200, { failAt: 77, failCode: 'connection-lost' });
    expect(result.error).toMatchObject({ code: 'connection-lost' });
    expect(first.count).toBeLessThan(200);
  });

  it('keep a schedule that can be kept: never early, latency from the due time', async () => {
    const { first } = await run(queries(60, { ratePerSecond: 60 }), 60);
    expect(first).toMatchObject({ count: 60, dropped: 0 });
    // the last of 60 is due after 59/60 s
    expect(first.seconds).toBeGreaterThanOrEqual(59 / 60);
    const latency = first.latency.summarize();
    const service = first.service?.summarize();
    expect(latency?.sum).toBeGreaterThanOrEqual(service?.sum ?? Number.POSITIVE_INFINITY);
  });

  it('fall behind a schedule that cannot be kept, and say by how much', async () => {
    // 3 connections of 50 ms a query make 60/s of the 200/s asked for
    const { first, snapshots } = await run(queries(150, { ratePerSecond: 200 }), 150, { delayMs: 50 });
    expect(first.count).toBe(150);
    expect(first.late).toBeGreaterThan(100);
    const last = first.latency.summarize();
    expect(last?.max).toBeGreaterThan(1_000_000); // due after 0.75 s, done after 2.5 s
    expect(first.service?.summarize()?.p50).toBeLessThan(200_000);
    expect(snapshots[0]?.operations[0]?.backlog).toBeGreaterThan(50);
  });

  it('that were due when cancelled and not started are dropped', async () => {
    const controller = new AbortController();
    const { result, first } = await run(
      queries(400, { ratePerSecond: 200 }),
      400,
      { delayMs: 100 },
      { signal: controller.signal, onSnapshot: () => controller.abort() },
    );
    expect(result.error).toMatchObject({ code: 'cancelled' });
    // due after a second: about 200; started: at most 3 connections × 10 and those under way
    expect(first.dropped).toBeGreaterThan(100);
    expect(first.dropped + first.started).toBeLessThanOrEqual(400);
  });
});
