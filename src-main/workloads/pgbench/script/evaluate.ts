import type { Xoroshiro } from '../random/xoroshiro.ts';
import { type Implementation, implementations } from './functions.ts';
import type { Expression } from './parseExpression.ts';
import { isTrue, toBoolean, type Value } from './values.ts';
import type { Names, Variables } from './variables.ts';

/** What an expression is evaluated in: one client's. */
export interface Scope {
  readonly random: Xoroshiro;
  readonly variables: Variables;
}

/** @throws AppError in pgbench's words: overflow, division by zero, a type that does not fit, an undefined variable */
export type Evaluator = (scope: Scope) => Value;

/** An expression as a function, so that a script's tree is walked once and not in every transaction. */
export function compileExpression(expression: Expression, names: Names): Evaluator {
  switch (expression.kind) {
    case 'constant': {
      const { value } = expression;
      return () => value;
    }
    case 'variable': {
      const slot = names.slot(expression.name);
      return (scope) => scope.variables.value(slot);
    }
    case 'call':
      return compileCall(
        expression.name,
        expression.args.map((arg) => compileExpression(arg, names)),
      );
  }
}

function compileCall(name: string, args: readonly Evaluator[]): Evaluator {
  const [a, b] = args;
  if (name === 'case') return lazyCase(args);
  if (a && b && (name === 'and' || name === 'or')) return lazyLogic(name === 'or', a, b);
  const implementation = implementations[name];
  if (!implementation) throw new Error(`no function ${name}`);
  const nullIsValue = name === 'is' || name === 'debug';
  return args.length === 2 && a && b && !nullIsValue
    ? ofTwo(implementation, a, b)
    : ofAny(implementation, args, nullIsValue);
}

/** Most calls. */
function ofTwo(implementation: Implementation, a: Evaluator, b: Evaluator): Evaluator {
  return (scope) => {
    const left = a(scope);
    const right = b(scope);
    return left === null || right === null ? null : implementation([left, right], scope.random);
  };
}

function ofAny(implementation: Implementation, args: readonly Evaluator[], nullIsValue: boolean): Evaluator {
  return (scope) => {
    const values = args.map((arg) => arg(scope));
    return !nullIsValue && values.includes(null) ? null : implementation(values, scope.random);
  };
}

/** The left operand decides alone if it is null or has the value `decisive`. */
function lazyLogic(decisive: boolean, a: Evaluator, b: Evaluator): Evaluator {
  return (scope) => {
    const left = a(scope);
    if (left === null) return null;
    if (toBoolean(left) === decisive) return decisive;
    const right = b(scope);
    return right === null ? null : toBoolean(right);
  };
}

function lazyCase(args: readonly Evaluator[]): Evaluator {
  return (scope) => {
    let i = 0;
    for (; i + 1 < args.length; i += 2)
      if (isTrue(args[i]?.(scope) ?? null)) return args[i + 1]?.(scope) ?? null;
    return args[i]?.(scope) ?? null;
  };
}
