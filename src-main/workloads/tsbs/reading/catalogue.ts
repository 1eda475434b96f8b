import { z } from 'zod';
import type { Dataset, DatasetTable, TagType } from '../../../databases/driver.ts';
import { Devices } from './devices.ts';
import { knownTable } from './known.ts';

const text = z.string();
const tagValues = z.array(text.nullable());

/** What a file holds besides its rows, as plain data for the threads that load it. */
export const catalogueSchema = z.object({
  tags: z.array(z.object({ name: text, type: z.enum(['string', 'float32']) })),
  tables: z.array(
    z.object({
      name: text,
      tags: z.array(text).nullable(),
      fields: z.array(z.object({ name: text, type: z.enum(['integer', 'double']) })),
      /** Of each device, in the order of `tags`; null for one without a row in the table. */
      own: z.array(z.array(text).nullable()),
    }),
  ),
  devices: z.array(tagValues),
});
export type CatalogueData = z.infer<typeof catalogueSchema>;

export interface CatalogueTable {
  readonly name: string;
  readonly fields: { name: string; whole: boolean }[];
  /** Names of the tags that only this table's rows have; null before its first row. */
  tags: readonly string[] | null;
  /** Their values, by device. */
  readonly own: (readonly string[] | null)[];
}

/** Tags, tables and devices of a file, as far as it has been read. */
export class Catalogue {
  tags: { name: string; type: TagType }[] = [];
  readonly tables: CatalogueTable[] = [];
  readonly devices: Devices;
  /** Whether all of it is known: what is not there is then an error, not an addition. */
  readonly closed: boolean;

  constructor(data?: CatalogueData) {
    this.closed = data !== undefined;
    this.devices = new Devices(data?.devices);
    if (data === undefined) return;
    this.tags = data.tags;
    for (const { name, fields, tags, own } of data.tables)
      this.tables.push({
        name,
        fields: fields.map((field) => ({ name: field.name, whole: field.type === 'integer' })),
        tags,
        own,
      });
  }

  addTable(name: string, fields: readonly string[]): CatalogueTable {
    const table = {
      name,
      fields: fields.map((field) => ({ name: field, whole: true })),
      tags: null,
      own: [],
    };
    this.tables.push(table);
    return table;
  }

  /**
   * Notes the tags that only a table's rows have.
   * @returns what is wrong: TSBS's data has the same of them in all rows of a device
   */
  noteOwnTags(
    table: CatalogueTable,
    device: number,
    names: readonly string[],
    values: readonly string[],
  ): string | null {
    table.tags ??= names;
    if (!same(table.tags, names))
      return `a row of ${table.name} has the further tags ${list(names)}, those before have ${list(table.tags)}`;
    const before = table.own[device] ?? null;
    if (before === null) table.own[device] = values;
    else if (!same(before, values))
      return `${this.devices.tags[device]?.[0]} has the tags ${list(values)} in ${table.name}, and had ${list(before)} before`;
    return null;
  }

  data(): CatalogueData {
    const devices = this.devices.tags;
    return {
      tags: this.tags,
      devices,
      tables: this.tables.map(({ name, fields, tags, own }) => ({
        name,
        tags: tags === null ? null : [...tags],
        fields: inOrder(name, fields).map((field) => ({ name: field.name, type: typeOf(name, field) })),
        own:
          tags === null || tags.length === 0
            ? []
            : devices.map((_, i) => [...(own[i] ?? tags.map(() => ''))]),
      })),
    };
  }
}

/** As TSBS has them, where the table is TSBS's: a first row that lacked one must not change their order. */
function inOrder<F extends { name: string }>(table: string, fields: readonly F[]): F[] {
  const known = knownTable(table)?.fields.map(({ name }) => name) ?? [];
  const place = ({ name }: F) => (known.includes(name) ? known.indexOf(name) : known.length);
  return fields.toSorted((a, b) => place(a) - place(b));
}

/** TSBS's types where the table is TSBS's; its text does not tell 124 from 124.0. */
function typeOf(table: string, field: { name: string; whole: boolean }): 'integer' | 'double' {
  const known = knownTable(table)?.fields.find(({ name }) => name === field.name);
  return known?.type ?? (field.whole ? 'integer' : 'double');
}

export function datasetOf({ tags, tables, devices }: CatalogueData): Dataset {
  return {
    tags,
    tables: tables.map(({ name, fields, tags: own }): DatasetTable => {
      const shortRows = knownTable(name)?.shortRows === true;
      return { name, fields, ...(own !== null && { tags: own }), ...(shortRows && { shortRows }) };
    }),
    devices: devices.length,
    deviceTags: (device) =>
      tags.map(({ type }, i) => {
        const value = devices[device]?.[i] ?? null;
        return value !== null && type === 'float32' ? Number(value) : value;
      }),
    tableTags: (table, device) => tables[table]?.own[device] ?? [],
  };
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

function list(texts: readonly string[]): string {
  return texts.length === 0 ? 'none' : texts.join(', ');
}
