import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import { BackOff } from '../http/backOff.ts';
import type { Http } from '../http/http.ts';
import { quoteName, quoteText } from './names.ts';
import { ask, execute } from './sql.ts';

/**
 * QuestDB has no comments on tables: which ones are Benchberry's stands in a table of its own, by name and by the number
 * that the server gives each new table, so that another one of the same name is not taken for it.
 */
export const marks = 'benchberry_tables';
const heldMs = 30_000;

/** `name` before 7.4. */
const tableSchema = z
  .object({ id: z.coerce.number(), table_name: z.string().optional(), name: z.string().optional() })
  .transform((row) => ({ id: row.id, name: row.table_name ?? row.name ?? '' }));
type Table = z.infer<typeof tableSchema>;

/** Those of these tables that exist. */
export async function existing(http: Http, names: readonly string[], signal: AbortSignal): Promise<Table[]> {
  const tables = await ask(http, tableSchema, 'SELECT * FROM tables()', signal);
  return tables.filter(({ name }) => names.includes(name));
}

async function marked(http: Http, signal: AbortSignal): Promise<Table[]> {
  if ((await existing(http, [marks], signal)).length === 0) return [];
  return ask(http, tableSchema, `SELECT id, name FROM ${marks}`, signal);
}

/** Puts Benchberry's mark on tables that it has made. */
export async function mark(http: Http, names: readonly string[], signal: AbortSignal): Promise<void> {
  await execute(http, `CREATE TABLE IF NOT EXISTS ${marks} (name SYMBOL, id LONG, made TIMESTAMP)`, signal);
  for (const { name, id } of await existing(http, names, signal))
    await execute(http, `INSERT INTO ${marks} VALUES (${quoteText(name)}, ${id}, now())`, signal);
}

/** @throws AppError `database-not-ours` naming the first table that Benchberry has not made: none is dropped then */
export async function dropOurs(http: Http, names: readonly string[], signal: AbortSignal): Promise<void> {
  const [tables, ours] = [await existing(http, names, signal), await marked(http, signal)];
  for (const { name, id } of tables) {
    if (ours.some((own) => own.name === name && own.id === id)) continue;
    throw taken(http, name, 'Only tables that Benchberry made and marked are ever dropped.');
  }
  for (const { name } of tables) await drop(http, name, signal);
}

/** A table that rows have just gone to over TCP is held for a moment by what wrote them. */
async function drop(http: Http, name: string, signal: AbortSignal): Promise<void> {
  const backOff = new BackOff(heldMs);
  for (;;) {
    try {
      return await execute(http, `DROP TABLE ${quoteName(name, 'table')}`, signal);
    } catch (error) {
      const held = error instanceof AppError && /could not lock|table busy/i.test(error.detail ?? '');
      if (!held || backOff.over) throw error;
      await backOff.pause(null, signal);
    }
  }
}

export function taken(http: Http, name: string, detail: string): AppError {
  return new AppError({
    code: 'database-not-ours',
    message: `The table ${name} exists and was not made by Benchberry`,
    place: http.place,
    detail: `It is left as it is. ${detail}`,
    hint: 'Rename the table or use another server; or set appendToTables to true, and doCreateDb to false, to load into it.',
  });
}
