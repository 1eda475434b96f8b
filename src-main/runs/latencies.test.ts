import { expect, test } from 'vitest';
import { Distribution } from '../load/distribution.ts';
import { makeOperation, makeTick } from '../store/testRun.ts';
import { runLatencies } from './latencies.ts';

/** Histograms of seconds, each with its latencies in µs. */
function recorded(seconds: readonly (readonly number[])[]) {
  const histograms = seconds.map((values, seq) => {
    const second = new Distribution();
    for (const us of values) second.recordNs(us * 1000);
    return { seq, operation: 'batch', latency: values.length === 0 ? null : second.encode(), service: null };
  });
  const ticks = seconds.map((_, seq) =>
    makeTick({ seq, atMs: 5000 + (seq + 1) * 1000, intervalMs: 1000, operations: [makeOperation()] }),
  );
  const other = { seq: 0, operation: 'other', latency: histograms[0]?.latency ?? null, service: null };
  return {
    histograms: () => [...histograms, other],
    series: () => ({ ticks, events: [], health: [], server: [], serverWatch: null }),
  };
}
const phases = [
  {
    index: 0,
    name: 'tsbs.load',
    kind: 'load' as const,
    workers: 1,
    startedMs: 5000,
    rows: 0,
    metrics: 0,
    bytes: 0,
    seconds: 4,
    rowsPerSecond: 0,
    metricsPerSecond: 0,
    verifiedRows: null,
    plannedRows: null,
    operations: [
      {
        ...{ name: 'batch', count: 0, errors: 0, late: 0, dropped: 0, rows: 0, bytes: 0, seconds: 4 },
        ...{ perSecond: 0, latencyUs: null, serviceUs: null },
      },
    ],
    notes: [],
  },
];
const part = { phase: 'tsbs.load', operation: null, stepMs: 2000 };
const never = new AbortController().signal;

test('seconds are merged, and spread over time from the start of the phase', async () => {
  const runs = recorded([[100, 100], [1000], [], [150]]);
  const { cells, heat } = await runLatencies(runs, { id: 'r', phases }, part, never);
  expect(cells).toEqual({ us: [100, 150, 1000], counts: [2, 1, 1] });
  expect(heat).toEqual({
    stepMs: 2000,
    columns: [
      {
        at: 0,
        bands: [
          { band: 20, count: 2 },
          { band: 30, count: 1 },
        ],
      },
      { at: 1, bands: [{ band: 21, count: 1 }] },
    ],
  });
});

test('where nothing was kept there is nothing, and a call can be given up', async () => {
  const none = { id: 'r', cells: null, heat: null };
  expect(await runLatencies(recorded([[]]), { id: 'r', phases }, part, never)).toEqual(none);
  expect(await runLatencies(recorded([[1]]), { id: 'r', phases: [] }, part, never)).toEqual(none);
  const many = recorded(Array.from({ length: 60 }, () => [1]));
  await expect(runLatencies(many, { id: 'r', phases }, part, AbortSignal.abort())).rejects.toThrow();
});
