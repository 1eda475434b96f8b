import { failed, fitsInt64, type Int64, normalInt } from '../int64.ts';

/** A double of the expression language; a bare number is an integer there. */
export class Real {
  readonly real: number;
  constructor(real: number) {
    this.real = real;
  }
}

/** A value of pgbench's expression language. */
export type Value = Int64 | Real | boolean | null;

function isInt(value: Value): value is Int64 {
  return typeof value === 'number' || typeof value === 'bigint';
}

function typeName(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'boolean';
  return value instanceof Real ? 'double' : 'int';
}

/** @throws AppError for what is neither integer nor double, and for a double beyond 64 bits */
export function toInt(value: Value): Int64 {
  if (isInt(value)) return value;
  if (!(value instanceof Real)) throw failed(`cannot coerce ${typeName(value)} to int`);
  const whole = roundHalfEven(value.real);
  if (!Number.isFinite(whole)) throw failed(`double to int overflow for ${realText(whole)}`);
  const int = BigInt(whole);
  if (!fitsInt64(int)) throw failed(`double to int overflow for ${int}.000000`);
  return normalInt(int);
}

export function toReal(value: Value): number {
  if (value instanceof Real) return value.real;
  if (isInt(value)) return Number(value);
  throw failed(`cannot coerce ${typeName(value)} to double`);
}

export function toBoolean(value: Value): boolean {
  if (typeof value === 'boolean') return value;
  throw failed(`cannot coerce ${typeName(value)} to boolean`);
}

/** As a condition: NULL and zero are false. */
export function isTrue(value: Value): boolean {
  if (value instanceof Real) return value.real !== 0;
  return value !== null && value !== false && value !== 0;
}

/** As it is put into SQL; a double with 15 significant digits. */
export function valueText(value: Value): string {
  if (value === null) return 'NULL';
  return value instanceof Real ? realText(value.real) : String(value);
}

/** `int 22`, as pgbench's debug() shows a value. */
export function debugText(value: Value): string {
  return value === null ? 'null' : `${typeName(value)} ${valueText(value)}`;
}

/**
 * A text (of `-D`, of `\gset`) as the value that an expression takes it for: null, prefixes of true, yes, false and no, on
 * and off, an integer, else a double.
 * @throws AppError where it is none of them
 */
export function parseValue(name: string, text: string): Value {
  const lower = text.toLowerCase();
  if (lower === 'null') return null;
  if (text !== '') {
    if ('true'.startsWith(lower) || 'yes'.startsWith(lower) || lower === 'on') return true;
    if ('false'.startsWith(lower) || 'no'.startsWith(lower) || lower === 'off' || lower === 'of')
      return false;
  }
  if (/^\s*[-+]?\d+$/.test(text)) {
    const int = BigInt(text.trim().replace(/^\+/, ''));
    if (!fitsInt64(int)) throw failed(`value "${text}" is out of range for type bigint`);
    return normalInt(int);
  }
  const real = parseReal(text);
  if (real === null) throw failed(`malformed variable "${name}" value: "${text}"`);
  return new Real(real);
}

function parseReal(text: string): number | null {
  const special = /^\s*([-+]?)(inf(?:inity)?|nan)$/i.exec(text);
  if (special) {
    if (special[2]?.toLowerCase() === 'nan') return Number.NaN;
    return special[1] === '-' ? -Infinity : Infinity;
  }
  if (!/^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return null;
  const real = Number(text.trim());
  return Number.isFinite(real) ? real : null;
}

/** C's `%.15g`, infinities and NaN as PostgreSQL's programs write them. */
export function realText(x: number): string {
  if (!Number.isFinite(x)) return String(x);
  if (x === 0) return Object.is(x, -0) ? '-0' : '0';
  const [mantissa = '', power = '0'] = fifteenDigits(x).split('e');
  const exponent = Number(power);
  const digits = mantissa.replace(/[-.]/g, '').replace(/0+$/, '');
  const sign = x < 0 ? '-' : '';
  if (exponent < -4 || exponent >= 15) {
    const fraction = digits.slice(1);
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${digits.slice(0, 1)}${fraction && '.'}${fraction}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return `${sign}${whole}${fraction && '.'}${fraction}`;
}

/** Exponent form with 15 digits, an exact half to the even neighbour where JavaScript goes away from zero. */
function fifteenDigits(x: number): string {
  const rounded = x.toExponential(14);
  const exact = x.toExponential(100).split('e')[0] ?? '';
  const [, kept = '', rest = ''] = /^-?(\d\.\d{14})(\d+)$/.exec(exact) ?? [];
  if (!/^50+$/.test(rest) || Number(kept.slice(-1)) % 2 !== 0) return rounded;
  return `${x < 0 ? '-' : ''}${kept}e${rounded.split('e')[1]}`;
}

/** C's `rint`. */
function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const fraction = x - floor;
  if (fraction !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}
