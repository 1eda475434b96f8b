import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Distribution } from '../load/distribution.ts';
import { makeOperation, makeTick } from '../store/testRun.ts';
import { type Second, thinnedMs, thinSeconds } from './thinTicks.ts';

/** A second with the given latencies of batches, µs. */
function second(seq: number, latencies: readonly number[], phase = 0, atMs = (seq + 1) * 1000): Second {
  const all = new Distribution();
  for (const us of latencies) all.recordNs(us * 1000);
  const latencyUs = all.summarize();
  const text = latencyUs === null ? null : all.encode();
  return {
    tick: makeTick({
      seq,
      phase,
      atMs,
      intervalMs: 1000,
      operations: [
        makeOperation({ count: latencies.length, rows: 10 * latencies.length, latencyUs, serviceUs: null }),
      ],
    }),
    histograms: [{ operation: 'batch', latency: text, service: null }],
  };
}
const thinned = (seconds: readonly Second[]) => {
  const result = thinSeconds(seconds);
  if (result === null) throw new Error('not thinned');
  return result;
};

describe('seconds joined to tens', () => {
  test('no total changes, and percentiles are those of all values', () => {
    const values = fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 5 });
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 35 }), (latencies) => {
        const joined = thinned(latencies.map((own, seq) => second(seq, own)));
        expect(joined).toHaveLength(Math.ceil(latencies.length / 10));
        for (const [i, { tick }] of joined.entries()) {
          const group = latencies.slice(i * 10, i * 10 + 10);
          const all = new Distribution();
          for (const us of group.flat()) all.recordNs(us * 1000);
          expect(tick.seq).toBe(i);
          expect(tick.intervalMs).toBe(group.length * 1000);
          expect(tick.atMs).toBe(i * thinnedMs + group.length * 1000);
          expect(tick.operations[0]?.count).toBe(group.flat().length);
          expect(tick.operations[0]?.rows).toBe(10 * group.flat().length);
          expect(tick.operations[0]?.latencyUs).toEqual(all.summarize());
        }
      }),
      { numRuns: 30 },
    );
  });

  test('the histogram that is kept gives the figures that are kept', () => {
    const [only] = thinned([second(0, [100, 5000]), second(1, [70_000])]);
    const stored = only?.histograms[0]?.latency ?? '';
    const figures = only?.tick.operations[0]?.latencyUs;
    expect(Distribution.decode(stored, figures?.sum ?? 0).summarize()).toEqual(figures);
  });

  test('never across phases or gaps', () => {
    const joined = thinned([
      second(0, [1]),
      second(1, [2], 1),
      second(2, [3], 1, 9000),
      second(3, [4], 1, 10_000),
    ]);
    expect(joined.map(({ tick }) => [tick.phase, tick.atMs, tick.intervalMs])).toEqual([
      [0, 1000, 1000],
      [1, 2000, 1000],
      [1, 10_000, 2000],
    ]);
  });

  test('what is of transactions is added up; clients are those at the end', () => {
    const own = { failed: 1, retried: 1, retries: 2, skipped: 0, late: 1, reads: 3, writes: 1, others: 0 };
    const transactions = (clients: number, meanUs: number, states: Record<string, number>) => ({
      ...{
        ...own,
        conflicts: states,
        clients,
        busy: 1,
        connectSeconds: 0.5,
        lag: { meanUs, maxUs: meanUs * 2 },
      },
    });
    const [a, b] = [second(0, [5, 5]), second(1, [5])];
    const [joined] = thinned([
      { ...a, tick: { ...a.tick, transactions: transactions(8, 30, { '40001': 2 }) } },
      { ...b, tick: { ...b.tick, transactions: transactions(7, 60, { '40001': 1, '40P01': 1 }) } },
    ]);
    expect(joined?.tick.transactions).toEqual({
      ...{ failed: 2, retried: 2, retries: 4, skipped: 0, late: 2, reads: 6, writes: 2, others: 0 },
      ...{ conflicts: { '40001': 3, '40P01': 1 }, clients: 7, busy: 1, connectSeconds: 1 },
      lag: { meanUs: 40, maxUs: 120 },
    });
  });

  test('a percentile without a histogram would be lost: then nothing is joined', () => {
    const bare = { ...second(0, [1]), histograms: [] };
    expect(thinSeconds([bare, second(1, [1])])).toBeNull();
  });
});
