import { describe, expect, it } from 'vitest';
import { Arrivals } from './arrivals.ts';

const gapsOf = (arrivals: Arrivals, n: number) => {
  let last = 0;
  return Array.from({ length: n }, () => {
    const at = arrivals.next();
    const gap = at - last;
    last = at;
    return gap / 1e9;
  });
};

describe('arrivals', () => {
  it('are exponential gaps of the rate’s mean', () => {
    const gaps = gapsOf(new Arrivals(200, 0, 42, 0), 40_000);
    const mean = gaps.reduce((a, b) => a + b) / gaps.length;
    const variance = gaps.reduce((a, b) => a + (b - mean) ** 2, 0) / gaps.length;
    // standard error of the mean is 1/200 ÷ √40,000 = 0.5 %
    expect(mean * 200).toBeGreaterThan(0.98);
    expect(mean * 200).toBeLessThan(1.02);
    expect(Math.sqrt(variance) / mean).toBeGreaterThan(0.97);
    expect(Math.sqrt(variance) / mean).toBeLessThan(1.03);
    // P(gap > mean) = 1/e
    const longer = gaps.filter((gap) => gap > 1 / 200).length / gaps.length;
    expect(longer).toBeCloseTo(Math.exp(-1), 1);
  });

  it('come at whole microseconds', () => {
    const arrivals = new Arrivals(3000, 5000, 1, 0);
    for (let i = 0; i < 1000; i += 1) expect(arrivals.next() % 1000).toBe(0);
  });

  it('are the same for a seed and a thread, and others for others', () => {
    const first = gapsOf(new Arrivals(10, 0, 1, 0), 20);
    expect(gapsOf(new Arrivals(10, 0, 1, 0), 20)).toEqual(first);
    expect(gapsOf(new Arrivals(10, 0, 1, 1), 20)).not.toEqual(first);
    expect(gapsOf(new Arrivals(10, 0, 2, 0), 20)).not.toEqual(first);
  });

  it('that nobody has taken wait, as many as are to be expected', () => {
    const arrivals = new Arrivals(1000, 5e9, 1, 0);
    expect(arrivals.waiting(5e9)).toBe(0);
    expect(arrivals.waiting(4e9)).toBe(0);
    expect(arrivals.waiting(7e9)).toBe(2000);
    const at = arrivals.next();
    expect(arrivals.waiting(at + 0.25e9)).toBe(250);
  });
});
