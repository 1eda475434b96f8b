import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import type { Dataset, Prepared, PrepareOptions, TagType } from '../driver.ts';
import { layoutOf, layoutSchema } from '../postgresql/layout.ts';
import { type Dialled, placeOf } from './connection.ts';
import type { Link } from './link.ts';
import { type LoadOptions, loadOptionsSchema } from './loadOptions.ts';
import { quoteName, quoteText } from './quoting.ts';

const tagTypes: Record<TagType, string> = { string: 'VARCHAR(255)', float32: 'DOUBLE' };
/** Devices of one INSERT. */
const piece = 1000;

/** `Prepared.driver`: columns as the other SQL tables have them, and how rows are sent. */
export const mysqlLayoutSchema = layoutSchema.omit({ writeMode: true }).extend({
  mode: loadOptionsSchema.shape.mysqlWriteMode.unwrap(),
});
export type MysqlLayout = z.infer<typeof mysqlLayoutSchema>;

/** Makes the tables in a database that is there; any that exists is refused. */
export async function prepareTables(
  link: Link,
  target: Dialled,
  dataset: Dataset,
  options: PrepareOptions,
  signal: AbortSignal,
): Promise<Prepared> {
  const load = loadOptionsSchema.parse(options.engine);
  const names = ['tags', ...dataset.tables.map(({ name }) => name)];
  const [taken] = await link.rows(
    z.object({ name: z.string() }),
    `SELECT table_name FROM information_schema.tables WHERE table_schema = database() AND table_name IN (${names.map(quoteText).join(', ')})`,
    ['name'],
    signal,
  );
  if (taken !== undefined) {
    throw new AppError({
      code: 'database-not-ours',
      message: `The database ${options.database} has a table ${taken.name} already`,
      place: placeOf(target, options.database),
      detail: 'Tables that exist are never dropped.',
      hint: 'Choose another database, or set doCreateDb to true for one of Benchberry’s own.',
    });
  }
  for (const statement of statements(dataset, load)) await link.exchange(statement, signal);
  const { writeMode: _, ...layout } = layoutOf(dataset, 'text', false);
  return {
    database: options.database,
    notes: [],
    driver: { ...layout, mode: load.mysqlWriteMode } satisfies MysqlLayout,
  };
}

/** Times are UTC; a row belongs to the device whose `id` is its `tags_id`, as in the other SQL tables. */
function statements(dataset: Dataset, load: LoadOptions): string[] {
  const tags = dataset.tags.map(({ name, type }) => `${quoteName(name)} ${tagTypes[type]}`);
  const first = dataset.tags[0];
  return [
    `CREATE TABLE tags (${[
      'id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY',
      ...tags,
      ...(first ? [`KEY (${quoteName(first.name)})`] : []),
    ].join(', ')}) ENGINE = InnoDB`,
    ...dataset.tables.map(
      ({ name, fields }) =>
        `CREATE TABLE ${quoteName(name)} (${[
          'time DATETIME(6) NOT NULL',
          'tags_id INT UNSIGNED NOT NULL',
          'additional_tags TEXT',
          ...fields.map((field) => `${quoteName(field.name)} DOUBLE`),
          ...(load.partitionIndex ? ['KEY (tags_id, time)'] : []),
          ...(load.timeIndex ? ['KEY (time)'] : []),
        ].join(', ')}) ENGINE = InnoDB`,
    ),
  ];
}

/** The rows of the tags table; device i has id i + 1. */
export async function insertDevices(link: Link, dataset: Dataset, signal: AbortSignal): Promise<void> {
  const columns = ['id', ...dataset.tags.map(({ name }) => quoteName(name))].join(', ');
  await link.exchange('START TRANSACTION', signal);
  for (let from = 0; from < dataset.devices; from += piece) {
    const rows: string[] = [];
    for (let device = from; device < Math.min(from + piece, dataset.devices); device += 1) {
      const tags = dataset.deviceTags(device);
      const values = dataset.tags.map((_, i) => literal(tags[i] ?? null));
      rows.push(`(${[device + 1, ...values].join(', ')})`);
    }
    await link.exchange(`INSERT INTO tags (${columns}) VALUES ${rows.join(', ')}`, signal);
  }
  await link.exchange('COMMIT', signal);
}

function literal(value: string | number | null): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : quoteText(value);
}

export async function countRows(
  link: Link,
  { tables }: MysqlLayout,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await link.rows(
      z.object({ count: z.coerce.number() }),
      `SELECT count(*) FROM ${quoteName(name)}`,
      ['count'],
      signal,
    );
    counts[name] = row?.count ?? 0;
  }
  return counts;
}
