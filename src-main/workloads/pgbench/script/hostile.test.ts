import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-shared/errors.ts';
import { compileScript } from '../run/program.ts';
import { Names } from './variables.ts';

/** Of a script as it is compiled: how many commands; the message where it is refused. Whatever else is thrown fails the test. */
function outcome(text: string): number | string {
  try {
    return compileScript({ name: 's', text }, 'simple', 0, new Names()).operations.length;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
const many = 100_000;

describe('scripts of somebody who means ill', () => {
  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('%s is no name of anything', (name) => {
    const known = name.toLowerCase();
    expect(outcome(`\\set x ${name}(1, 2)`)).toBe(`s, line 1: unexpected function name (${known})`);
    expect(outcome(`\\set x 1 ${name} 2`)).toBe('s, line 1: syntax error');
    expect(outcome(`\\set x 1 is ${name}`)).toBe('s, line 1: syntax error');
    expect(outcome(`\\sleep 1 ${name}`)).toMatch(/^s, line 1: unrecognized time unit/);
  });

  it.each([
    ['parentheses', `\\set x ${'('.repeat(many)}1${')'.repeat(many)}`],
    ['signs', `\\set x ${'- '.repeat(many)}1`],
    ['a sum', `\\set x 1${' + 1'.repeat(many)}`],
    ['cases', `\\set x ${'case when 1 then '.repeat(many)}`],
  ])('%s without end are refused before the stack is full', (_, text) => {
    expect(outcome(text)).toBe('s, line 1: an expression has at most 1000 words and signs');
  });
  it('what is just short enough is evaluated', () => {
    expect(outcome(`\\set x ${'('.repeat(499)}1${')'.repeat(499)}`)).toBe(1);
    expect(outcome(`\\set x 1${' + 1'.repeat(499)}`)).toBe(1);
  });

  // Each took minutes, or the memory, while every command counted the lines before it or looked for its \endif.
  it.each([
    ['statements', 'SELECT 1;\n'.repeat(many), many],
    ['conditions', '\\if 1\n'.repeat(many) + '\\endif\n'.repeat(many), 2 * many],
    ['pipelines', '\\startpipeline\nSELECT 1;\n'.repeat(many), 2 * many],
    ['comments', `${'-- x\n'.repeat(5 * many)}SELECT 1`, 1],
    ['lines of one command', `\\set x 1 ${'\\\n'.repeat(5 * many)}`, 1],
    ['letters of a command', `\\${'x'.repeat(10 * many)}`, 's, line 1: invalid command'],
    ['letters of a word', `\\set ${'x'.repeat(10 * many)} 1`, 1],
    ['comments in comments', `SELECT ${'/*'.repeat(5 * many)}`, 1],
  ])('very many %s', { timeout: 60_000 }, (_, text, expected) => expect(outcome(text)).toBe(expected));

  it('lines are counted as before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('\n', 'SELECT 1;', '\\set a 1\n', '-- x\n', '\\if 1\n\\endif\n', ' ')),
        (parts) => {
          const text = `${parts.join('')}\nSELECT 2;`;
          const { operations } = compileScript({ name: 's', text }, 'simple', 0, new Names());
          expect(operations.at(-1)?.line).toBe(text.split('\n').length);
        },
      ),
    );
  });
});
