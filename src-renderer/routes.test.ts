import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupKey } from '../src-shared/model/sideKey.ts';
import { parseSides, paths } from './routes.ts';

test('the sides of a comparison, their order and the base are in its address', () => {
  const key = fc.oneof(
    fc.uuid(),
    fc.record({ series: fc.uuid(), cell: fc.nat(99), target: fc.nat(9) }).map(groupKey),
  );
  fc.assert(
    fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 8 }), fc.nat(7), (keys, wanted) => {
      const base = wanted % keys.length;
      const [, , parameter = ''] = paths.compare(keys, base).split('/');
      expect(parseSides(decodeURI(parameter))).toEqual({ keys, base });
    }),
  );
});

test('whatever stands in an address, there is a base where there are sides', () => {
  expect(parseSides('')).toEqual({ keys: [], base: 0 });
  expect(parseSides('a,,*b,a,*c')).toEqual({ keys: ['a', 'b', 'c'], base: 1 });
});
