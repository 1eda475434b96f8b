import type { Dataset } from '../driver.ts';

// The text of the line protocol: table,tag=value,… field=value,… nanoseconds

const special = /[ ,=\n\r\\]/;

/** A name or a tag's value: what would end it has a backslash before it. */
export function escaped(text: string): string {
  return special.test(text) ? text.replace(/[ ,=\n\r\\]/g, '\\$&') : text;
}

/**
 * The beginning of a device's lines: table and text tags, then tags that are numbers as the first fields, as TSBS has it.
 * Missing ones are left out.
 */
export function linePrefix(
  dataset: Dataset,
  table: number,
  device: number,
  missingTag?: number,
): { text: string; hasFields: boolean } {
  const { name = '', tags: own = [] } = dataset.tables[table] ?? {};
  const values = dataset.deviceTags(device);
  let symbols = escaped(name);
  let fields = '';
  dataset.tags.forEach((tag, i) => {
    const value = values[i] ?? null;
    if (value === null || i === missingTag) return;
    if (tag.type === 'string') symbols += `,${escaped(tag.name)}=${escaped(String(value))}`;
    else fields += `${fields === '' ? ' ' : ','}${escaped(tag.name)}=${value}`;
  });
  if (own.length > 0) {
    const ownValues = dataset.tableTags?.(table, device) ?? [];
    own.forEach((tag, i) => {
      symbols += `,${escaped(tag)}=${escaped(ownValues[i] ?? '')}`;
    });
  }
  return { text: symbols + fields, hasFields: fields !== '' };
}

/** Nanoseconds since 1970 as digits. */
export function nanosecondText(timeMs: number, nanos: number): string {
  if (timeMs > 0) return `${timeMs}${String(nanos).padStart(6, '0')}`;
  return (BigInt(timeMs) * 1_000_000n + BigInt(nanos)).toString();
}

/** Writes a whole number as digits and returns where they end. */
export function writeInteger(bytes: Buffer, start: number, value: number): number {
  let at = start;
  if (value >= 0 && value < 1000) {
    if (value >= 100) {
      const hundreds = (value / 100) | 0;
      const tens = (value / 10) | 0;
      bytes[at++] = 48 + hundreds;
      bytes[at++] = 48 + tens - 10 * hundreds;
      bytes[at++] = 48 + value - 10 * tens;
    } else if (value >= 10) {
      const tens = (value / 10) | 0;
      bytes[at++] = 48 + tens;
      bytes[at++] = 48 + value - 10 * tens;
    } else {
      bytes[at++] = 48 + value;
    }
    return at;
  }
  if (!Number.isSafeInteger(value)) return at + bytes.write(BigInt(value).toString(), at, 'latin1');
  let rest = value;
  if (rest < 0) {
    bytes[at++] = 45;
    rest = -rest;
  }
  let length = 1;
  for (let left = rest; left >= 10; left = Math.floor(left / 10)) length += 1;
  const end = at + length;
  for (let to = end - 1; to >= at; to -= 1) {
    const tenth = Math.floor(rest / 10);
    bytes[to] = 48 + (rest - tenth * 10);
    rest = tenth;
  }
  return end;
}
