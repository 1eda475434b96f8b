import { expect, it } from 'vitest';
import { formatCounted } from './units.ts';

it.each([
  [0, '0 batches'],
  [1, '1 batch'],
  [2, '2 batches'],
  [1_000_000, '1,000,000 batches'],
])('counts %i as %s', (n, words) => {
  expect(formatCounted(n, 'batch', 'batches')).toBe(words);
});

it('adds an s where no plural is given', () => {
  expect([formatCounted(1, 'row'), formatCounted(40, 'row')]).toEqual(['1 row', '40 rows']);
});
