import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-shared/errors.ts';
import { builtinScripts } from '../builtin.ts';
import { parseScript } from './parseScript.ts';
import { cutAtVariables, numbered, replaced } from './substitute.ts';

const parse = (text: string) => parseScript({ name: 'my.sql', text });
const sqlOf = (text: string) =>
  parse(text).map((command) => (command.kind === 'sql' ? command.sql : command.firstLine));

function failure(text: string): AppError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('it was accepted');
}

describe('scripts', () => {
  it('are SQL up to a semicolon, a meta command or the end', () => {
    expect(sqlOf('-- first\n\nBEGIN;\nSELECT 1 -- one\n  + 1;\\set a 1\nSELECT 2\\set b 3\nEND')).toEqual([
      'BEGIN;',
      'SELECT 1 -- one\n  + 1;',
      '\\set a 1',
      'SELECT 2',
      '\\set b 3',
      'END',
    ]);
  });

  it.each([
    ["SELECT ';' , E'\\';' ;SELECT 2;", ["SELECT ';' , E'\\';' ;", 'SELECT 2;']],
    ["SELECT '\\';SELECT 2;", ["SELECT '\\';", 'SELECT 2;']],
    ["SELECT 'it''s;' ;", ["SELECT 'it''s;' ;"]],
    ['SELECT "a;b";', ['SELECT "a;b";']],
    ['SELECT $$a;b$$, $x$;$$;$x$, foo$bar$;', ['SELECT $$a;b$$, $x$;$$;$x$, foo$bar$;']],
    ['SELECT /* ; /* ; */ ; */ 1;', ['SELECT /* ; /* ; */ ; */ 1;']],
    ['SELECT (1;2);', ['SELECT (1;2);']],
    ['SELECT 1\\; SELECT 2;', ['SELECT 1; SELECT 2;']],
    [
      'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 1 END; END;SELECT 2;',
      [
        'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 1 END; END;',
        'SELECT 2;',
      ],
    ],
  ])('keep together what a semicolon does not separate: %s', (text, commands) =>
    expect(sqlOf(text)).toEqual(commands),
  );

  it('know all meta commands', () => {
    const commands = parse(
      [
        '\\set aid random(1, \\',
        '  :scale)',
        '\\sleep 10 ms',
        '\\SLEEP 3us',
        '\\sleep :pause',
        '\\if :aid > 5',
        '\\elif true',
        '\\else',
        '\\endif',
        '\\startpipeline',
        'SELECT 1;',
        '\\syncpipeline',
        '\\endpipeline',
        'SELECT 1 AS one\\gset p_',
        'SELECT 2;',
        '\\aset',
      ].join('\n'),
    );
    expect(commands.map(({ kind, line }) => `${kind} ${line}`)).toEqual([
      ...['set 1', 'sleep 3', 'sleep 4', 'sleep 5', 'if 6', 'elif 7', 'else 8', 'endif 9'],
      ...['startpipeline 10', 'sql 11', 'syncpipeline 12', 'endpipeline 13', 'sql 14', 'sql 15'],
    ]);
    expect(commands[0]?.firstLine).toBe('\\set aid random(1, \\\n  :scale)');
    expect(commands.slice(1, 4)).toMatchObject([
      { amount: 10, unitUs: 1000 },
      { amount: 3, unitUs: 1 },
      { amount: { variable: 'pause' }, unitUs: 1_000_000 },
    ]);
    expect(commands.slice(-2)).toMatchObject([
      { sql: 'SELECT 1 AS one', store: { how: 'gset', prefix: 'p_' } },
      { sql: 'SELECT 2;', store: { how: 'aset', prefix: '' } },
    ]);
  });

  it.each([
    ['SELECT 1;\n  \\set a 1 +', 'syntax error', 2, 13, '\\set'],
    ['\\set', 'missing argument', 1, 1, '\\set'],
    ['\\set 1a 2', 'invalid variable name: "1a"', 1, 6, '\\set'],
    ['\\slep 1', 'invalid command', 1, 1, '\\slep'],
    ['\\sleep', 'missing argument', 1, 1, '\\sleep'],
    ['\\sleep 1 h', 'unrecognized time unit, must be us, ms or s (h)', 1, 10, '\\sleep'],
    ['\\sleep x', 'invalid sleep time, must be an integer (x)', 1, 8, '\\sleep'],
    ['\\sleep 1 s 2', 'too many arguments', 1, 12, '\\sleep'],
    ['\\endif', '\\endif without matching \\if', 1, 1, '\\endif'],
    ['SELECT 1;\n\\if true', '\\if without matching \\endif', 2, 1, '\\if'],
    ['\\if 1\n\\else\n\\elif 2\n\\endif', '\\elif after \\else', 3, 1, '\\elif'],
    ['\\else x', 'unexpected argument', 1, 7, '\\else'],
    ['\\gset', '\\gset must follow an SQL command', 1, 1, '\\gset'],
    ['SELECT 1 \\gset\n\\aset', '\\aset must follow an SQL command', 2, 1, '\\aset'],
  ])('%j: %s', (text, message, line, column, statement) => {
    const error = failure(text);
    expect(error.message).toBe(`my.sql, line ${line}: ${message}`);
    expect(error.place).toMatchObject({ file: 'my.sql', line, column, statement });
  });

  it.each(['\\shell ls', '\\setshell n date +%s'])('refuse %s with a reason', (text) =>
    expect(failure(text).message).toMatch(/is not run: .* could run any program on this machine/),
  );
  it('offer the nearest command', () => expect(failure('\\slep 1').hint).toBe('Did you mean \\sleep?'));
  it('need a command', () => expect(failure(' -- nothing\n').message).toMatch(/empty command list/));

  it('are built in as pgbench has them: seven statements and four variables, five and four, one and one', () => {
    expect(
      builtinScripts.map(({ text, description }) => {
        const kinds = parseScript({ name: description, text }).map(({ kind }) => kind);
        return [kinds.filter((kind) => kind === 'sql').length, kinds.filter((kind) => kind === 'set').length];
      }),
    ).toEqual([
      [7, 4],
      [5, 4],
      [1, 1],
    ]);
  });
});

describe('variables in SQL', () => {
  const cut = cutAtVariables("SELECT :a::int, ':b', :30, x:::c, :ä1 FROM t WHERE y=:a");
  it('are found where pgbench finds them', () => {
    expect(cut.names).toEqual(['a', 'b', 'ä1', 'a']);
    expect(numbered(cut)).toBe("SELECT $1::int, '$2', :30, x:::c, $3 FROM t WHERE y=$4");
  });
  it('are replaced by their values in the simple protocol; an unknown one stays', () => {
    const values: Record<string, string> = { a: '7', ä1: "it's" };
    expect(replaced(cut, (use) => values[cut.names[use] ?? ''] ?? null)).toBe(
      "SELECT 7::int, ':b', :30, x:::c, it's FROM t WHERE y=7",
    );
  });
  it('are 255 at most as parameters', () => {
    expect(numbered(cutAtVariables(':x '.repeat(255)))).toMatch(/\$255 $/);
    expect(() => numbered(cutAtVariables(':x '.repeat(256)))).toThrow(/there can be 255/);
  });
});
