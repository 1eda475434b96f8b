import { describe, expect, it } from 'vitest';
import { Distribution } from './distribution.ts';
import type { Job, JobResult, LoadWork, OperationTotal, QueriesWork, Snapshot } from './job.ts';
import { type JobOptions, runJob } from './runJob.ts';
import { type FakeConnection, fakeEndpoint, fakeEntry } from './testing/fakes.ts';

const prepared = { database: 'benchmark', notes: [], driver: {} };
function load(rows: number, options: Partial<LoadWork> = {}): LoadWork {
  return {
    kind: 'load',
    rows: { workload: 'fake', parameters: { rows } },
    prepared,
    workers: 3,
    batchSize: 100,
    hashWorkers: false,
    insertIntervals: [],
    seed: 0,
    ...options,
  };
}
function queries(rows: number, options: Partial<QueriesWork> = {}): QueriesWork {
  return {
    kind: 'queries',
    name: 'lastpoint',
    queries: { workload: 'fake', parameters: { rows } },
    database: 'benchmark',
    dialect: 'fake',
    workers: 3,
    ratePerSecond: 0,
    burnIn: 0,
    prewarm: false,
    ...options,
  };
}

async function run(
  work: Job['work'],
  size: number,
  connection: FakeConnection = {},
  options: Partial<JobOptions> = {},
) {
  const { endpoint, hits } = fakeEndpoint(size, connection);
  const snapshots: Snapshot[] = [];
  const events: string[] = [];
  const result = await runJob(
    { endpoint, work },
    {
      signal: new AbortController().signal,
      entry: fakeEntry,
      threads: 2,
      onSnapshot: (snapshot) => snapshots.push(snapshot),
      onEvent: (text) => events.push(text),
      ...options,
    },
  );
  return { result, first: firstOf(result), hits, snapshots, events };
}

function firstOf(result: JobResult): OperationTotal {
  const [operation] = result.operations;
  if (!operation) throw new Error('a job has an operation');
  return operation;
}

/** How often each row was acknowledged: times → number of rows. */
function histogramOf(hits: Int32Array): Record<number, number> {
  const times: Record<number, number> = {};
  for (const n of hits) times[n] = (times[n] ?? 0) + 1;
  return times;
}

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
