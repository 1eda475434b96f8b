import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeTarget, queriesPhase, request, testBench } from './testBench.ts';

let bench: ReturnType<typeof testBench>;
beforeEach(() => {
  bench = testBench();
});
afterEach(() => bench.close());

it('rows a second of queries are over the time of the rows counted: neither rows nor seconds of a burn-in', async () => {
  const target = fakeTarget(100, { delayMs: 2 });
  const { id } = bench.runner.start(request(target, [queriesPhase(['a', 'b'], 100, { burnIn: 80 })]));
  await bench.runner.ended(id);
  const [phase] = bench.store.runs.get(id)?.phases ?? [];
  const [a, b] = phase?.operations ?? [];
  const counted = (a?.seconds ?? 0) + (b?.seconds ?? 0);
  expect(phase?.rows).toBe(2 * 20 * 2); // the fake answers with two rows
  expect(phase?.rowsPerSecond).toBeCloseTo(80 / counted, 6);
  expect(phase?.seconds).toBeGreaterThan(counted);
});
