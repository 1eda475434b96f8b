import { describe, expect, it } from 'vitest';
import { Distribution } from './distribution.ts';
import { runJob } from './runJob.ts';
import { fakeEndpoint, fakeEntry } from './testing/fakes.ts';
import { histogramOf, load, run } from './testing/jobs.ts';

describe('a load', () => {
  for (const hashWorkers of [false, true])
    for (const workers of [1, 3, 12])
      it(`writes every row once with ${workers} workers${hashWorkers ? ', hashed' : ''}`, async () => {
        const { result, first, hits } = await run(load(12_345, { workers, hashWorkers }), 12_345);
        expect(result.error).toBeNull();
        expect(histogramOf(hits)).toEqual({ 1: 12_345 });
        expect(first).toMatchObject({
          name: 'batch',
          rows: 12_345,
          metrics: 3 * 12_345,
          bytes: 20 * 12_345,
          errors: 0,
        });
        if (!hashWorkers) expect(first.count).toBe(124);
        expect(first.latency.count).toBe(first.count);
        expect(first.service).toBeNull();
      });

  it('is the sum of its ticks, histograms included, and each interval is as long as measured', async () => {
    const { result, first, snapshots } = await run(load(9_000), 9_000, { delayMs: 40 });
    expect(snapshots.length).toBeGreaterThanOrEqual(2);
    const merged = new Distribution();
    let [count, rows, ms] = [0, 0, 0];
    for (const snapshot of snapshots) {
      const [operation] = snapshot.operations;
      const [histogram] = snapshot.histograms;
      if (!operation) throw new Error('a tick has its operation');
      count += operation.count;
      rows += operation.rows;
      ms += snapshot.intervalMs;
      expect(operation.latencyUs?.count ?? 0).toBe(operation.count);
      if (histogram?.latency)
        merged.add(Distribution.decode(histogram.latency, operation.latencyUs?.sum ?? 0));
    }
    expect({ count, rows }).toEqual({ count: 90, rows: 9_000 });
    expect(merged.summarize()).toEqual(first.latency.summarize());
    expect(ms).toBeCloseTo(first.seconds * 1000, 3);
    expect(first.seconds).toBe((result.endNs - result.startNs) / 1e9);
    // 90 batches of at least 40 ms on 3 connections
    expect(first.seconds).toBeGreaterThanOrEqual((90 / 3) * 0.039);
    const latency = first.latency.summarize();
    expect(latency?.min).toBeGreaterThanOrEqual(39_000);
    expect(snapshots.every((s) => s.client.rssBytes > 1e6 && s.client.busiest <= 1)).toBe(true);
  });

  it('is busy while it waits for its file, and not while it waits for the server', async () => {
    const busiest = async (readMs: number, delayMs: number) => {
      const rows = { workload: 'fake', parameters: { rows: 1000, readMs } };
      const work = load(1000, { rows, reading: true, workers: 1 });
      const { snapshots, hits } = await run(work, 1000, { delayMs }, { threads: 1 });
      expect(histogramOf(hits)).toEqual({ 1: 1000 });
      const ms = snapshots.reduce((sum, { intervalMs }) => sum + intervalMs, 0);
      return snapshots.reduce((sum, { client, intervalMs }) => sum + client.busiest * intervalMs, 0) / ms;
    };
    const byFile = await busiest(80, 1);
    expect(byFile).toBeGreaterThan(0.8);
    expect(await busiest(1, 80)).toBeLessThan(byFile);
  });

  it('generates and counts only, without metrics, where nothing is prepared', async () => {
    const { first, hits } = await run(load(5_000, { prepared: null }), 5_000);
    expect(first).toMatchObject({ rows: 5_000, metrics: 0, bytes: 0, count: 50 });
    expect(histogramOf(hits)).toEqual({ 0: 5_000 });
  });

  it('does its prelude within the measured time and before any batch', async () => {
    const order: string[] = [];
    const { endpoint, hits } = fakeEndpoint(1_000);
    const result = await runJob(
      { endpoint, work: load(1_000) },
      {
        signal: new AbortController().signal,
        entry: fakeEntry,
        onStart: () => order.push('start'),
        prelude: async () => {
          order.push(`prelude ${hits.reduce((a, b) => a + b)}`);
        },
      },
    );
    expect(order).toEqual(['start', 'prelude 0']);
    expect(result.error).toBeNull();
  });

  it('keeps at least the asked time between the starts of a worker’s batches', async () => {
    const { first } = await run(load(300, { workers: 1, insertIntervals: [{ min: 0.3, max: 0.3 }] }), 300);
    expect(first.count).toBe(3);
    expect(first.seconds).toBeGreaterThanOrEqual(0.6);
  });

  it('fails with a lost connection and keeps exactly what was acknowledged', async () => {
    const { result, first, hits, events } = await run(load(10_000), 10_000, { failAt: 5_000, delayMs: 1 });
    expect(result.error).toMatchObject({ code: 'connection-lost' });
    const acknowledged = hits.reduce((a, b) => a + b);
    expect(first.rows).toBe(acknowledged);
    expect(acknowledged).toBeGreaterThan(0);
    expect(acknowledged).toBeLessThan(10_000);
    expect(first.errors).toBe(1);
    expect(events).toEqual(['Batch failed: as it was told']);
  });

  it('fails where a connection cannot be opened', async () => {
    const { result, first } = await run(load(1_000), 1_000, { refuse: true });
    expect(result.error).toMatchObject({ code: 'connection-refused', message: 'Nobody is at home' });
    expect(first.rows).toBe(0);
  });

  it('fails and never hangs when a thread throws or exits', async () => {
    const thrown = await run(load(10_000), 10_000, { throwAt: 5_000 });
    expect(thrown.result.error).toMatchObject({ code: 'worker-died', detail: 'a defect' });
    const exited = await run(load(10_000), 10_000, { exitAt: 5_000 });
    expect(exited.result.error).toMatchObject({ code: 'worker-died', detail: 'exit code 3' });
  });

  it('fails when a thread cannot start, or says what is no message', async () => {
    const missing = await run(
      load(10),
      10,
      {},
      { entry: new URL('./testing/nothingHere.ts', import.meta.url) },
    );
    expect(missing.result.error?.code).toBe('worker-died');
    const program =
      'import { parentPort } from "node:worker_threads"; parentPort.postMessage({ type: "?" });';
    const entry = new URL(
      `data:text/javascript,${encodeURIComponent(`${program} setInterval(() => {}, 1000);`)}`,
    );
    const garbage = await run(load(10), 10, {}, { entry });
    expect(garbage.result.error?.code).toBe('worker-died');
  });

  it('fails when a listener does, and ends its threads', async () => {
    const onSnapshot = () => {
      throw new Error('the disk is full');
    };
    const { result } = await run(load(100_000), 100_000, { delayMs: 20 }, { onSnapshot });
    expect(result.error).toMatchObject({ code: 'internal', detail: 'the disk is full' });
  });

  it('fails when the prelude does', async () => {
    const prelude = async () => {
      throw new Error('no devices');
    };
    const { result, hits } = await run(load(1_000), 1_000, {}, { prelude });
    expect(result.error).toMatchObject({ code: 'internal', detail: 'no devices' });
    expect(histogramOf(hits)).toEqual({ 0: 1_000 });
  });

  it('stops when cancelled, waits for batches under way and counts them', async () => {
    const controller = new AbortController();
    const { result, first, hits } = await run(
      load(100_000),
      100_000,
      { delayMs: 20 },
      { signal: controller.signal, onSnapshot: () => controller.abort() },
    );
    expect(result.error).toMatchObject({ code: 'cancelled' });
    const acknowledged = hits.reduce((a, b) => a + b);
    expect(acknowledged).toBeGreaterThan(0);
    expect(acknowledged).toBeLessThan(100_000);
    expect(first.rows).toBe(acknowledged);
    expect(first.errors).toBe(0);
  });

  it('gives up a batch that does not end, when cancelled', async () => {
    const controller = new AbortController();
    const { result, first, hits } = await run(
      load(1_000, { workers: 1 }),
      1_000,
      { hangAt: 500 },
      { signal: controller.signal, onSnapshot: () => controller.abort() },
    );
    expect(result.error).toMatchObject({ code: 'cancelled' });
    expect(first.rows).toBe(500);
    expect(hits.reduce((a, b) => a + b)).toBe(500);
  });

  it('does nothing when cancelled beforehand', async () => {
    const { result, first } = await run(load(1_000), 1_000, {}, { signal: AbortSignal.abort() });
    expect(result.error).toMatchObject({ code: 'cancelled' });
    expect(first.rows).toBe(0);
  });
});
