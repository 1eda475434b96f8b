/** What was read of a host: understood or not, and the text it was read from. */
export interface Fact<T> {
  value: T | null;
  raw: string;
}

const rawLimit = 4000;

/** A fact whose text is kept short enough to be shown and stored. */
export function fact<T>(value: T | null, raw: string): Fact<T> {
  const text = clean(raw).trim();
  return { value, raw: text.length > rawLimit ? `${text.slice(0, rawLimit)} …` : text };
}

const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g');

/** Text as a person would see it: no carriage returns, NUL bytes, colours or other control characters. */
export function clean(text: string): string {
  return text
    .replace(colours, '')
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '');
}

/** Lines with something in them, without blanks at either end. */
export function linesOf(text: string): string[] {
  return clean(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The first group of the first line that matches; null where none does. */
export function firstMatch(text: string, pattern: RegExp): string | null {
  for (const line of linesOf(text)) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

/** A decimal number with a point or a comma; null for anything else. */
export function numberOf(text: string | null): number | null {
  if (text === null || !/^-?\d{1,15}([.,]\d{1,15})?$/.test(text.trim())) return null;
  return Number(text.trim().replace(',', '.'));
}

const units = ['', 'K', 'M', 'G', 'T', 'P'];

/** Bytes of a size as `df` and `lsblk` print it: `512M`, `1,7G`, `240057409536`; null for anything else. */
export function sizeOf(text: string): number | null {
  const [, amount, unit] = /^(\d+(?:[.,]\d+)?)([KMGTP]?)(?:i?B)?$/.exec(text.trim()) ?? [];
  const value = numberOf(amount ?? null);
  return value === null ? null : Math.round(value * 1024 ** units.indexOf(unit ?? ''));
}

/** `key: value` and `key<tab>: value` lines, the first of each key. */
export function fieldOf(text: string, key: string): string | null {
  for (const line of linesOf(text)) {
    const colon = line.indexOf(':');
    if (colon > 0 && line.slice(0, colon).trim() === key) return line.slice(colon + 1).trim() || null;
  }
  return null;
}
