import { z } from 'zod';
import { durationMs } from '../../../src-shared/duration.ts';
import { AppError } from '../../../src-shared/errors.ts';
import type { Dataset, Prepared, PrepareOptions } from '../driver.ts';
import type { Http } from '../http/http.ts';
import { ask, order, tableName } from './gateway.ts';
import { family, mostFields } from './keys.ts';
import {
  type Layout,
  type LoadOptions,
  layoutSchema,
  loadOptionsSchema,
  type preparedSchema,
  shapeOf,
} from './loadOptions.ts';
import { provideDatabase, tablesOf } from './ownership.ts';

/** The tags of each device. */
export const tagsTable = 'tags';
/** The attribute of a table that says how its rows lie. */
const layoutAttribute = 'BENCHBERRY_LAYOUT';
const takenName = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}$/;

const schemaSchema = z.object({ [layoutAttribute]: z.string().optional() });

/** Makes namespace and tables; a table that exists is refused. */
export async function prepareTables(
  http: Http,
  dataset: Dataset,
  options: PrepareOptions,
  signal: AbortSignal,
): Promise<Prepared> {
  const load = loadOptionsSchema.parse(options.engine);
  const shape = shapeOf(load);
  checkNames(dataset);
  await provideDatabase(http, options, signal);
  const { database } = options;
  const there = new Set(await tablesOf(http, database, signal));
  const names = [tagsTable, ...dataset.tables.map(({ name }) => name)];
  const taken = names.find((name) => there.has(name));
  if (taken !== undefined)
    throw new AppError({
      code: 'database-not-ours',
      message: `The namespace ${database} has a table ${taken} already`,
      place: { ...http.place, database },
      detail: 'Tables that exist are never dropped.',
      hint: 'Choose another database, or set doCreateDb to true for one of Benchberry’s own.',
    });
  await makeTable(http, tableName(database, tagsTable), {}, load, signal);
  for (const { name, fields } of dataset.tables) {
    const layout: Layout = {
      ...shape,
      fields: fields.map((field) => ({ name: field.name, type: field.type })),
    };
    await makeTable(
      http,
      tableName(database, name),
      { [layoutAttribute]: JSON.stringify(layout) },
      load,
      signal,
    );
  }
  return {
    database,
    notes: [
      shape.schema === 'wide'
        ? 'Wide rows: all values of a device lie in one row, and so in one region.'
        : `Time series: a row for each device and ${load.hbaseStretch}, spread by ${shape.salts} salts.`,
      'Tables begin with one region: the REST gateway cannot split them beforehand.',
    ],
    driver: {
      shape,
      resendMs: durationMs(load.resendFor),
      tables: dataset.tables.map(({ name }) => name),
    } satisfies z.infer<typeof preparedSchema>,
  };
}

async function makeTable(
  http: Http,
  name: string,
  attributes: Record<string, string>,
  load: LoadOptions,
  signal: AbortSignal,
): Promise<void> {
  const json = {
    name,
    ...attributes,
    ...(load.hbaseDurability !== 'USE_DEFAULT' && { DURABILITY: load.hbaseDurability }),
    ...(load.hbaseSplitAt > 0 && { MAX_FILESIZE: String(load.hbaseSplitAt * 1024 * 1024) }),
    ColumnSchema: [
      {
        name: family,
        VERSIONS: '1',
        COMPRESSION: load.hbaseCompression,
        DATA_BLOCK_ENCODING: load.hbaseEncoding,
        BLOOMFILTER: load.hbaseBloomFilter,
      },
    ],
  };
  await order(http, { method: 'PUT', path: `/${name}/schema`, json }, signal);
}

/** How rows of a table lie; null for a table of somebody else's. @throws AppError where there is no such table */
export async function layoutOf(http: Http, table: string, signal: AbortSignal): Promise<Layout | null> {
  const text = (await ask(http, `/${table}/schema`, schemaSchema, signal))[layoutAttribute];
  return text === undefined ? null : layoutSchema.parse(JSON.parse(text));
}

/** @throws AppError `bad-input` */
function checkNames({ tables }: Dataset): void {
  for (const { name, fields } of tables) {
    const wrong = (message: string, hint: string) => {
      throw new AppError({ code: 'bad-input', message, hint });
    };
    if (!takenName.test(name) || name === tagsTable)
      wrong(
        `HBase takes no table of the name ${JSON.stringify(name.slice(0, 80))}`,
        `A name has letters, digits and _ . - only, and is not ${tagsTable}.`,
      );
    if (fields.length > mostFields)
      wrong(`The table ${name} has ${fields.length} fields`, `At most ${mostFields} have a number.`);
  }
}
