import { z } from 'zod';
import { parseDuration } from '../../src-shared/duration.ts';
import type { FieldMeta } from '../../src-shared/model/form.ts';
import { parseTimestamp } from './timestamp.ts';

const durationExample = 'A duration such as 10s, 1h30m or 500ms';
const timestampExample = 'A time with its zone, such as 2016-01-01T00:00:00Z';

/**
 * A duration, kept as text.
 * @param least shortest one allowed, nanoseconds
 */
export function duration(least: 0n | 1n) {
  return z
    .string(durationExample)
    .refine((text) => parseDuration(text) !== null, durationExample)
    .refine(
      (text) => (parseDuration(text) ?? least) >= least,
      least > 0n ? 'Longer than zero' : 'Not below zero',
    );
}

/** A time, kept as text. */
export function timestamp() {
  return z.string(timestampExample).refine((text) => parseTimestamp(text) !== null, timestampExample);
}

/** A switch with its default. */
export function toggle(on: boolean, meta: FieldMeta) {
  return z.boolean().default(on).meta(meta);
}

/** A whole number with its range and default. */
export function count(min: number, max: number | null, byDefault: number, meta: FieldMeta) {
  const atLeast = z.int().min(min);
  return (max === null ? atLeast : atLeast.max(max)).default(byDefault).meta(meta);
}

/** Nanoseconds of a duration that a schema has let through. */
export function nanosOf(text: string): bigint {
  return checked(parseDuration(text), text);
}
/** Nanoseconds since 1970 of a time that a schema has let through. */
export function instantOf(text: string): bigint {
  return checked(parseTimestamp(text), text);
}
function checked(nanos: bigint | null, text: string): bigint {
  if (nanos === null) throw new Error(`${text} was not checked by its schema`);
  return nanos;
}
