import { expect, test } from 'vitest';
import type { LatencyHeat } from '../../src-shared/model/latencies.ts';
import { heatScale, shadeOf } from './HeatMap.tsx';

const map = (at: number, band: number, count: number): LatencyHeat => ({
  stepMs: 1000,
  columns: [{ at, bands: [{ band, count }] }],
});

test('maps beside each other share their axes and the fullest field', () => {
  expect(heatScale([map(9, 20, 5), map(2, 35, 64)])).toEqual({
    duration: 10_000,
    lowest: 20,
    highest: 35,
    most: 64,
  });
  expect(heatScale([])).toEqual({ duration: 1000, lowest: 0, highest: 0, most: 0 });
});

test('a shade is a factor: of 256 in the fullest field each one is twice the one below', () => {
  expect([1, 2, 3, 4, 8, 127, 128, 256].map((count) => shadeOf(count, 256))).toEqual([
    0, 1, 1, 2, 3, 6, 7, 7,
  ]);
  expect(shadeOf(1, 1)).toBe(7);
});
