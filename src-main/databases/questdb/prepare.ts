import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import type { Dataset, Prepared, PrepareOptions } from '../driver.ts';
import type { Http } from '../http/http.ts';
import { onlyDatabase } from './connection.ts';
import { checkOptions, type LoadOptions, layoutOf, loadOptionsSchema } from './loadOptions.ts';
import { quoteName } from './names.ts';
import { dropOurs, existing, mark, taken } from './ownership.ts';
import { askOne, execute } from './sql.ts';

/** Version of the line protocol that brings doubles as bytes. */
const binaryVersion = 2;

const settingsSchema = z.object({
  config: z.object({ 'line.proto.support.versions': z.array(z.number()).optional() }).optional(),
});

/** Makes the tables of a data set, as QuestDB itself would on the first row, or finds them. */
export async function prepareTables(
  http: Http,
  dataset: Dataset,
  { database, doCreateDb, doAbortOnExist, engine }: PrepareOptions,
  signal: AbortSignal,
): Promise<Prepared> {
  const options = loadOptionsSchema.parse(engine);
  checkOptions(options);
  const tables = dataset.tables.map(({ name }) => name);
  const statements = dataset.tables.map((_, table) => createTable(dataset, table, options));
  const found = await existing(http, tables, signal);
  const notes = [`QuestDB has one database, ${onlyDatabase}: the tables are in it, whatever dbName says.`];
  let rowsBefore: Record<string, number> = {};
  if (found.length > 0 && doAbortOnExist) throw exists(http, found[0]?.name ?? '');
  if (options.appendToTables) {
    const missing = tables.filter((name) => !found.some((table) => table.name === name));
    if (missing.length > 0) throw notThere(http, missing);
    rowsBefore = await countRows(http, tables, signal);
    notes.push('The tables were there already: their columns and options are as found.');
  } else {
    if (found[0] && !doCreateDb) throw taken(http, found[0].name, 'doCreateDb is off.');
    await dropOurs(http, tables, signal);
    for (const statement of statements) await execute(http, statement, signal);
    await mark(http, tables, signal);
  }
  if (options.ilpTransport === 'tcp')
    notes.push('Rows go over TCP, which answers nothing: the rate is that of the sockets, not of commits.');
  const layout = layoutOf(options, {
    tables,
    rowsBefore,
    made: !options.appendToTables,
    binaryDoubles: (await protocolVersions(http, signal)).includes(binaryVersion),
  });
  const unanswered = options.ilpTransport === 'tcp';
  return { database, notes, driver: layout, ...(unanswered && { unanswered }) };
}

/** Versions of the line protocol that the server says it reads; none of one from before they had numbers. */
async function protocolVersions(http: Http, signal: AbortSignal): Promise<number[]> {
  const reply = await http.send({ path: '/settings' }, signal);
  if (reply.status !== 200) return [];
  return settingsSchema.parse(JSON.parse(reply.body)).config?.['line.proto.support.versions'] ?? [];
}

/**
 * Text tags are symbols, numbers that are tags doubles, whole numbers LONG, the rest DOUBLE; the designated timestamp comes
 * last: the table that QuestDB makes of TSBS's first row.
 */
function createTable(dataset: Dataset, table: number, options: LoadOptions): string {
  const { name = '', tags: own = [], fields = [] } = dataset.tables[table] ?? {};
  const texts = [...dataset.tags.filter(({ type }) => type === 'string').map((tag) => tag.name), ...own];
  const numbers = dataset.tags.filter(({ type }) => type !== 'string').map((tag) => tag.name);
  const capacity = options.symbolCapacity > 0 ? ` CAPACITY ${options.symbolCapacity}` : '';
  const columns = [
    ...texts.map((tag, i) => `${quoteName(tag)} SYMBOL${i === 0 ? capacity : ''}`),
    ...numbers.map((tag) => `${quoteName(tag)} DOUBLE`),
    ...fields.map((field) => `${quoteName(field.name)} ${field.type === 'integer' ? 'LONG' : 'DOUBLE'}`),
    'timestamp TIMESTAMP',
  ];
  const wal =
    options.partitionBy === 'NONE'
      ? ''
      : ` PARTITION BY ${options.partitionBy} ${options.walTables ? 'WAL' : 'BYPASS WAL'}`;
  const keys = options.deduplicate
    ? ` DEDUP UPSERT KEYS(${['timestamp', ...texts.map((tag) => quoteName(tag))].join(', ')})`
    : '';
  return `CREATE TABLE ${quoteName(name, 'table')} (${columns.join(', ')}) TIMESTAMP(timestamp)${wal}${keys}`;
}

export async function countRows(
  http: Http,
  tables: readonly string[],
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const text = `SELECT count() AS rows FROM ${quoteName(table, 'table')}`;
    counts[table] = (await askOne(http, z.object({ rows: z.int() }), text, signal)).rows;
  }
  return counts;
}

function exists(http: Http, table: string): AppError {
  return new AppError({
    code: 'bad-input',
    message: `The table ${table} exists already`,
    place: { ...http.place, field: 'doAbortOnExist' },
    hint: 'Set doAbortOnExist to false; only tables that Benchberry made are then dropped.',
  });
}

function notThere(http: Http, missing: readonly string[]): AppError {
  return new AppError({
    code: 'no-database',
    message: `There is no table ${missing.join(', ')} to append to`,
    place: { ...http.place, field: 'appendToTables' },
    hint: 'Set appendToTables to false: the tables are then made.',
  });
}
