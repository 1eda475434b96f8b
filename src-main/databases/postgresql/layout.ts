import { z } from 'zod';
import type { Dataset, Prepared } from '../driver.ts';

/** How rows are sent: see `loadOptions.ts`. */
export const writeModes = ['binary', 'text', 'insert', 'insert-single'] as const;
export type WriteMode = (typeof writeModes)[number];

/** `Prepared.driver` of this engine: everything an encoder needs, as plain data for worker threads. */
export const layoutSchema = z.object({
  writeMode: z.enum(writeModes),
  /** One per table of the data set, in its order. Columns are time, tags_id, additional_tags, [first tag], fields. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), fields: z.int() })),
  /** The first tag of each device where it is a column of every table, else null. */
  deviceNames: z.array(z.string().nullable()).nullable(),
  /** One per table: what stands in additional_tags for each device, as JSON; null where a table has no tags of its own. */
  additionalTags: z.array(z.array(z.string()).nullable()),
});
export type Layout = z.infer<typeof layoutSchema>;

export function layoutOf(dataset: Dataset, writeMode: WriteMode, inTableTag: boolean): Layout {
  const first = dataset.tags[0]?.name;
  if (inTableTag && first === undefined) throw new Error('a data set without tags has no partition tag');
  return {
    writeMode,
    tables: dataset.tables.map((table) => ({
      name: table.name,
      columns: [
        'time',
        'tags_id',
        'additional_tags',
        ...(inTableTag && first !== undefined ? [first] : []),
        ...table.fields.map((field) => field.name),
      ],
      fields: table.fields.length,
    })),
    deviceNames: inTableTag
      ? Array.from({ length: dataset.devices }, (_, i) => {
          const name = dataset.deviceTags(i)[0] ?? null;
          return name === null ? null : String(name);
        })
      : null,
    additionalTags: dataset.tables.map(({ tags }, table) =>
      tags === undefined || tags.length === 0
        ? null
        : Array.from({ length: dataset.devices }, (_, device) => {
            const values = dataset.tableTags?.(table, device) ?? [];
            return JSON.stringify(Object.fromEntries(tags.map((tag, i) => [tag, values[i] ?? null])));
          }),
    ),
  };
}

/** The id that a row gets which lacks the tag that names its device; no tags row has it, as in TSBS. */
export const namelessId = 0;

/** Reads the layout back in a worker thread. */
export function layoutFrom(prepared: Prepared): Layout {
  return layoutSchema.parse(prepared.driver);
}
