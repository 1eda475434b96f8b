import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { AppError, cancelled } from '../../../src-shared/errors.ts';
import type { Dataset, Prepared, PrepareOptions } from '../driver.ts';
import { isUsable, lookUp, timescaleSchema, whyPlain } from '../timescaledb/index.ts';
import type { Control } from './control.ts';
import { placeOf } from './dial.ts';
import { layoutOf } from './layout.ts';
import { loadOptionsSchema, writeModeOf } from './loadOptions.ts';
import { tableStatements, tagsStatements } from './schema.ts';
import { quoteName } from './statements.ts';

/** TSBS: 600 looks, 100 ms apart. */
const waits = { count: 600, ms: 100 };

/** What `count` and `writeDevices` need of `prepare`, beside the layout. */
export const preparedSchema = z.object({
  useJsonbTags: z.boolean(),
  createMetricsTable: z.boolean(),
  /** Rows that were in tables found, not made. */
  rowsBefore: z.record(z.string(), z.int()),
});

/** Makes the tables in a database that is there. */
export async function prepareTables(
  control: Control,
  dataset: Dataset,
  options: PrepareOptions,
  signal: AbortSignal,
): Promise<Prepared> {
  const load = loadOptionsSchema.parse(options.engine);
  const layout = layoutOf(dataset, writeModeOf(load), load.inTablePartitionTag);
  const notes: string[] = [];
  const tables = dataset.tables.map((table) => table.name);
  let rowsBefore: Record<string, number> = {};
  if (load.createMetricsTable) {
    const [taken] = await existing(control, [...tables, 'tags'], signal);
    if (taken !== undefined) throw tableTaken(control, taken);
    const timescale = await control.one(timescaleSchema, lookUp, [], signal);
    const plain = load.useHypertable ? whyPlain(timescale) : null;
    if (plain !== null) notes.push(plain);
    const hypertables = load.useHypertable && isUsable(timescale) ? timescale : null;
    const statements = [
      ...tagsStatements(dataset, load),
      ...tableStatements(dataset, layout, load, hypertables),
    ];
    for (const statement of statements) await control.execute(statement, signal);
  } else {
    await waitForTables(control, [...tables, 'tags'], signal);
    notes.push('The tables were there already: their columns and indexes are as found.');
    rowsBefore = await countRows(control, tables, signal);
  }
  const { useJsonbTags, createMetricsTable } = load;
  return {
    database: options.database,
    notes,
    driver: { ...layout, useJsonbTags, createMetricsTable, rowsBefore },
  };
}

/** Which of the names are taken in the schema that new tables go to. */
async function existing(control: Control, names: readonly string[], signal: AbortSignal): Promise<string[]> {
  const rows = await control.rows(
    z.object({ relname: z.string() }),
    `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = current_schema() AND c.relname = ANY ($1)`,
    [names],
    signal,
  );
  return rows.map((row) => row.relname);
}

function tableTaken(control: Control, table: string): AppError {
  return new AppError({
    code: 'database-not-ours',
    message: `The database ${control.database} has a table ${table} already`,
    place: placeOf(control.target, control.database),
    detail: 'Tables that exist are never dropped.',
    hint: 'Choose another database, or set doCreateDb to true for one of Benchberry’s own.',
  });
}

async function waitForTables(control: Control, names: readonly string[], signal: AbortSignal): Promise<void> {
  let missing = names;
  for (let look = 0; look < waits.count; look += 1) {
    const found = new Set(await existing(control, names, signal));
    missing = names.filter((name) => !found.has(name));
    if (missing.length === 0) return;
    await pause(waits.ms, undefined, { signal }).catch(() => {
      throw cancelled();
    });
  }
  throw new AppError({
    code: 'bad-input',
    message: `No other client made the table ${missing.join(', ')} within ${(waits.count * waits.ms) / 1000} s`,
    place: { ...placeOf(control.target, control.database), field: 'createMetricsTable' },
    hint: 'Set createMetricsTable to true in the plan that is to make the tables.',
  });
}

export async function countRows(
  control: Control,
  tables: readonly string[],
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const row = await control.one(
      z.object({ count: z.coerce.number() }),
      `SELECT count(*) AS count FROM ${quoteName(table)}`,
      [],
      signal,
    );
    counts[table] = row.count;
  }
  return counts;
}
