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
 * What the row keys of a device begin with. A wide row is the device's name; a time series has a salt before it and,
 * behind a 0, its stretch of time. Rows without a device have an empty name.
 * @throws AppError `bad-input` for a name that has the 0 itself
 */
export function keyStart(device: string, { schema, salts }: Shape): string {
  if (device.includes('\0'))
    throw new AppError({
      code: 'bad-input',
      message: `The row keys cannot carry the device ${JSON.stringify(device)}`,
      hint: 'A name has no character of the code 0.',
    });
  if (schema === 'wide') return device === '' ? '\0' : device;
  return `${String.fromCharCode(saltOf(device, salts))}${device}\0`;
}

/** The device of a row key; what was its start. */
export function deviceOf(key: Buffer, { schema }: Shape): string {
  const name = schema === 'wide' ? key : key.subarray(1, Math.max(1, key.length - 5));
  return name.length === 1 && name[0] === 0 ? '' : name.toString('utf8');
}

/** The rows of one device: from the first key to before the second. */
export function rowsOf(device: string, shape: Shape): { start: Buffer; end: Buffer } {
  const start = Buffer.from(keyStart(device, shape), 'utf8');
  if (shape.schema === 'wide') return { start, end: Buffer.concat([start, Buffer.of(0)]) };
  // Of a time series the start ends in a 0.
  return { start, end: Buffer.concat([start.subarray(0, -1), Buffer.of(1)]) };
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
  if (schema === 'series' && key.length < 6) return null;
  const base = schema === 'wide' ? 0 : key.readUInt32BE(key.length - 4) * 1000;
  return {
    field: column.readUInt16BE(family.length + 1),
    timeMs: base + column.readUIntBE(at, timeBytes),
    nanos: column.length > nanosAt ? column.readUIntBE(nanosAt, nanoBytes) : 0,
  };
}
