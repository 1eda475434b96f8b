import { z } from 'zod';
import { AppError } from '../../../../src-shared/errors.ts';
import type { StatementCounts } from '../../../../src-shared/stats/statements.ts';
import type { Control } from '../control.ts';
import { quoteName } from '../statements.ts';
import { marker } from './texts.ts';

/** pg_stat_statements of one database, where it has it. */
export interface StatementList {
  /** Why there is none; null where there is one. */
  readonly missing: string | null;
  counts(signal: AbortSignal): Promise<ReadonlyMap<string, StatementCounts>>;
  texts(ids: readonly string[], signal: AbortSignal): Promise<Map<string, string>>;
}

const extensionSchema = z.object({ schema: z.string() });
const columnSchema = z.object({ name: z.string() });
const countsSchema = z.object({
  id: z.string(),
  calls: z.number(),
  totalMs: z.number(),
  rows: z.number(),
  blocksHit: z.number(),
  blocksRead: z.number(),
});
const textSchema = z.object({ id: z.string(), text: z.string() });

/** Its columns changed their names over the versions: they are looked up. */
export async function openStatements(control: Control, signal: AbortSignal): Promise<StatementList> {
  const none = (missing: string): StatementList => ({
    missing,
    counts: async () => new Map(),
    texts: async () => new Map(),
  });
  const [extension] = await control.rows(
    extensionSchema,
    `SELECT n.nspname AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_stat_statements'`,
    [],
    signal,
  );
  if (extension === undefined)
    return none(
      `The extension pg_stat_statements is not in the database ${control.database}: it would tell which statements took the time.`,
    );
  const source = `${quoteName(extension.schema)}.pg_stat_statements`;
  const columns = await control.rows(
    columnSchema,
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = '${source.replaceAll("'", "''")}'::regclass AND attnum > 0`,
    [],
    signal,
  );
  const has = (name: string) => columns.some((column) => column.name === name);
  const total = has('total_exec_time') ? 'total_exec_time' : 'total_time';
  const where = `WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND queryid IS NOT NULL${has('toplevel') ? ' AND toplevel' : ''}`;
  const list: StatementList = {
    missing: null,
    async counts(own) {
      const rows = await control.rows(
        countsSchema,
        `SELECT /* ${marker} */ queryid::text AS id, sum(calls)::float8 AS calls, sum(${total})::float8 AS "totalMs", sum(rows)::float8 AS rows,
          sum(shared_blks_hit)::float8 AS "blocksHit", sum(shared_blks_read)::float8 AS "blocksRead"
          FROM ${source}(false) ${where} GROUP BY queryid`,
        [],
        own,
      );
      return new Map(rows.map(({ id, ...counts }) => [id, counts]));
    },
    async texts(ids, own) {
      const rows = await control.rows(
        textSchema,
        `SELECT /* ${marker} */ queryid::text AS id, min(query) AS text FROM ${source}(true) ${where}
          AND queryid::text = ANY($1::text[]) AND query NOT LIKE '%${marker}%' GROUP BY queryid`,
        [ids],
        own,
      );
      return new Map(rows.map(({ id, text }) => [id, withoutPasswords(text)]));
    },
  };
  try {
    await list.counts(signal);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'server-error') throw error;
    return none(
      `pg_stat_statements is in the database ${control.database}, but the server does not load it at its start (shared_preload_libraries).`,
    );
  }
  return list;
}

/**
 * A statement as it may be stored. The extension puts parameters in the place of values, but not in statements such as
 * `ALTER ROLE … PASSWORD '…'`, which other users of the database may have given meanwhile.
 */
export function withoutPasswords(text: string): string {
  return /passw/i.test(text)
    ? text.replace(/(?<!\w)E'(?:\\.|[^'\\])*'?|'[^']*'?|\$(\w*)\$.*?(?:\$\1\$|$)/gis, "'…'")
    : text;
}
