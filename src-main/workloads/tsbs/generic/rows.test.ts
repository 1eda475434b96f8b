import { describe, expect, it } from 'vitest';
import { openTsbsRows } from '../openRows.ts';
import { generatedRows, rowsSpec } from '../testing/fileTexts.ts';
import { lifetimes, metricCounts } from './hosts.ts';

const data = { useCase: 'devops-generic', scale: 40, maxMetricCount: 20 };

describe('devops-generic', () => {
  it('gives the last host all metrics, the others few most often', () => {
    const counts = [...metricCounts(2000, 100)];
    expect(counts.at(-1)).toBe(100);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...counts)).toBe(100);
    // With likelihoods as (1 + k)^−1.01, k from 0 to 100: P(k = 0) = 1 ÷ Σ, which is 0.195; a draw of 0 counts as 1.
    const total = Array.from({ length: 101 }, (_, k) => (1 + k) ** -1.01).reduce((a, b) => a + b);
    const ones = counts.filter((count) => count === 1).length / 2000;
    expect(Math.abs(ones - 1 / total)).toBeLessThan(0.04);
  });

  it('lets one half stay and the other leave, the higher numbers first', () => {
    const lives = [...lifetimes(11, 500)];
    expect(lives.slice(0, 6)).toEqual([0, 0, 0, 0, 0, 0]);
    const leaving = lives.slice(6);
    expect(leaving).toEqual(leaving.toSorted((a, b) => b - a));
    expect(leaving.every((life) => life >= 1 && life <= 500)).toBe(true);
  });

  it('has as many rows as it says, and each host’s own number of metrics', () => {
    for (const more of [{}, { initialScale: 3 }, { maxDataPoints: 1234 }, { limit: 777 }]) {
      const rows = generatedRows({ ...data, ...more });
      expect(rows).toHaveLength(openTsbsRows(rowsSpec({ ...data, ...more })).totalRows);
      const counts = metricCounts(40, 20);
      for (const row of rows) {
        const host = Number(/host_(\d+)/.exec(row)?.[1]);
        const values = row.split(' ').at(-1)?.split(',') ?? [];
        expect(values.filter((value) => value !== '')).toHaveLength(counts[host] ?? 0);
      }
    }
  });

  it('shares the hosts out, each row once', () => {
    const rows: string[] = [];
    for (const worker of [0, 1, 2]) {
      const source = openTsbsRows(rowsSpec(data), { worker, workers: 3 });
      let given = 0;
      source.fill({ row: (_, device, ms) => void rows.push(`${device} ${ms}`) }, Number.MAX_SAFE_INTEGER);
      given = rows.length;
      expect(given).toBeGreaterThan(0);
    }
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows).toHaveLength(openTsbsRows(rowsSpec(data)).totalRows);
  });
});
