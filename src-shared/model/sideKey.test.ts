import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareWords, groupKey, parseGroupKey, sidesOf } from './sideKey.ts';

test('the key of a group reads as what it was made of', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.nat(9999), fc.nat(50), (series, cell, target) => {
      expect(parseGroupKey(groupKey({ series, cell, target }))).toEqual({ series, cell, target });
    }),
  );
});

test.each(['3f2a91c4', 'a.b', '1.2', 'x.1.y'])('%s is the id of a run', (key) => {
  expect(parseGroupKey(key)).toBeNull();
});

test('all runs of a cell on a target are one side, a part of them are single runs', () => {
  const member = (cell: number, round: number, ...runIds: string[]) => ({
    ...{
      cell,
      target: 0,
      round,
      plannedRows: 0,
      runIds,
      error: null,
      figures: null,
      leftOut: null,
      settled: null,
    },
  });
  // The first run of b2 was cut short and done again; c2 had no turn.
  const series = {
    id: 's',
    members: [
      member(0, 1, 'a1'),
      member(0, 2, 'a2'),
      member(1, 1, 'b1'),
      member(1, 2, 'cut', 'b2'),
      member(2, 1, 'c1'),
      member(2, 2),
    ],
  };
  const keys = (...ids: string[]) => sidesOf(ids, [series]).keys;
  expect(keys('x', 'a2', 'a1')).toEqual(['x', 's.0.0']);
  expect(keys('b2', 'a1', 'b1')).toEqual(['s.1.0', 'a1']);
  expect(keys('b1', 'cut')).toEqual(['b1', 'cut']);
  expect(keys('c1')).toEqual(['c1']);
  expect(sidesOf(['a1', 'x', 'a2'], [series]).keyOf.get('a2')).toBe('s.0.0');
});

test.each([
  [['a', 'b'], 'Compare 2 runs'],
  [['s.0.0', 's.1.0', 't.0.0'], 'Compare 3 groups'],
  [['a', 's.0.0'], 'Compare 2'],
])('%j: %s', (keys, words) => {
  expect(compareWords(keys)).toBe(words);
});
