import type { Dataset, RowSink } from '../../../databases/driver.ts';
import type { AsciiWriter } from './asciiWriter.ts';

/** A file format of TSBS's: text before the rows and a sink for the rows, both on the same writer. */
export interface FileFormat {
  header(dataset: Dataset): string;
  /** Bytes that no row of the data set exceeds. */
  rowBytes(dataset: Dataset): number;
  sink(dataset: Dataset, writer: AsciiWriter): RowSink;
}

/** The longest text of a time or an integer, with a separator and a suffix. */
export const integerBytes = 24;
const doubleBytes = 340;

/** The longest texts of a table's name and values, without the fields' names; of the widest table. */
export function valueBytes(dataset: Dataset): number {
  const bytes = (type: 'integer' | 'double') => (type === 'integer' ? integerBytes : doubleBytes);
  return Math.max(
    ...dataset.tables.map((t) => t.fields.reduce((sum, field) => sum + bytes(field.type), t.name.length)),
  );
}

const kept = 20_000;

/** The text that a device's rows begin with; kept as bytes for data sets of a usual size, else made anew each time. */
export function devicePrefixes(
  devices: number,
  make: (device: number) => string,
): (device: number) => Buffer {
  const build = (device: number) => Buffer.from(make(device), 'latin1');
  if (devices > kept) return build;
  const prefixes: (Buffer | undefined)[] = new Array(devices);
  return (device) => {
    const known = prefixes[device];
    if (known !== undefined) return known;
    const built = build(device);
    prefixes[device] = built;
    return built;
  };
}

/** Nanoseconds since 1970 as ASCII; rows of one epoch share them, so the last text is kept. */
export function nanosecondTexts(): (timeMs: number, nanos: number) => Buffer {
  let lastMs = Number.NaN;
  let lastNanos = 0;
  let text = Buffer.alloc(0);
  return (timeMs, nanos) => {
    if (timeMs !== lastMs || nanos !== lastNanos) {
      text = Buffer.from(nanosecondText(timeMs, nanos), 'latin1');
      lastMs = timeMs;
      lastNanos = nanos;
    }
    return text;
  };
}

function nanosecondText(timeMs: number, nanos: number): string {
  if (timeMs > 0) return `${timeMs}${String(nanos).padStart(6, '0')}`;
  return (BigInt(timeMs) * 1_000_000n + BigInt(nanos)).toString();
}

/** Characters of the longest line of tags, names included: no value of TSBS's has over 40. */
export function tagBytes(dataset: Dataset): number {
  const bytes = (names: readonly string[]) => names.reduce((sum, name) => sum + name.length + 40, 0);
  const own = Math.max(...dataset.tables.map(({ tags = [] }) => bytes(tags)));
  return bytes(dataset.tags.map(({ name }) => name)) + own;
}
