import { expect, it } from 'vitest';
import { Distribution } from './distribution.ts';
import type { Job } from './job.ts';
import { Merger } from './merger.ts';
import type { ThreadSnapshot } from './messages.ts';

const work: Job['work'] = {
  kind: 'queries',
  name: 'lastpoint',
  queries: { workload: 'fake', parameters: {} },
  database: 'benchmark',
  dialect: 'fake',
  workers: 2,
  ratePerSecond: 10,
  burnIn: 0,
  prewarm: false,
};

/** A thread's report at a time, of one answer that took so long and began so much after it was due. */
function report(endMs: number, us: number, waitedUs = 0, busy = 0.5): ThreadSnapshot {
  const packed = (value: number) => {
    const d = new Distribution();
    d.recordNs(value * 1000);
    return { histogram: d.encode(), sumUs: d.sumUs };
  };
  const operation = {
    count: 1,
    errors: 0,
    late: waitedUs > 1000 ? 1 : 0,
    started: 1,
    rows: 2,
    metrics: 0,
    bytes: 30,
    latency: packed(us + waitedUs),
    service: packed(us),
    firstRow: null,
  };
  return {
    operations: [operation],
    busy,
    loopDelayMs: busy * 10,
    endNs: endMs * 1e6,
    firstNs: null,
    failures: [],
    batches: [],
  };
}
const due = (atNs: number) => Math.floor(atNs / 1e8);

it('an interval is what all threads reported, the busiest of them, and as long as measured', () => {
  const merger = new Merger(work, 0);
  merger.add(report(1001, 100, 0, 0.2));
  merger.add(report(1003, 300, 5000, 0.8));
  expect(merger.close(1004e6, due)).toMatchObject({
    endNs: 1003e6,
    intervalMs: 1003,
    operations: [
      {
        name: 'lastpoint',
        count: 2,
        late: 1,
        backlog: 10 - 2,
        rows: 4,
        bytes: 60,
        latencyUs: { count: 2, sum: 100 + 5300 },
        serviceUs: { count: 2, sum: 400, min: 100, max: 300 },
      },
    ],
    client: { busiest: 0.8, loopDelayMs: 8 },
  });
  merger.add(report(2000, 200));
  expect(merger.close(2001e6, due)).toMatchObject({ intervalMs: 997, operations: [{ count: 1 }] });
  const [total] = merger.totals(25);
  expect(total).toMatchObject({ count: 3, rows: 6, seconds: 2, dropped: 22 });
  expect(total?.latency.summarize()).toMatchObject({ count: 3, sum: 5600 });
});

it('a report that is older than the interval before and comes in late is not lost', () => {
  const merger = new Merger(work, 0);
  merger.add(report(1036, 100)); // the slower thread set the end
  expect(merger.close(1037e6, due)?.intervalMs).toBe(1036);
  merger.add(report(1010, 200)); // the other one's last word was still under way
  const rest = merger.close(1040e6, due);
  expect(rest).toMatchObject({ intervalMs: 4, operations: [{ count: 1, latencyUs: { sum: 200 } }] });
  expect(merger.totals(0)[0]).toMatchObject({ count: 2, seconds: 1.04 });
});

it('nothing reported is no interval', () => {
  const merger = new Merger(work, 0);
  expect(merger.close(5e6, due)).toBeNull();
  merger.add(report(10, 1));
  merger.close(11e6, due);
  expect(merger.close(12e6, due)).toBeNull();
});

it('a burn-in makes no interval: the first one begins with the first query that is counted', () => {
  const merger = new Merger({ ...work, burnIn: 12 }, 0);
  const burnt = report(1000, 1);
  const silent = { count: 0, started: 10, rows: 0, bytes: 0, latency: null, service: null };
  merger.add({ ...burnt, operations: burnt.operations.map((each) => ({ ...each, ...silent })) });
  expect(merger.close(1001e6, due)).toBeNull();
  merger.add({ ...report(2000, 100), firstNs: 1400e6 });
  merger.add({ ...report(2000, 100), firstNs: 1500e6 });
  expect(merger.close(2001e6, due)).toMatchObject({
    intervalMs: 600,
    // Twenty were due, ten and two were begun.
    operations: [{ count: 2, backlog: 8 }],
  });
  merger.add({ ...report(3000, 100), firstNs: 1400e6 });
  expect(merger.close(3001e6, due)).toMatchObject({ intervalMs: 1000, operations: [{ count: 1 }] });
  expect(merger.totals(0)).toMatchObject([{ count: 3, seconds: 1.6 }]);
});
