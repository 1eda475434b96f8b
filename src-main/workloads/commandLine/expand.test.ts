import { describe, expect, it } from 'vitest';
import { expanded } from './expand.ts';
import { splitWords } from './words.ts';

const variables = new Map([
  ['N', '3'],
  ['NAME', 'a b'],
  ['EMPTY', ''],
  ['DB_PASSWORD', 'hunter2'],
]);

describe('variables that the text has set', () => {
  it.each([
    ['--workers=$N', '--workers=3', false],
    [`--workers=\${N}`, '--workers=3', false],
    [`"\${NAME}s"`, 'a bs', false],
    [`\${NONE:-7}`, '7', false],
    [`\${NONE:-"7"}`, '7', false],
    [`\${N:-7}`, '3', false],
    [`x\${EMPTY}y`, 'xy', false],
    // What else only a shell can work out stays.
    ['$NONE', '$NONE', true],
    ['$N$NONE', '$N$NONE', true],
    ['$(nproc)', '$(nproc)', true],
    [`"\${TYPES[@]}"`, `\${TYPES[@]}`, true],
    // Quoted, it is a text.
    ["'$N'", '$N', false],
    // Secrets are put nowhere.
    ['--x=$DB_PASSWORD', '--x=$DB_PASSWORD', true],
  ])('%s', (text, want, expands) => {
    const [word] = splitWords(text);
    if (word === undefined) throw new Error('no word');
    expect(expanded(word, variables)).toMatchObject({ text: want, expands });
  });

  const only = (text: string) => {
    const [word] = splitWords(text);
    if (word === undefined) throw new Error('no word');
    return word;
  };
  it('do not make a word of any length', () => {
    const all = new Map([['A', 'a'.repeat(10)]]);
    const names = [...'ABCDEFGHI'];
    for (const [i, name] of names.entries())
      all.set(names[i + 1] ?? 'Z', expanded(only(`$${name}`.repeat(10)), all).text);
    expect(all.get('D')).toBe('a'.repeat(10_000));
    expect(expanded(only('$D$A'), all)).toMatchObject({ text: '$D$A', expands: true });
    expect(Math.max(...[...all.values()].map(({ length }) => length))).toBe(10_000);
    expect(expanded(only('$D'.repeat(50_000)), all)).toMatchObject({ expands: true });
  });
  it('are looked for once, however many braces are open', { timeout: 20_000 }, () => {
    const text = `\${a-`.repeat(25_000);
    expect(expanded(only(text), variables)).toMatchObject({ text, expands: true });
  });
});
