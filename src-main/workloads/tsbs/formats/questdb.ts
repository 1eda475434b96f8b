import type { Dataset } from '../../../databases/driver.ts';
import {
  devicePrefixes,
  type FileFormat,
  integerBytes,
  nanosecondTexts,
  tagBytes,
  valueBytes,
} from './fileFormat.ts';

const comma = 44;
const newline = 10;
const space = 32;
const integerSuffix = 105;

/** TSBS's format for QuestDB, the Influx line protocol: one line a row, without a header. */
export const questdbFormat: FileFormat = {
  header: () => '',

  rowBytes(dataset) {
    const names = dataset.tables.map((t) => t.fields.reduce((sum, field) => sum + field.name.length + 1, 0));
    return tagBytes(dataset) + Math.max(...names) + valueBytes(dataset) + integerBytes;
  },

  sink(dataset, writer) {
    const timeText = nanosecondTexts();
    const tables = dataset.tables.map((table, index) => ({
      prefix: devicePrefixes(dataset.devices, (device) => linePrefix(dataset, index, device)),
      without: (device: number, missing: number) =>
        Buffer.from(linePrefix(dataset, index, device, missing), 'latin1'),
      fields: table.fields.map((field) => ({
        name: Buffer.from(`${field.name}=`, 'latin1'),
        integer: field.type === 'integer',
      })),
    }));
    return {
      row(tableIndex, device, timeMs, nanos, values, missingTag) {
        const table = tables[tableIndex];
        if (table === undefined) throw new RangeError(`no table ${tableIndex}`);
        const start = writer.length;
        const prefix = missingTag === undefined ? table.prefix(device) : table.without(device, missingTag);
        writer.bytes(prefix);
        // Tags that are numbers are fields here, and already part of the prefix.
        let separated = prefix[prefix.length - 1] !== space;
        let empty = !separated;
        for (let i = 0; i < table.fields.length; i++) {
          const value = values[i] as number;
          if (Number.isNaN(value)) continue;
          const field = table.fields[i];
          if (field === undefined) continue;
          if (separated) writer.byte(comma);
          separated = true;
          empty = false;
          writer.bytes(field.name);
          if (field.integer) {
            writer.integer(value);
            writer.byte(integerSuffix);
          } else writer.double(value);
        }
        if (empty) {
          // TSBS drops a row without any field.
          writer.cut(start);
          return;
        }
        writer.byte(space);
        writer.bytes(timeText(timeMs, nanos));
        writer.byte(newline);
      },
    };
  },
};

function linePrefix(dataset: Dataset, table: number, device: number, missing?: number): string {
  const { name = '', tags = [] } = dataset.tables[table] ?? {};
  const own = dataset.tableTags?.(table, device) ?? [];
  const values = dataset.deviceTags(device).map((value, i) => (i === missing ? null : value));
  const present = dataset.tags
    .map((tag, i) => ({ tag, value: values[i] ?? null }))
    .filter(({ value }) => value !== null);
  const text = (numbers: boolean) =>
    present
      .filter(({ tag }) => (tag.type === 'string') !== numbers)
      .map(({ tag, value }) => `${tag.name}=${value}`);
  const texts = [...text(false), ...tags.map((tag, i) => `${tag}=${own[i]}`)];
  return `${[name, ...texts].join(',')} ${text(true).join(',')}`;
}
