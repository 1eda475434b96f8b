import fc from 'fast-check';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import { Distribution, highestUs } from './distribution.ts';

const durations = fc.array(fc.integer({ min: 1, max: 3_600_000_000 }), { minLength: 1, maxLength: 300 });

function of(us: readonly number[]): Distribution {
  const d = new Distribution();
  for (const value of us) d.recordNs(value * 1000);
  return d;
}

/** The value at rank ⌈p·n⌉ of the sorted list, in whole-number arithmetic (p in thousandths). */
function ranked(sorted: readonly number[], thousandths: number): number {
  return sorted[Math.max(1, Math.ceil((thousandths * sorted.length) / 1000)) - 1] ?? Number.NaN;
}

describe('Distribution', () => {
  it('is exact below 2,048 µs', () => {
    const d = of(Array.from({ length: 1000 }, (_, i) => i + 1));
    expect(d.summarize()).toEqual({
      count: 1000,
      min: 1,
      mean: 500.5,
      p50: 500,
      p90: 900,
      p95: 950,
      p99: 990,
      p999: 999,
      max: 1000,
      stddev: Math.sqrt((1000 * 1000 - 1) / 12),
      sum: 500_500,
    });
  });

  it('agrees with the sorted values to one part in a thousand', () => {
    fc.assert(
      fc.property(durations, (us) => {
        const sorted = [...us].sort((a, b) => a - b);
        const latency = of(us).summarize();
        if (latency === null) throw new Error('empty');
        for (const [value, thousandths] of [
          [latency.p50, 500],
          [latency.p90, 900],
          [latency.p95, 950],
          [latency.p99, 990],
          [latency.p999, 999],
          [latency.max, 1000],
        ] as const) {
          const exact = ranked(sorted, thousandths);
          expect(value).toBeGreaterThanOrEqual(exact);
          expect(value).toBeLessThanOrEqual(exact * 1.001);
        }
        expect(latency.min).toBeLessThanOrEqual(sorted[0] ?? 0);
        expect(latency.min).toBeGreaterThanOrEqual((sorted[0] ?? 0) * 0.999);
        expect(latency.sum).toBe(us.reduce((a, b) => a + b, 0));
        expect(latency.mean).toBe(latency.sum / us.length);
      }),
    );
  });

  it('gives the same figures in parts, merged and sent as text, as in one piece', () => {
    fc.assert(
      fc.property(fc.array(durations, { minLength: 1, maxLength: 5 }), (parts) => {
        const merged = new Distribution();
        for (const part of parts) {
          const d = of(part);
          merged.add(Distribution.decode(d.encode(), d.sumUs));
        }
        expect(merged.summarize()).toEqual(of(parts.flat()).summarize());
      }),
    );
  });

  it('writes text that HdrHistogram reads, with its percentiles', () => {
    const d = of([5, 70, 900, 11_000, 130_000, 1_500_000]);
    const theirs = decodeFromCompressedBase64(d.encode());
    const ours = d.summarize();
    expect(theirs.totalCount).toBe(6);
    expect(ours?.p50).toBe(theirs.getValueAtPercentile(50));
    expect(ours?.p99).toBe(theirs.getValueAtPercentile(99));
    expect(ours?.max).toBe(theirs.maxValue);
  });

  it('rounds to whole µs, keeps the ends of its range, and starts over after a reset', () => {
    const d = new Distribution();
    d.recordNs(0);
    d.recordNs(1499);
    d.recordNs(1500);
    d.recordNs(5e12);
    expect(d.sumUs).toBe(1 + 1 + 2 + highestUs);
    d.reset();
    expect(d.summarize()).toBeNull();
    expect(d.sumUs).toBe(0);
  });
});
