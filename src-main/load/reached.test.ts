import { expect, test } from 'vitest';
import { Reached } from './reached.ts';

test('how far a load has come without a gap, and what of it lies beyond', () => {
  const reached = new Reached();
  expect(reached.text()).toBe('None of the first rows is in the database.');
  const [first, second, third] = [1, 2, 3].map((n) => reached.made(100, `line ${n}00`));
  second?.();
  expect(reached.text()).toBe('None of the first rows is in the database; of the rows after them, 100 are.');
  first?.();
  expect(reached.text()).toBe('The first 200 rows are in the database, up to line 200.');
  third?.();
  expect(reached.text()).toBe('The first 300 rows are in the database, up to line 300.');
});
