import { describe, expect, it } from 'vitest';
import type { Snapshot, TransactionTotals } from './job.ts';
import { histogramOf, run, transactions } from './testing/jobs.ts';

function totals({ transactions: own }: { transactions: TransactionTotals | null }): TransactionTotals {
  if (own === null) throw new Error('a transactions job has its totals');
  return own;
}
const sum = (snapshots: readonly Snapshot[], of: (snapshot: Snapshot) => number) =>
  snapshots.reduce((all, snapshot) => all + of(snapshot), 0);

describe('transactions', () => {
  it('are done as often by each client as was asked for', async () => {
    const { result, first, hits, snapshots } = await run(transactions({}), 4, { delayMs: 60 });
    expect(result.error).toBeNull();
    expect(Array.from(hits)).toEqual([25, 25, 25, 25]);
    expect(first).toMatchObject({ name: 'transactions', count: 100, errors: 0, bytes: 1000 });
    expect(first.latency.count).toBe(100);
    expect(first.service).toBeNull();
    const { tally, threads, clients } = totals(result);
    expect(tally).toMatchObject({ reads: 300, writes: 100, others: 200, failed: 0, endedClients: 0 });
    expect(threads).toBe(2);
    expect(clients.map(({ count }) => count)).toEqual([25, 25, 25, 25]);
    for (const { seconds } of clients) expect(seconds).toBeGreaterThanOrEqual((25 * 59) / 1000);
    // 25 times 60 ms: more than one tick, and all of them are the whole
    expect(snapshots.length).toBeGreaterThanOrEqual(2);
    expect(sum(snapshots, (s) => s.operations[0]?.count ?? 0)).toBe(100);
    expect(sum(snapshots, (s) => s.transactions?.reads ?? 0)).toBe(300);
    expect(sum(snapshots, (s) => s.transactions?.buckets?.counts.reduce((a, b) => a + b, 0) ?? 0)).toBe(100);
    expect(snapshots[0]?.transactions).toMatchObject({ clients: 4, busy: 4 });
    expect(snapshots.at(-1)?.transactions).toMatchObject({ clients: 0, busy: 0 });
  });

  it('are as many in all as was asked for', async () => {
    const work = transactions({}, { transactionsPerClient: null, transactionsInAll: 103 });
    const { first, hits } = await run(work, 4);
    expect(first.count).toBe(103);
    expect(hits.reduce((a, b) => a + b)).toBe(103);
  });

  it('end with the time: none begins after it, those under way are done and counted', async () => {
    const work = transactions({}, { transactionsPerClient: null, seconds: 0.5 });
    const { result, first, hits } = await run(work, 4, { delayMs: 200 });
    expect(result.error).toBeNull();
    // begun at 0, 0.2 and 0.4 s, unless the machine is slow
    expect(first.count).toBe(hits.reduce((a, b) => a + b));
    expect(first.count).toBeLessThanOrEqual(12);
    expect(first.seconds).toBeGreaterThanOrEqual(0.5);
  });

  it('of several scripts are an operation each, and all together the first', async () => {
    const work = transactions({ scripts: ['one', 'two'] }, { statementLatencies: true, statements: 2 });
    const { result } = await run(work, 4);
    expect(result.operations.map(({ name, count }) => [name, count])).toEqual([
      ['transactions', 100],
      ['one', 52],
      ['two', 48],
    ]);
    expect(totals(result).tally.statements).toEqual({
      count: [100, 0],
      sumNs: [200_000, 0],
      failures: [0, 0],
      retries: [0, 0],
    });
  });

  it('that are tried again tell of it, with the conflicts by name; those that fail have no latency', async () => {
    const again = await run(transactions({ conflicts: 3 }, { statementLatencies: true, statements: 2 }), 4);
    expect(again.first).toMatchObject({ count: 100, errors: 0 });
    expect(totals(again.result).tally).toMatchObject({
      retried: 100,
      retries: 300,
      conflicts: { '40001': 300 },
      statements: { retries: [0, 300] },
    });
    const failed = await run(transactions({ conflicts: 1, gives: 'up' }), 4);
    expect(failed.first).toMatchObject({ count: 0, errors: 100 });
    expect(failed.first.latency.count).toBe(0);
    expect(totals(failed.result).tally).toMatchObject({
      failed: 100,
      retried: 100,
      scripts: [{ failed: 100, retried: 100 }],
    });
  });

  it('whose turn is past by more than the limit are skipped, and count among those of a client', async () => {
    const work = transactions(
      {},
      { workers: 2, transactionsPerClient: 100, ratePerSecond: 400, latencyLimitMs: 30 },
    );
    const { first, hits, result } = await run(work, 2, { delayMs: 25 });
    const { tally } = totals(result);
    expect(tally.skipped + first.count).toBe(200);
    expect(tally.skipped).toBeGreaterThan(50);
    expect(hits.reduce((a, b) => a + b)).toBe(first.count);
    expect(tally.lag.count).toBe(first.count);
    expect(tally.lag.maxNs / 1000).toBeLessThanOrEqual(first.latency.summarize()?.max ?? 0);
    // from the schedule: never shorter than from the actual start
    expect(first.latency.sumUs).toBeGreaterThanOrEqual(first.service?.sumUs ?? Number.POSITIVE_INFINITY);
    // latency is lag + service: what began late by up to 30 ms took 25 more
    expect(tally.late).toBeGreaterThan(0);
  });

  it('that came late count to their client with all of their latency, as sysbench has it', async () => {
    const work = transactions({}, { workers: 2, transactionsPerClient: 50, ratePerSecond: 1000 });
    const { result, first } = await run(work, 2, { delayMs: 5 });
    const seconds = totals(result).clients.reduce((all, client) => all + client.seconds, 0);
    // Latencies are rounded to whole µs, 100 of them.
    expect(Math.abs(seconds * 1e6 - first.latency.sumUs)).toBeLessThanOrEqual(50);
    expect(first.latency.sumUs).toBeGreaterThan((first.service?.sumUs ?? Number.POSITIVE_INFINITY) * 1.5);
  });

  it('of a client that an error ends are over; the others go on', async () => {
    const { result, first, hits, events } = await run(transactions({ broken: [1] }), 4);
    expect(result.error).toBeNull();
    expect(Array.from(hits)).toEqual([25, 0, 25, 25]);
    expect(first).toMatchObject({ count: 75, errors: 0 });
    expect(totals(result).tally.endedClients).toBe(1);
    expect(events).toEqual(['A client ended: client 1: division by zero']);
  });

  it('have failed once no client is left', async () => {
    const { result } = await run(transactions({ broken: [0, 1, 2, 3] }), 4);
    expect(result.error).toMatchObject({ code: 'server-error' });
    expect(totals(result).tally.endedClients).toBe(4);
  });

  it('end with the first error where that ends the run', async () => {
    const work = transactions({ broken: [2] }, { transactionsPerClient: 100_000, onError: 'end-run' });
    const { result, first } = await run(work, 4, { delayMs: 1 });
    expect(result.error).toMatchObject({ code: 'server-error' });
    expect(first.count).toBeLessThan(100_000);
  });

  it('under way are waited for when stopped', async () => {
    const controller = new AbortController();
    const work = transactions({}, { transactionsPerClient: 1000 });
    const { result, first, hits } = await run(
      work,
      4,
      { delayMs: 300 },
      { signal: controller.signal, onSnapshot: () => controller.abort() },
    );
    expect(result.error).toMatchObject({ code: 'cancelled' });
    expect(first.count).toBe(hits.reduce((a, b) => a + b));
    expect(first.count).toBeGreaterThanOrEqual(8);
  });

  it('of the warm-up are not counted', async () => {
    const work = transactions({}, { transactionsPerClient: null, seconds: 0.6, warmupSeconds: 0.6 });
    const { first, hits, result } = await run(work, 4, { delayMs: 100 });
    const done = hits.reduce((a, b) => a + b);
    expect(first.count).toBeGreaterThan(0);
    expect(first.count).toBeLessThanOrEqual(done - 4);
    expect(totals(result).tally.reads).toBe(3 * first.count);
    expect(first.seconds).toBeGreaterThanOrEqual(0.6);
    expect(first.seconds).toBeLessThan((result.endNs - result.startNs) / 1e9 + 0.001);
  });

  it('each have a connection of their own where that is asked for', async () => {
    const { result, first } = await run(transactions({}, { reconnect: true }), 4);
    expect(first.count).toBe(100);
    expect(totals(result).tally.reconnects).toBe(100);
    expect(totals(result).tally.reconnectNs).toBeGreaterThan(0);
  });

  it('end with a lost connection like with any error, what was done is kept', async () => {
    const { result, first, hits } = await run(transactions({}), 4, { failAt: 3 });
    expect(result.error).toBeNull();
    expect(first.count).toBe(75);
    expect(histogramOf(hits)).toEqual({ 25: 3, 0: 1 });
  });
});
