import { AppError } from '../../../src-shared/errors.ts';
import type { Dataset, RowSink } from '../driver.ts';
import type { Batch } from '../postgresql/batch.ts';
import { IlpRows } from '../questdb/ilpRows.ts';

/**
 * A row whose first field is NULL has this one as well: a line needs a field, and so the rows of a table are the values of
 * its first field and those of this one.
 */
export const noValue = 'no_value';

/** Rows in InfluxDB's line protocol, for servers that know no NULL: one is left out. */
export class LineRows implements RowSink {
  readonly batch: Batch;
  readonly #rows: IlpRows;
  readonly #values: Float64Array[];

  constructor(dataset: Dataset) {
    this.#rows = new IlpRows(marked(dataset), false);
    this.batch = this.#rows.batch;
    this.#values = dataset.tables.map(({ fields }) => new Float64Array(fields.length + 1));
  }

  row(
    table: number,
    device: number,
    timeMs: number,
    nanos: number,
    values: Float64Array,
    missingTag?: number,
  ): void {
    const own = this.#values[table];
    if (own === undefined) throw new RangeError(`the data set has no table ${table}`);
    const last = own.length - 1;
    for (let i = 0; i < last; i += 1) own[i] = values[i] ?? Number.NaN;
    own[last] = Number.isNaN(own[0] ?? Number.NaN) ? 1 : Number.NaN;
    this.#rows.row(table, device, timeMs, nanos, own, missingTag);
  }
}

const kept = new WeakMap<Dataset, Dataset>();

/** The same for all writers of a thread, so that they share what is made of it. */
function marked(dataset: Dataset): Dataset {
  const found = kept.get(dataset);
  if (found !== undefined) return found;
  const made: Dataset = {
    ...dataset,
    tables: dataset.tables.map((table) => ({
      ...table,
      fields: [...table.fields, { name: noValue, type: 'integer' as const }],
    })),
    deviceTags: (device) => dataset.deviceTags(device).map(checkedTag),
    ...(dataset.tableTags && {
      tableTags: (table: number, device: number) =>
        (dataset.tableTags?.(table, device) ?? []).map(checkedText),
    }),
  };
  kept.set(dataset, made);
  return made;
}

function checkedTag(value: string | number | null): string | number | null {
  if (typeof value !== 'string') return value;
  return value === '' ? null : checkedText(value);
}

/** What the line protocol has no escape for. */
const refused = /[\\\n\r]/;

function checkedText(text: string): string {
  if (!refused.test(text)) return text;
  throw new AppError({
    code: 'bad-input',
    message: `The line protocol cannot carry the tag value ${JSON.stringify(text.slice(0, 80))}`,
    hint: 'Values of tags have no line ends and no backslashes.',
  });
}

/** @throws AppError `bad-input` for a name that the line protocol cannot carry */
export function checkNames(dataset: Dataset): void {
  const bad =
    dataset.tables.map(({ name }) => name).find((name) => name === '' || /[\\\n\r=]/.test(name)) ??
    [
      ...dataset.tags,
      ...dataset.tables.flatMap(({ tags = [], fields }) => [...tags.map((name) => ({ name })), ...fields]),
    ]
      .map(({ name }) => name)
      .find((name) => name === '' || name === noValue || refused.test(name));
  if (bad === undefined) return;
  throw new AppError({
    code: 'bad-input',
    message: `The line protocol cannot carry the name ${JSON.stringify(bad.slice(0, 80))}`,
    hint: 'Names have no line ends and no backslashes.',
  });
}
