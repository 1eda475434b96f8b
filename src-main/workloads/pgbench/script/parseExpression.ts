import { entryOf } from '../../../../src-shared/entryOf.ts';
import { fitsInt64, normalInt } from '../int64.ts';
import { type ArgumentCount, argumentCounts } from './functions.ts';
import { lexExpression, type Token } from './lexer.ts';
import { type ScriptText, syntaxError } from './syntaxError.ts';
import { Real, type Value } from './values.ts';

/** An expression as a tree. Operators are calls by their sign; `case` has conditions and results in turn, then the else. */
export type Expression =
  | { kind: 'constant'; value: Value }
  | { kind: 'variable'; name: string }
  | { kind: 'call'; name: string; args: readonly Expression[] };

/** How tightly operators bind; pgbench has all bitwise ones on one level. */
const level = { or: 1, and: 2, not: 3, is: 4, compare: 5, bitwise: 6, sum: 7, product: 8, sign: 9 };
const binaryLevels: Readonly<Record<string, number>> = {
  or: level.or,
  and: level.and,
  ...Object.fromEntries(['=', '<>', '!=', '<', '<=', '>', '>='].map((sign) => [sign, level.compare])),
  ...Object.fromEntries(['|', '#', '&', '<<', '>>'].map((sign) => [sign, level.bitwise])),
  ...Object.fromEntries(['+', '-'].map((sign) => [sign, level.sum])),
  ...Object.fromEntries(['*', '/', '%'].map((sign) => [sign, level.product])),
};

const keywords = new Set('and or not is isnull notnull null true false case when then else end'.split(' '));

/** It is parsed, and later evaluated, level by level on the call stack. */
const mostTokens = 1000;

/**
 * Parses the expression at an offset, to the end of its line.
 * @param command the meta command it belongs to, for messages
 * @returns the tree, and the offset where the line ends
 */
export function parseExpression(
  script: ScriptText,
  from: number,
  command: string,
): { expression: Expression; end: number } {
  const tokens = lexExpression(script, from, command);
  const first = tokens[mostTokens];
  if (first)
    throw syntaxError(
      script,
      first.offset,
      `an expression has at most ${mostTokens} words and signs`,
      command,
    );
  const parser = new Parser(script, tokens, command);
  return parser.whole();
}

class Parser {
  readonly #script: ScriptText;
  readonly #tokens: readonly Token[];
  readonly #command: string;
  #next = 0;

  constructor(script: ScriptText, tokens: readonly Token[], command: string) {
    this.#script = script;
    this.#tokens = tokens;
    this.#command = command;
  }

  whole(): { expression: Expression; end: number } {
    const expression = this.#expression(level.or);
    if (this.#peek().kind !== 'end') throw this.#error('syntax error');
    return { expression, end: this.#peek().offset };
  }

  /** An expression whose operators bind at least as tightly as `least`. */
  #expression(least: number): Expression {
    let left = this.#operand();
    for (;;) {
      const { text, kind } = this.#peek();
      const binds =
        kind === 'sign' || kind === 'word' ? (entryOf(binaryLevels, text) ?? postfixLevel(text)) : 0;
      if (binds < least || binds === 0) return left;
      this.#next++;
      if (binds === level.is) {
        left = this.#is(left, text);
        continue;
      }
      left = call(text === '!=' ? '<>' : text, left, this.#expression(binds + 1));
      if (binds === level.compare && entryOf(binaryLevels, this.#peek().text) === level.compare)
        throw this.#error('syntax error');
    }
  }

  /** What follows `is`, `isnull` or `notnull`. */
  #is(left: Expression, word: string): Expression {
    if (word === 'isnull') return call('is', left, constant(null));
    if (word === 'notnull') return call('not', call('is', left, constant(null)));
    const negated = this.#take('not');
    const { text, kind } = this.#peek();
    const values: Record<string, Value> = { null: null, true: true, false: false };
    const value = kind === 'word' ? entryOf(values, text) : undefined;
    if (value === undefined) throw this.#error('syntax error');
    this.#next++;
    const test = call('is', left, constant(value));
    return negated ? call('not', test) : test;
  }

  /** A constant, a variable, a call, something in parentheses, or a sign and what it binds to. */
  #operand(): Expression {
    const token = this.#peek();
    this.#next++;
    switch (token.kind) {
      case 'integer':
        return constant(this.#integer(token));
      case 'double':
        return constant(this.#double(token));
      case 'variable':
        return { kind: 'variable', name: token.text };
      case 'word':
        return this.#word(token);
      case 'sign':
        return this.#signed(token);
      case 'end':
        this.#next--;
        throw this.#error('syntax error');
    }
  }

  #signed(token: Token): Expression {
    switch (token.text) {
      case '(': {
        const inner = this.#expression(level.or);
        this.#expect(')');
        return inner;
      }
      case '+':
        return this.#expression(level.sign);
      case '-':
        if (this.#peek().text === leastDigits && this.#peek().kind === 'integer') {
          this.#next++;
          return constant(-(2n ** 63n));
        }
        return call('-', constant(0), this.#expression(level.sign));
      case '~':
        return call('#', constant(-1), this.#expression(level.bitwise + 1));
      default:
        this.#next--;
        throw this.#error('syntax error');
    }
  }

  #word(token: Token): Expression {
    switch (token.text) {
      case 'null':
        return constant(null);
      case 'true':
      case 'false':
        return constant(token.text === 'true');
      case 'not':
        return call('not', this.#expression(level.not));
      case 'case':
        return this.#case();
      default:
        return this.#call(token);
    }
  }

  #case(): Expression {
    const args: Expression[] = [];
    do {
      this.#expect('when');
      args.push(this.#expression(level.or));
      this.#expect('then');
      args.push(this.#expression(level.or));
    } while (this.#peek().text === 'when');
    args.push(this.#take('else') ? this.#expression(level.or) : constant(null));
    this.#expect('end');
    return { kind: 'call', name: 'case', args };
  }

  #call(name: Token): Expression {
    const counts = entryOf(argumentCounts, name.text);
    if (keywords.has(name.text)) throw this.#error('syntax error', name);
    if (counts === undefined) throw this.#error(`unexpected function name (${name.text})`, name);
    this.#expect('(');
    const args: Expression[] = [];
    if (!this.#take(')')) {
      do args.push(this.#expression(level.or));
      while (this.#take(','));
      this.#expect(')');
    }
    this.#checkCount(name, counts, args.length);
    const seeded = counts.seed === args.length + 1;
    return {
      kind: 'call',
      name: name.text,
      args: seeded ? [...args, { kind: 'variable', name: 'default_seed' }] : args,
    };
  }

  #checkCount(name: Token, counts: ArgumentCount, count: number): void {
    if (count === 0 && counts.min > 0 && counts.max > counts.min)
      throw this.#error(`at least one argument expected (${name.text})`, name);
    if (count < counts.min || count > counts.max)
      throw this.#error(`unexpected number of arguments (${name.text})`, name);
  }

  #integer(token: Token): Value {
    const int = BigInt(token.text);
    if (!fitsInt64(int)) throw this.#error('bigint constant overflow', token);
    return normalInt(int);
  }
  #double(token: Token): Value {
    const real = Number(token.text);
    if (!Number.isFinite(real)) throw this.#error('double constant overflow', token);
    return new Real(real);
  }

  #peek(): Token {
    const token = this.#tokens[this.#next] ?? this.#tokens.at(-1);
    if (token === undefined) throw new Error('an expression without its end');
    return token;
  }
  #take(text: string): boolean {
    const { kind } = this.#peek();
    const found = this.#peek().text === text && (kind === 'sign' || kind === 'word');
    if (found) this.#next++;
    return found;
  }
  #expect(text: string): void {
    if (!this.#take(text)) throw this.#error('syntax error');
  }
  #error(message: string, at: Token = this.#peek()): Error {
    return syntaxError(this.#script, at.offset, message, this.#command);
  }
}

/** 2^63: an integer only with a minus before it. */
const leastDigits = '9223372036854775808';

function postfixLevel(word: string): number {
  return word === 'is' || word === 'isnull' || word === 'notnull' ? level.is : 0;
}
function constant(value: Value): Expression {
  return { kind: 'constant', value };
}
function call(name: string, ...args: Expression[]): Expression {
  return { kind: 'call', name, args };
}
