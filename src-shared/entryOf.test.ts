import fc from 'fast-check';
import { expect, it } from 'vitest';
import { entryOf } from './entryOf.ts';
import { conflictName } from './model/transactions.ts';
import { waitWords } from './stats/waits.ts';

const inherited = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__proto__'];

it('has what the table has, and nothing that every object has', () => {
  expect(entryOf({ a: 1 }, 'a')).toBe(1);
  for (const name of inherited) expect(entryOf({ a: 1 }, name)).toBeUndefined();
  fc.assert(fc.property(fc.string(), (name) => entryOf({}, name) === undefined));
});

it('a server’s words that are names of what objects inherit stay words', () => {
  for (const name of inherited) {
    expect(conflictName(name)).toBe(name);
    expect(waitWords(name)).toBe(name);
  }
});
