import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignColors } from './sideColors.ts';

const none = new Map<string, number>();
const list = (places: ReadonlyMap<string, number>) => Object.fromEntries(places);

test('who stays keeps its colour, whoever goes, comes or moves', () => {
  const three = assignColors(none, ['a', 'b', 'c']);
  expect(list(three)).toEqual({ a: 0, b: 1, c: 2 });
  const two = assignColors(three, ['c', 'a']);
  expect(list(two)).toEqual({ c: 2, a: 0 });
  expect(list(assignColors(two, ['d', 'c', 'a', 'e']))).toEqual({ a: 0, c: 2, d: 1, e: 3 });
});

test('up to eight have colours of their own, in whatever order they came', () => {
  const keys = fc.uniqueArray(fc.constantFrom(...'abcdefghijkl'), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(keys), (choices) => {
      let places: ReadonlyMap<string, number> = none;
      for (const choice of choices) {
        const next = assignColors(places, choice);
        expect([...next.keys()].sort()).toEqual([...choice].sort());
        expect(new Set(next.values()).size).toBe(choice.length);
        for (const key of choice) if (places.has(key)) expect(next.get(key)).toBe(places.get(key));
        places = next;
      }
    }),
  );
});
