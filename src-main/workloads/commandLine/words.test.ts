import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-shared/errors.ts';
import { shellTokens, splitWords } from './words.ts';

const texts = (line: string) => splitWords(line).map(({ text }) => text);

describe('words of a command line', () => {
  it.each([
    ['pgbench -c 10  bench', ['pgbench', '-c', '10', 'bench']],
    [`a 'b c' "d e" f\\ g`, ['a', 'b c', 'd e', 'f g']],
    [`--x='1 2'"3"4`, ['--x=1 234']],
    [`"a\\"b\\\\c\\d" '\\n'`, ['a"b\\c\\d', '\\n']],
    ['a \\\n  b', ['a', 'b']],
    [`a '' b`, ['a', '', 'b']],
    ['a b # c d', ['a', 'b']],
    ['a#b', ['a#b']],
    ['a b; c d', ['a', 'b']],
    ['a b>c', ['a', 'b']],
    ['', []],
  ])('%s', (line, words) => expect(texts(line)).toEqual(words));

  it('knows what a shell would put in its place, and what is a value for sure', () => {
    expect(
      splitWords(`$A "$B" '$C' \\$D "\\$E" '-f'`).map(({ expands, quoted }) => [expands, quoted]),
    ).toEqual([
      [true, false],
      [true, true],
      [false, true],
      [false, true],
      [false, true],
      [false, true],
    ]);
  });

  it('gives back every word that was quoted', () => {
    const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (words) => {
        expect(texts(words.map(quoted).join(' '))).toEqual(words);
      }),
    );
  });

  it('says where a quote was opened', () => {
    try {
      splitWords('a\n  "b');
    } catch (error) {
      expect(error instanceof AppError && error.place).toEqual({ line: 2, column: 3 });
      return;
    }
    throw new Error('accepted');
  });

  it('tells operators from words', () => {
    expect(
      shellTokens('a && b | c > d 2>&1\ne').map((token) => ('text' in token ? token.text : [token.operator])),
    ).toEqual(['a', ['&&'], 'b', ['|'], 'c', ['>'], 'd', '2', ['>&'], '1', ['\n'], 'e']);
  });
});
