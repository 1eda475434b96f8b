import { AppError } from '../../../src-shared/errors.ts';
import type { Shape } from './loadOptions.ts';

/** The one column family; its name is kept with each value. */
export const family = 'd';
/** Whole seconds since 1970 in four bytes: up to the year 2106. */
const mostMs = 2 ** 32 * 1000;
/** Before a time in a column: the number of the field. */
const fieldBytes = 2;
export const mostFields = 0x1_0000;
const nanoBytes = 3;

/** FNV-1a over UTF-16 units, spread over the salts. */
export function saltOf(device: string, salts: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < device.length; i += 1) hash = Math.imul(hash ^ device.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % salts;
}

/**
 * What is kept of a device for its row keys: of a time series its salt and its name, between which each key has the
 * stretch of time and a 0; of wide rows the whole key. Rows without a device have an empty name.
 * @throws AppError `bad-input` for a name that has the 0 itself
 */
export function deviceKey(device: string, { schema, salts }: Shape): string {
  if (device.includes('\0'))
    throw new AppError({
      code: 'bad-input',
      message: `The row keys cannot carry the device ${JSON.stringify(device)}`,
      hint: 'A name has no character of the code 0.',
    });
  if (schema === 'wide') return device === '' ? '\0' : device;
  return `${String.fromCharCode(saltOf(device, salts))}${device}`;
}

/** Bytes between salt and name of a time series: the stretch's beginning in seconds, and a 0. */
export const stretchBytes = 5;
/** Salt and those. */
const headBytes = 1 + stretchBytes;

/** Writes the stretch of a time behind the salt. */
export function writeStretch(bytes: Buffer, at: number, timeMs: number, { stretchMs }: Shape): void {
  bytes[bytes.writeUInt32BE((timeMs - (timeMs % stretchMs)) / 1000, at)] = 0;
}

/** The device of a row key. */
export function deviceOf(key: Buffer, { schema }: Shape): string {
  if (schema === 'series') return key.toString('utf8', headBytes);
  return key.length === 1 && key[0] === 0 ? '' : key.toString('utf8');
}

/** Row keys from the first to before the second, and a pattern that they have, if any. */
export interface Keys {
  start: Buffer;
  end: Buffer;
  /** As Java's regular expressions have it. */
  pattern?: string;
}

/** The rows of one device. */
export function keysOf(device: string, shape: Shape): Keys {
  const key = Buffer.from(deviceKey(device, shape), 'utf8');
  if (shape.schema === 'wide') return { start: key, end: Buffer.concat([key, Buffer.of(0)]) };
  const salt = key[0] ?? 0;
  // What is before the 0 is no text, and may be garbled as one; no name has a 0.
  const name = device.replace(/[^\w]/gu, (letter) => `\\x{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
  return { start: Buffer.of(salt), end: Buffer.of(salt + 1), pattern: `\\x00${name}$` };
}

/** The rows that have times of this range: of each salt a range of its own. Other times may be in them as well. */
export function keysBetween(fromMs: number, toMs: number, shape: Shape): Keys[] {
  const bound = (salt: number, ms: number) => {
    const key = Buffer.alloc(headBytes, salt);
    writeStretch(key, 1, Math.min(Math.max(ms, 0), mostMs - 1), shape);
    return key.subarray(0, headBytes - 1);
  };
  return Array.from({ length: shape.salts }, (_, salt) => ({
    start: bound(salt, fromMs),
    // Behind all rows of the last stretch.
    end: Buffer.concat([bound(salt, toMs - 1), Buffer.of(1)]),
  }));
}

/** @throws AppError `bad-input` for a time that HBase's own cannot be */
export function checkTime(timeMs: number): void {
  if (timeMs >= 0 && timeMs < mostMs) return;
  throw new AppError({
    code: 'bad-input',
    message: 'HBase keeps no times before 1970, and its row keys here none after 2105',
    detail: `${timeMs} ms since 1970`,
    hint: 'Choose a later, or an earlier, start of the data.',
  });
}

/**
 * Writes what a column has behind the number of its field: milliseconds of the time (within the stretch of its row, or
 * of all time), and nanoseconds within that where there are any. Returns where it ends.
 */
export function writeColumnTime(
  bytes: Buffer,
  start: number,
  timeMs: number,
  nanos: number,
  { schema, stretchMs }: Shape,
): number {
  let at =
    schema === 'wide' ? bytes.writeUIntBE(timeMs, start, 6) : bytes.writeUInt32BE(timeMs % stretchMs, start);
  if (nanos > 0) at = bytes.writeUIntBE(nanos, at, nanoBytes);
  return at;
}

/** Field and time of a column, given with its family; null where it is none of these. */
export function readColumn(
  key: Buffer,
  column: Buffer,
  { schema }: Shape,
): { field: number; timeMs: number; nanos: number } | null {
  const timeBytes = schema === 'wide' ? 6 : 4;
  const at = family.length + 1 + fieldBytes;
  const nanosAt = at + timeBytes;
  if (column.length !== nanosAt && column.length !== nanosAt + nanoBytes) return null;
  if (schema === 'series' && key.length < headBytes) return null;
  const base = schema === 'wide' ? 0 : key.readUInt32BE(1) * 1000;
  return {
    field: column.readUInt16BE(family.length + 1),
    timeMs: base + column.readUIntBE(at, timeBytes),
    nanos: column.length > nanosAt ? column.readUIntBE(nanosAt, nanoBytes) : 0,
  };
}
