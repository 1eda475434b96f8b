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

/** TSBS's format for TimescaleDB: a header with the columns, then a line of tags and a line of values for each row. */
export const timescaledbFormat: FileFormat = {
  header(dataset) {
    const tags = dataset.tags.map((tag) => `,${tag.name} ${tag.type}`).join('');
    const tables = dataset.tables
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((table) => [table.name, ...table.fields.map((field) => field.name)].join(','));
    return `tags${tags}\n${tables.join('\n')}\n\n`;
  },

  rowBytes: (dataset) => tagBytes(dataset) + valueBytes(dataset) + integerBytes,

  sink(dataset, writer) {
    const timeText = nanosecondTexts();
    const tables = dataset.tables.map((table, index) => ({
      prefix: devicePrefixes(dataset.devices, (device) => rowPrefix(dataset, index, device)),
      without: (device: number, missing: number) =>
        Buffer.from(rowPrefix(dataset, index, device, missing), 'latin1'),
      integers: table.fields.map((field) => field.type === 'integer'),
      short: table.shortRows === true,
    }));
    return {
      row(tableIndex, device, timeMs, nanos, values, missingTag) {
        const table = tables[tableIndex];
        if (table === undefined) throw new RangeError(`no table ${tableIndex}`);
        const { prefix, without, integers, short } = table;
        writer.bytes(missingTag === undefined ? prefix(device) : without(device, missingTag));
        writer.bytes(timeText(timeMs, nanos));
        let count = integers.length;
        if (short) while (count > 0 && Number.isNaN(values[count - 1] as number)) count -= 1;
        for (let i = 0; i < count; i++) {
          const value = values[i] as number;
          writer.byte(comma);
          if (Number.isNaN(value)) continue;
          if (integers[i]) writer.integer(value);
          else writer.double(value);
        }
        writer.byte(newline);
      },
    };
  },
};

/** The line of tags, and the beginning of the line of values. */
function rowPrefix(dataset: Dataset, table: number, device: number, missing?: number): string {
  const { name = '', tags = [] } = dataset.tables[table] ?? {};
  const values = dataset.deviceTags(device);
  const own = dataset.tableTags?.(table, device) ?? [];
  const all = [
    ...dataset.tags.map((tag, i) => `,${tag.name}=${i === missing ? '' : (values[i] ?? '')}`),
    ...tags.map((tag, i) => `,${tag}=${own[i]}`),
  ];
  return `tags${all.join('')}\n${name},`;
}
