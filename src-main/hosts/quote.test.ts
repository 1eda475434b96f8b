import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src-shared/errors.ts';
import { commandLine, forLoginShell, quote } from './quote.ts';

const shells = process.platform === 'win32' ? [] : ['dash', 'bash'];

/** What an argument can be: any text without NUL; nasty pieces come up often. */
const nasty = fc.constantFrom(
  ...["'", '"', '`', '$(touch x)', '$HOME', '\\', '\\047', '\n', '\r\n', '!', '!!', '*', '~', '#', '&', ';'],
  ...[
    ' ',
    '\t',
    '-rf',
    '--',
    '%s',
    '%b',
    '\\c',
    '{a,b}',
    '[a]',
    '=ls',
    'é',
    'ā',
    'Ł',
    '漢',
    '😀',
    '\u0081',
    '\u007f',
  ],
);
const argument = fc
  .array(fc.oneof({ weight: 2, arbitrary: nasty }, fc.string({ unit: 'binary' })), { maxLength: 8 })
  .map((parts) => parts.join('').replaceAll('\0', ''));
const argumentList = fc.array(argument, { maxLength: 4 });

/** What a program sees: Node prints its arguments as JSON. */
const echo = [process.execPath, '-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--'];
const seen = (shell: string, line: string): unknown =>
  JSON.parse(execFileSync(shell, ['-c', line], { encoding: 'utf8' }));

describe.each(shells)('in %s', (shell) => {
  it('every argument arrives exactly as given', () => {
    fc.assert(
      fc.property(argumentList, (list) => {
        expect(seen(shell, commandLine([...echo, ...list]))).toEqual(list);
      }),
      { numRuns: 40 },
    );
  });

  it('a script in the words of every login shell does the same', () => {
    fc.assert(
      fc.property(argumentList, (list) => {
        const line = forLoginShell(`exec ${commandLine([...echo, ...list])}`);
        expect(line).not.toMatch(/\n|!/);
        expect(seen(shell, line)).toEqual(list);
      }),
      { numRuns: 40 },
    );
  });
});

describe('quote', () => {
  it('leaves plain words readable', () => {
    expect(commandLine(['systemctl', 'stop', 'postgresql@17-main.service'])).toBe(
      'systemctl stop postgresql@17-main.service',
    );
  });

  it('never lets a word be taken for something else', () => {
    expect(quote('')).toBe("''");
    expect(quote("it's")).toBe("'it'\\''s'");
    expect(quote('~')).toBe("'~'");
    expect(quote('a=b')).toBe("'a=b'");
  });

  it.each(['a\0b', 'half \ud800 of a pair'])('refuses what no argument can hold: %j', (text) => {
    expect(() => quote(text)).toThrow(AppError);
  });

  it('keeps a script without special characters as it is', () => {
    expect(forLoginShell('exec uname -m')).toBe("exec sh -c 'exec uname -m'");
  });
});
