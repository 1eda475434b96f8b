import type { z } from 'zod';
import type { FormField } from '../../src-shared/model/form.ts';
import { formatCount } from '../../src-shared/units.ts';

export type Json = z.core.util.JSONType;
/** What a form holds: only what was set; a key that is not there has the field's default. */
export type Values = Readonly<Record<string, Json>>;

/** The value that counts: the one set, else the default. */
export function effective(field: FormField, values: Values): Json {
  return values[field.key] ?? field.default;
}

/** Sets a value; undefined takes it back to the default. */
export function withValue(values: Values, key: string, value: Json | undefined): Values {
  const { [key]: _old, ...rest } = values;
  return value === undefined ? rest : { ...rest, [key]: value };
}

/** Whether something other than the default was set. */
export function differs(field: FormField, values: Values): boolean {
  const value = values[field.key];
  return value !== undefined && JSON.stringify(value) !== JSON.stringify(field.default);
}

/**
 * What a text control gives, as the field's value: undefined for nothing, numbers where they are numbers, else the text itself.
 * With `lists` several numbers are a list: `4, 8, 12`. Commas in threes are separators of thousands, as in `1,000`.
 */
export function fromText(field: Pick<FormField, 'kind'>, text: string, lists = false): Json | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (field.kind !== 'integer' && field.kind !== 'number') return text;
  const items = lists ? listItems(trimmed) : [trimmed];
  const numbers = items.map((item) => Number(item.replaceAll(',', '').replaceAll('_', '')));
  if (!numbers.every(Number.isFinite)) return text;
  return items.length === 1 ? numbers[0] : numbers;
}

/** Separated by semicolons, or by commas with a blank; by commas alone where they cannot be thousands. */
function listItems(text: string): string[] {
  const inner = text.replace(/^\[(.*)\]$/s, '$1').trim();
  const parts = inner.split(/\s*;\s*|,\s+/).filter((part) => part !== '');
  return parts.flatMap((part) =>
    /^[+-]?\d{1,3}(,\d{3})*(\.\d+)?$/.test(part) ? [part] : part.split(',').filter((item) => item !== ''),
  );
}

/** Largest port: numbers that end there or before are no amounts, and are written without separators. */
const largestPort = 65_535;

/** A value as it is shown while nobody types: amounts with thousands separators. */
export function shownText(field: FormField, value: Json): string {
  if (Array.isArray(value) && (field.kind === 'integer' || field.kind === 'number'))
    return value.map((item) => shownText(field, item)).join(', ');
  const isAmount =
    field.kind === 'integer' && Number.isInteger(value) && (field.max === null || field.max > largestPort);
  return isAmount && typeof value === 'number' ? formatCount(value) : toText(value);
}

/** A value as text, exactly. */
export function toText(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string'
    ? value
    : typeof value === 'number'
      ? String(value)
      : JSON.stringify(value);
}

/** What is wrong with a value, as far as the field alone can tell; null when nothing is. */
export function checkField(field: FormField, value: Json): string | null {
  if (value === null || value === '') return field.required ? `${field.label} is needed` : null;
  if (field.kind === 'choice' && !field.options.some((option) => option.value === value)) {
    return `${toText(value)} is not one of the choices`;
  }
  if (field.kind !== 'integer' && field.kind !== 'number') return null;
  if (typeof value !== 'number') return `${field.label} is a number`;
  if (field.kind === 'integer' && !Number.isInteger(value)) return `${field.label} is a whole number`;
  const { min, max } = field;
  if ((min !== null && value < min) || (max !== null && value > max)) {
    if (min !== null && max !== null) return `${field.label} is between ${min} and ${max}`;
    return min !== null ? `${field.label} is at least ${min}` : `${field.label} is at most ${max}`;
  }
  return null;
}

/** The fields under their headings, in the order in which both first appear; advanced ones apart. */
export function groupFields(fields: readonly FormField[]): {
  groups: { title: string; fields: FormField[] }[];
  advanced: { title: string; fields: FormField[] }[];
} {
  const gather = (chosen: readonly FormField[]) =>
    [...new Set(chosen.map((field) => field.group))].map((title) => ({
      title,
      fields: chosen.filter((field) => field.group === title),
    }));
  return {
    groups: gather(fields.filter((field) => !field.advanced)),
    advanced: gather(fields.filter((field) => field.advanced)),
  };
}
