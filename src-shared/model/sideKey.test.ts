import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupKey, parseGroupKey } from './sideKey.ts';

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
