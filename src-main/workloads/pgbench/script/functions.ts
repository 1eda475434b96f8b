import {
  addInt,
  divideInt,
  failed,
  type Int64,
  multiplyInt,
  remainderInt,
  shiftLeft,
  shiftRight,
  subtractInt,
  wrapInt,
} from '../int64.ts';
import { exponential, gaussian, uniform, zipfian } from '../random/draws.ts';
import { fnv1a, murmur2, permute } from '../random/hashes.ts';
import type { Xoroshiro } from '../random/xoroshiro.ts';
import { Real, toBoolean, toInt, toReal, type Value } from './values.ts';

/**
 * The operators and functions are given values that are not null, but for `is` and `debug`.
 * @param random what the random functions draw from
 */
export type Implementation = (args: readonly Value[], random: Xoroshiro) => Value;

export interface ArgumentCount {
  min: number;
  max: number;
  /** One argument fewer than so many is completed by `:default_seed`. */
  seed?: number;
}

const most = 16;
const most64 = 2n ** 63n - 1n;
const one: ArgumentCount = { min: 1, max: 1 };
const two: ArgumentCount = { min: 2, max: 2 };
const three: ArgumentCount = { min: 3, max: 3 };
const hash: ArgumentCount = { min: 1, max: 2, seed: 2 };
const any: ArgumentCount = { min: 1, max: most };

/** Functions that a script can call, and with how many arguments. */
export const argumentCounts: Readonly<Record<string, ArgumentCount>> = {
  ...{ abs: one, debug: one, double: one, exp: one, int: one, ln: one, sqrt: one, pi: { min: 0, max: 0 } },
  ...{ mod: two, pow: two, power: two, random: two, greatest: any, least: any },
  ...{ random_exponential: three, random_gaussian: three, random_zipfian: three },
  ...{ hash, hash_fnv1a: hash, hash_murmur2: hash, permute: { min: 2, max: 3, seed: 3 } },
};

type Ints = (a: Int64, b: Int64) => Value;
type Reals = (a: number, b: number) => Value;

/** A double operand makes both doubles. */
function overloaded(ints: Ints, reals: Reals): Implementation {
  return ([a = null, b = null]) =>
    a instanceof Real || b instanceof Real ? reals(toReal(a), toReal(b)) : ints(toInt(a), toInt(b));
}
function ofInts(ints: Ints): Implementation {
  return ([a = null, b = null]) => ints(toInt(a), toInt(b));
}
function ofReal(real: (x: number) => number): Implementation {
  return ([x = null]) => new Real(real(toReal(x)));
}
function bitwise(bits: (a: bigint, b: bigint) => bigint): Implementation {
  return ofInts((a, b) => wrapInt(bits(BigInt(a), BigInt(b))));
}
/** The first one that no other one is better than. */
function extreme(better: (a: Int64 | number, b: Int64 | number) => boolean): Implementation {
  return (args) => {
    if (args.some((arg) => arg instanceof Real)) {
      const reals = args.map(toReal);
      return new Real(reals.reduce((best, x) => (better(best, x) ? best : x)));
    }
    return args.map(toInt).reduce((best, x) => (better(best, x) ? best : x));
  };
}
function drawn(
  check: (parameter: number) => string | null,
  draw: (random: Xoroshiro, from: Int64, to: Int64, parameter: number) => Int64,
): Implementation {
  return ([low = null, high = null, third = null], random) => {
    const from = toInt(low);
    const to = toInt(high);
    checkRange(from, to);
    const parameter = toReal(third);
    const problem = check(parameter);
    if (problem !== null) throw failed(problem);
    return draw(random, from, to, parameter);
  };
}
/** The ends of a range of a random function are in order and not too far apart. */
function checkRange(from: Int64, to: Int64): void {
  if (from > to) throw failed('empty range given to random');
  const usual = typeof from === 'number' && typeof to === 'number';
  if (!usual && BigInt(to) - BigInt(from) >= most64) throw failed('random range is too large');
}
function hashed(hashing: (value: Int64, seed: Int64) => Int64): Implementation {
  return ofInts(hashing);
}
const power: Implementation = ([a = null, b = null]) => new Real(cPower(toReal(a), toReal(b)));

/** C's `pow` where JavaScript's differs: 1 to any power is 1. */
function cPower(base: number, exponent: number): number {
  return base === 1 || (base === -1 && Math.abs(exponent) === Infinity) ? 1 : base ** exponent;
}

/** By sign or name; `and`, `or` and `case` evaluate their arguments as they need them and are not here. */
export const implementations: Readonly<Record<string, Implementation>> = {
  '+': overloaded(addInt, (a, b) => new Real(a + b)),
  '-': overloaded(subtractInt, (a, b) => new Real(a - b)),
  '*': overloaded(multiplyInt, (a, b) => new Real(a * b)),
  '/': overloaded(divideInt, (a, b) => new Real(a / b)),
  '%': ofInts(remainderInt),
  mod: ofInts(remainderInt),
  '=': overloaded(
    (a, b) => a === b,
    (a, b) => a === b,
  ),
  '<>': overloaded(
    (a, b) => a !== b,
    (a, b) => a !== b,
  ),
  '<': overloaded(
    (a, b) => a < b,
    (a, b) => a < b,
  ),
  '<=': overloaded(
    (a, b) => a <= b,
    (a, b) => a <= b,
  ),
  '>': overloaded(
    (a, b) => a > b,
    (a, b) => a > b,
  ),
  '>=': overloaded(
    (a, b) => a >= b,
    (a, b) => a >= b,
  ),
  '&': bitwise((a, b) => a & b),
  '|': bitwise((a, b) => a | b),
  '#': bitwise((a, b) => a ^ b),
  '<<': ofInts(shiftLeft),
  '>>': ofInts(shiftRight),
  not: ([x = null]) => !toBoolean(x),
  is: ([a = null, b = null]) => a === b,
  abs: ([x = null]) => {
    if (x instanceof Real) return new Real(x.real < 0 ? -x.real : x.real);
    const int = toInt(x);
    return int < 0 ? wrapInt(-BigInt(int)) : int;
  },
  // pgbench prints it to its standard error, once for every execution: there is no place for that here.
  debug: ([x = null]) => x,
  double: ofReal((x) => x),
  exp: ofReal(Math.exp),
  int: ([x = null]) => toInt(x),
  ln: ofReal(Math.log),
  sqrt: ofReal(Math.sqrt),
  pi: () => new Real(Math.PI),
  pow: power,
  power,
  greatest: extreme((a, b) => a > b),
  least: extreme((a, b) => a < b),
  random: ([low = null, high = null], random) => {
    const from = toInt(low);
    const to = toInt(high);
    checkRange(from, to);
    return uniform(random, from, to);
  },
  random_exponential: drawn(
    (p) => (p > 0 ? null : `exponential parameter must be greater than zero (not ${p.toFixed(6)})`),
    exponential,
  ),
  random_gaussian: drawn(
    (p) => (p >= 2 ? null : `gaussian parameter must be at least 2.000000 (not ${p.toFixed(6)})`),
    gaussian,
  ),
  random_zipfian: drawn(
    (p) =>
      p >= 1.001 && p <= 1000
        ? null
        : `zipfian parameter must be in range [1.001, 1000] (not ${p.toFixed(6)})`,
    zipfian,
  ),
  hash: hashed(murmur2),
  hash_murmur2: hashed(murmur2),
  hash_fnv1a: hashed(fnv1a),
  permute: ([value = null, size = null, seed = null]) => {
    const count = toInt(size);
    if (count <= 0) throw failed('permute size parameter must be greater than zero');
    return permute(toInt(value), count, toInt(seed));
  },
};
