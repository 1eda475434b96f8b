import { expect, it } from 'vitest';
import { Distribution } from '../load/distribution.ts';
import type { OperationTotal } from '../load/job.ts';
import { mergeTotals, operationOf, phaseFigures } from './figures.ts';

function total(us: readonly number[], changes: Partial<OperationTotal> = {}): OperationTotal {
  const latency = new Distribution();
  for (const value of us) latency.recordNs(value * 1000);
  return {
    name: 'a',
    count: us.length,
    errors: 1,
    late: 2,
    started: us.length + 1,
    dropped: 3,
    rows: 10,
    metrics: 100,
    bytes: 1000,
    seconds: 2,
    latency,
    service: null,
    firstRow: null,
    ...changes,
  };
}

it('an operation has its rate over its own seconds', () => {
  const operation = operationOf(total([10, 20, 30, 40]));
  expect(operation).toMatchObject({
    count: 4,
    perSecond: 2,
    errors: 1,
    late: 2,
    dropped: 3,
    serviceUs: null,
  });
  expect(operation.latencyUs).toMatchObject({ min: 10, p50: 20, max: 40, sum: 100, mean: 25 });
  expect(operationOf(total([], { seconds: 0 }))).toMatchObject({ perSecond: 0, latencyUs: null });
});

it('merged operations have the percentiles of all values together, not of their percentiles', () => {
  const merged = operationOf(mergeTotals('all queries', [total([1, 1, 1]), total([100], { seconds: 3 })]));
  expect(merged).toMatchObject({
    name: 'all queries',
    count: 4,
    seconds: 5,
    perSecond: 4 / 5,
    rows: 20,
    errors: 2,
  });
  expect(merged.latencyUs).toMatchObject({ p50: 1, p90: 100, mean: 103 / 4 });
});

it('merging leaves the parts as they are', () => {
  const part = total([5], { service: new Distribution() });
  mergeTotals('x', [part, part]);
  expect(part.latency.count).toBe(1);
});

it('a phase has the sums, and rates over the given wall seconds', () => {
  expect(phaseFigures([total([1]), total([2])], 4)).toEqual({
    rows: 20,
    metrics: 200,
    bytes: 2000,
    seconds: 4,
    rowsPerSecond: 5,
    metricsPerSecond: 50,
  });
});
