import { describe, expect, it } from 'vitest';
import { nowNs, nsPerMs } from './clock.ts';
import { intervalDraws, Pacer } from './pacer.ts';

describe('insert intervals', () => {
  const draws = (
    worker: number,
    seed = 1,
    intervals = [
      { min: 2, max: 2 },
      { min: 3, max: 6 },
    ],
  ) => {
    const draw = intervalDraws(intervals, worker, seed);
    return Array.from({ length: 300 }, draw);
  };

  it('are fixed or whole steps of a range, all of them, the last entry for all further workers', () => {
    expect(new Set(draws(0))).toEqual(new Set([2]));
    expect([...new Set(draws(1))].sort()).toEqual([3, 4, 5]);
    expect([...new Set(draws(9))].sort()).toEqual([3, 4, 5]);
    expect(new Set(draws(0, 1, []))).toEqual(new Set([0]));
  });

  it('are the same for a seed and a worker, and others for others', () => {
    expect(draws(1)).toEqual(draws(1));
    expect(draws(1)).not.toEqual(draws(2));
    expect(draws(1)).not.toEqual(draws(1, 2));
  });
});

describe('the pacer', () => {
  it('never returns before the time, also with several waiting', async () => {
    const pacer = new Pacer(new AbortController().signal);
    const start = nowNs();
    const early = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const at = start + i * 0.7 * nsPerMs;
        expect(await pacer.until(at)).toBe(true);
        return Math.min(0, nowNs() - at);
      }),
    );
    expect(early).toEqual(early.map(() => 0));
    await pacer.close();
  });

  it('lets an earlier time go before a later one that was asked for first', async () => {
    const pacer = new Pacer(new AbortController().signal);
    const order: number[] = [];
    const start = nowNs();
    await Promise.all(
      [30, 10, 20].map(async (ms) => {
        await pacer.until(start + ms * nsPerMs);
        order.push(ms);
      }),
    );
    expect(order).toEqual([10, 20, 30]);
    await pacer.close();
  });

  it('gives up when aborted', async () => {
    const controller = new AbortController();
    const pacer = new Pacer(controller.signal);
    const waiting = Promise.all([1e15, 1e14, 2e15].map((ns) => pacer.until(nowNs() + ns)));
    controller.abort();
    expect(await waiting).toEqual([false, false, false]);
    expect(await pacer.until(0)).toBe(false);
    await pacer.close();
  });
});
