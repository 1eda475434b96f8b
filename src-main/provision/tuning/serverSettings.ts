import { z } from 'zod';
import { entryOf } from '../../../src-shared/entryOf.ts';
import type { Setting } from './setting.ts';

/** A row of pg_settings. */
export const serverSettingSchema = z.object({
  name: z.string(),
  setting: z.string(),
  unit: z.string().nullable(),
  vartype: z.enum(['bool', 'integer', 'real', 'enum', 'string']),
  context: z.string(),
  min_val: z.string().nullable(),
  max_val: z.string().nullable(),
  enumvals: z.array(z.string()).nullable(),
  sourcefile: z.string().nullable(),
  pending_restart: z.boolean(),
});
export type ServerSetting = z.infer<typeof serverSettingSchema>;

/** Only a restart makes it so. */
export const needsRestart = ({ context }: ServerSetting) => context === 'postmaster';

/** Bytes, or milliseconds. PostgreSQL's own spelling, upper and lower case as it wants them. */
const sizes: Record<string, number> = { B: 1, kB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 };
const times: Record<string, number> = { us: 0.001, ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** `8kB`, `16MB`, `min`: how much one of it is, and which words may be used for it. */
function baseUnit(unit: string): { one: number; words: Record<string, number> } | null {
  const match = /^(\d*)(\w+)$/.exec(unit);
  const word = match?.[2] ?? '';
  const words = Object.hasOwn(sizes, word) ? sizes : Object.hasOwn(times, word) ? times : null;
  const one = words?.[word];
  return words === null || one === undefined ? null : { one: one * Number(match?.[1] || 1), words };
}

/** A number in the setting's own unit, as the server reads it; null where it would not. */
export function inBaseUnit(value: string, unit: string | null): number | null {
  const match = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|0[xX][0-9a-fA-F]+)\s*([A-Za-z]*)\s*$/.exec(
    value,
  );
  if (match === null) return null;
  const amount = Number(match[1]);
  const word = match[2] ?? '';
  if (word === '') return amount;
  const base = unit === null ? null : baseUnit(unit);
  const factor = base === null ? undefined : entryOf(base.words, word);
  return base === null || factor === undefined ? null : (amount * factor) / base.one;
}

const words: Record<string, boolean> = {
  on: true,
  true: true,
  yes: true,
  1: true,
  off: false,
  false: false,
  no: false,
  0: false,
};

/**
 * Does the server have what was asked for? Values come back in the setting's base unit and rounded to it: one unit of
 * difference is none.
 */
export function sameValue(server: ServerSetting, wanted: string): boolean {
  const { vartype, setting, unit } = server;
  if (vartype === 'integer' || vartype === 'real') {
    const [is, should] = [Number(setting), inBaseUnit(wanted, unit)];
    if (should === null) return false;
    return (
      Math.abs(is - should) <= (vartype === 'integer' && unit !== null && /[A-Za-z]/.test(wanted) ? 1 : 1e-9)
    );
  }
  const [is, should] = [setting.toLowerCase(), wanted.toLowerCase()];
  if (vartype === 'bool') return entryOf(words, is) === entryOf(words, should);
  return vartype === 'enum' ? is === should : setting === wanted;
}

/** Why the server would not take a value, in words; null when it would. */
export function problemWith(server: ServerSetting, { name, value }: Setting): string | null {
  if (server.context === 'internal') return `${name} cannot be set: it tells how the server was built`;
  if (server.vartype === 'bool')
    return entryOf(words, value.toLowerCase()) === undefined ? `${name} is on or off, not ${value}` : null;
  if (server.vartype === 'enum') {
    const choices = server.enumvals ?? [];
    // Enums that once were on or off still take these words, which are hidden in the list.
    const known = choices.includes(value.toLowerCase()) || words[value.toLowerCase()] !== undefined;
    return known ? null : `${name} is one of ${choices.join(', ')}, not ${value}`;
  }
  if (server.vartype === 'string') return null;
  const amount = inBaseUnit(value, server.unit);
  if (amount === null) {
    const example =
      server.unit === null
        ? 'a number'
        : `a number with a unit such as ${Object.keys(baseUnit(server.unit)?.words ?? {}).join(', ')}`;
    return `${name} is ${example}, not ${value}`;
  }
  const [min, max] = [Number(server.min_val ?? -Infinity), Number(server.max_val ?? Infinity)];
  const rounded = server.vartype === 'integer' ? Math.round(amount) : amount;
  if (rounded >= min && rounded <= max) return null;
  return `${name} is ${shown(min, server.unit)} to ${shown(max, server.unit)}, not ${value}`;
}

const shown = (amount: number, unit: string | null) =>
  unit === null ? String(amount) : /^\d/.test(unit) ? `${amount} × ${unit}` : `${amount} ${unit}`;

/** The server's value as a person writes it: `27887 × 8kB` is no way to say 217 MB. */
export function readable({ setting, unit }: ServerSetting): string {
  const amount = Number(setting);
  const base = unit === null ? null : baseUnit(unit);
  if (base === null || setting.trim() === '' || !(amount > 0)) return setting === '' ? '(empty)' : setting;
  const total = amount * base.one;
  const fitting = Object.entries(base.words).filter(([, factor]) => total % factor === 0);
  const [word, factor] = fitting.reduce((best, each) => (each[1] > best[1] ? each : best), ['', 0]);
  return factor === 0 ? `${setting}${unit}` : `${total / factor}${word}`;
}
