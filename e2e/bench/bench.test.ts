import { expect, it } from 'vitest';
import { isMet, median } from './bench.ts';

it('meets a goal at its limit and never without a number', () => {
  const goal = { name: '', unit: '', limit: 0.95, must: 'at-least' as const };
  expect(isMet({ ...goal, value: 0.95 })).toBe(true);
  expect(isMet({ ...goal, value: 0.9499 })).toBe(false);
  expect(isMet({ ...goal, value: Number.NaN })).toBe(false);
  expect(isMet({ ...goal, must: 'at-most', value: Number.NaN })).toBe(false);
  expect(isMet({ ...goal, must: 'at-most', value: 1 })).toBe(false);
});

it('takes the middle value', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2);
  expect(median([])).toBeNaN();
});
