import { expect, test } from 'vitest';
import { fiveNumbers } from './quartiles.ts';

// R 4.4: quantile(c(…)), which is type 7.
test.each([
  [[12], [12, 12, 12, 12, 12]],
  [
    [2, 1],
    [1, 1.25, 1.5, 1.75, 2],
  ],
  [
    [3.1, 2.7, 9.4, 4.4, 5],
    [2.7, 3.1, 4.4, 5, 9.4],
  ],
  [
    [10, 20, 30, 40, 50, 70],
    [10, 22.5, 35, 47.5, 70],
  ],
])('of %j', (values, expected) => {
  const five = fiveNumbers(values);
  expect(five && [five.min, five.q1, five.median, five.q3, five.max]).toEqual(expected);
});

test('nothing of nothing', () => {
  expect(fiveNumbers([])).toBeNull();
});
