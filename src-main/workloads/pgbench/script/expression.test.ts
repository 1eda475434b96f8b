import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-shared/errors.ts';
import { Xoroshiro } from '../random/xoroshiro.ts';
import { compileExpression } from './evaluate.ts';
import { parseExpression } from './parseExpression.ts';
import { debugText, realText } from './values.ts';
import { Names, Variables } from './variables.ts';

/** As pgbench's debug() shows it: `int 22`. */
function shown(text: string, given: Record<string, string> = {}): string {
  const names = new Names();
  const variables = new Variables(names);
  variables.set(names.slot('default_seed'), 5432);
  for (const [name, value] of Object.entries(given)) variables.setText(names.slot(name), value);
  const { expression } = parseExpression({ name: 'test', text }, 0, '\\set');
  return debugText(compileExpression(expression, names)({ variables, random: new Xoroshiro(1) }));
}

function problem(text: string): { message: string; column: number | undefined } {
  try {
    shown(text);
  } catch (error) {
    if (error instanceof AppError) return { message: error.message, column: error.place?.column };
  }
  throw new Error(`${text} is accepted`);
}

describe('expressions', () => {
  // What pgbench 15.18 shows for each.
  it.each([
    ['7/2', 'int 3'],
    ['-7/2', 'int -3'],
    ['-7 % 3', 'int -1'],
    ['-5 % 3.0', 'int -2'],
    ['1 + 2 * 3.5', 'double 8'],
    ['mod(54,32)', 'int 22'],
    ['1 | 2 << 1', 'int 6'],
    ['6 & 3 # 5', 'int 7'],
    ['~1 + 2', 'int -4'],
    ['~1 | 2', 'int -2'],
    ['- 2 * 3 + +4', 'int -2'],
    ['not 1 = 2', 'boolean true'],
    ['NULL IS NULL is null', 'boolean false'],
    ['null notnull', 'boolean false'],
    ['3 isnull', 'boolean false'],
    ['1 IS NOT TRUE', 'boolean true'],
    ['true is true', 'boolean true'],
    ['0 is false', 'boolean false'],
    ['null and false', 'null'],
    ['false and null', 'boolean false'],
    ['true or 1/0 = 1', 'boolean true'],
    ['1.0/3', 'double 0.333333333333333'],
    ['1e100', 'double 1e+100'],
    ['1e15', 'double 1e+15'],
    ['1.5e-7', 'double 1.5e-07'],
    ['5.0', 'double 5'],
    ['123456789012345678.0', 'double 1.23456789012346e+17'],
    ['1.0/0', 'double Infinity'],
    ['0.0/0', 'double NaN'],
    ['-9223372036854775808', 'int -9223372036854775808'],
    ['abs(-9223372036854775808)', 'int -9223372036854775808'],
    ['1 << 65', 'int 2'],
    ['1 << -1', 'int -9223372036854775808'],
    ['int(2.5)', 'int 2'],
    ['int(3.5)', 'int 4'],
    ['case when null then 1 end', 'null'],
    ['case when 0 then 1 when 2.0 then 3 else 4 end', 'int 3'],
    ['greatest(1, 2.5, -3)', 'double 2.5'],
    ['least(1, 2, -3)', 'int -3'],
    ['hash(10)', 'int -5817877081768721676'],
    ['hash_fnv1a(10)', 'int -7793829335365542153'],
    ['permute(123456, 1000000, 42)', 'int 268783'],
    ['power(2, 10)', 'double 1024'],
    ['sqrt(2)', 'double 1.4142135623731'],
    ['debug(pi())', 'double 3.14159265358979'],
    ['random(3, 3)', 'int 3'],
    ['2 \\\n * 3', 'int 6'],
  ])('%s is %s', (text, value) => expect(shown(text)).toBe(value));

  it.each([
    ['true', 'boolean true'],
    ['ye', 'boolean true'],
    ['ON', 'boolean true'],
    ['n', 'boolean false'],
    ['of', 'boolean false'],
    ['Null', 'null'],
    ['42', 'int 42'],
    ['-9223372036854775808', 'int -9223372036854775808'],
    ['4.5e2', 'double 450'],
    ['-inf', 'double -Infinity'],
  ])('takes the text %s for %s', (text, value) => expect(shown(':v', { v: text })).toBe(value));

  it.each([
    ['1/0', 'division by zero'],
    ['9223372036854775807 + 1', 'bigint add out of range'],
    ['int(1e19)', 'double to int overflow for 10000000000000000000.000000'],
    ['not 1', 'cannot coerce int to boolean'],
    ['true + 1', 'cannot coerce boolean to int'],
    [':unknown', 'undefined variable "unknown"'],
    ['random(2, 1)', 'empty range given to random'],
    ['random(-9223372036854775807, 9223372036854775807)', 'random range is too large'],
    ['random_gaussian(1, 2, 1.9)', 'gaussian parameter must be at least 2.000000 (not 1.900000)'],
    ['random_exponential(1, 2, 0)', 'exponential parameter must be greater than zero (not 0.000000)'],
    ['random_zipfian(1, 2, 1)', 'zipfian parameter must be in range [1.001, 1000] (not 1.000000)'],
    ['permute(1, 0)', 'permute size parameter must be greater than zero'],
  ])('%s: %s', (text, message) => expect(problem(text).message).toBe(message));

  it.each([
    ['1 +', 'syntax error', 4],
    ['1 < 2 < 3', 'syntax error', 7],
    ['(1', 'syntax error', 3],
    ['1 ? 2', 'unexpected character (?)', 3],
    ['foo(1)', 'unexpected function name (foo)', 1],
    ['abs(1, 2)', 'unexpected number of arguments (abs)', 1],
    ['least()', 'at least one argument expected (least)', 1],
    ['9223372036854775808', 'bigint constant overflow', 1],
    ['1e999', 'double constant overflow', 1],
    ['case 1 end', 'syntax error', 6],
  ])('%s: %s at column %i', (text, message, column) =>
    expect(problem(text)).toEqual({ message: `test, line 1: ${message}`, column }),
  );

  it('binds operators as their levels say, whatever the tree', () => {
    type Tree = { text: string; value: bigint };
    const tree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.integer({ min: 0, max: 99 }).map((n) => ({ text: String(n), value: BigInt(n) })),
        fc
          .tuple(tie('tree'), fc.constantFrom('+', '-', '*', '&', '|', '#'), tie('tree'))
          .map(([a, sign, b]) => {
            const value = {
              '+': a.value + b.value,
              '-': a.value - b.value,
              '*': a.value * b.value,
              '&': a.value & b.value,
              '|': a.value | b.value,
              '#': a.value ^ b.value,
            }[sign];
            return { text: `(${a.text}${sign} ${b.text})`, value: BigInt.asIntN(64, value ?? 0n) };
          }),
      ),
    })).tree;
    fc.assert(
      fc.property(tree, ({ text, value }) => {
        fc.pre(value < 2n ** 62n && value > -(2n ** 62n));
        expect(shown(text)).toBe(`int ${value}`);
      }),
    );
  });
});

describe('doubles as text', () => {
  it('reads back as the same number to 15 digits', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        const text = realText(x);
        expect(Number(text) + 0).toBe(Number(x.toPrecision(15)) + 0);
        expect(text).not.toMatch(/\.\d*0(e|$)/);
      }),
    );
  });
  it('rounds an exact half to the even neighbour', () => {
    expect(realText(100_000_000_000_000.5)).toBe('100000000000000');
    expect(realText(100_000_000_000_001.5)).toBe('100000000000002');
  });
});
