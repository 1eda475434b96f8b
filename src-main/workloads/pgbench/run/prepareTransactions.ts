import { entryOf } from '../../../../src-shared/entryOf.ts';
import { AppError } from '../../../../src-shared/errors.ts';
import type { SqlClient, SqlResult } from '../../../databases/sqlClient.ts';
import type { PreparedTransactions, TransactionSourceSpec } from '../../transactions.ts';
import { type RunOptions, runSchema } from './options.ts';

/** What pgbench does once before a run: finds out the scale and the partitions, vacuums, empties the history. */
export async function preparePgbenchRun(
  source: TransactionSourceSpec,
  client: SqlClient,
): Promise<PreparedTransactions> {
  const options = runSchema.parse(source.parameters);
  const notes: string[] = [];
  const builtin = options.scripts.some((script) => 'builtin' in script);
  const found = builtin ? await tablesFound(client, options.dbName) : null;
  const scale = found?.scale ?? options.scale ?? 1;
  if (found && options.scale !== undefined && options.scale !== found.scale)
    notes.push(`scale option ignored, using count from pgbench_branches table (${found.scale})`);
  await vacuum(client, options, notes);
  return {
    source: { ...source, parameters: { ...options, scale } },
    facts: {
      scale,
      partitionMethod: found?.partitionMethod ?? null,
      partitions: found?.partitions ?? 0,
    },
    notes,
  };
}

interface TablesFound {
  scale: number;
  partitionMethod: string | null;
  partitions: number;
}

const countBranches = 'SELECT count(*) FROM pgbench_branches';
/** Strategy and number of the partitions of the first pgbench_accounts on the search path. */
const askPartitions = `SELECT p.partstrat, count(i.inhrelid)
FROM pg_catalog.pg_class AS c
LEFT JOIN pg_catalog.pg_partitioned_table AS p ON p.partrelid = c.oid
LEFT JOIN pg_catalog.pg_inherits AS i ON i.inhparent = c.oid
WHERE c.oid = to_regclass('pgbench_accounts')
GROUP BY p.partstrat`;
const partitionMethods: Readonly<Record<string, string>> = { r: 'range', h: 'hash' };

async function tablesFound(client: SqlClient, database: string): Promise<TablesFound> {
  const scale = Number((await ask(client, countBranches, database))?.rows[0]?.[0]);
  if (scale <= 0 || !Number.isSafeInteger(scale))
    throw new AppError({
      code: 'bad-input',
      message: 'pgbench_branches has no rows: the tables are not filled',
      place: { database },
      hint: 'Add a step pgbench.init before this one.',
    });
  // Servers before 10 have no catalog of partitions: nothing is partitioned there.
  const { error, results } = await client.query(askPartitions, true);
  const [strategy, partitions] = (error ? undefined : results[0]?.rows[0]) ?? [];
  const partitionMethod = entryOf(partitionMethods, strategy ?? '') ?? null;
  return { scale, partitionMethod, partitions: partitionMethod === null ? 0 : Number(partitions) };
}

async function ask(client: SqlClient, text: string, database: string): Promise<SqlResult | undefined> {
  const { error, results } = await client.query(text, true);
  if (error?.state === '42P01')
    throw new AppError({
      code: 'bad-input',
      message: `There are no tables of pgbench in the database ${database}`,
      place: { database },
      detail: error.message,
      hint: 'Add a step pgbench.init before this one, or set dbName to the database that has them.',
    });
  if (error) throw client.toError(error, text);
  return results[0];
}

/** Errors are told and not minded, as pgbench does: a run of one's own scripts may have no such tables. */
async function vacuum(client: SqlClient, options: RunOptions, notes: string[]): Promise<void> {
  const statements = [
    ...(options.noVacuum
      ? []
      : ['VACUUM pgbench_branches', 'VACUUM pgbench_tellers', 'TRUNCATE pgbench_history']),
    ...(options.vacuumAll && !options.noVacuum ? ['VACUUM ANALYZE pgbench_accounts'] : []),
  ];
  for (const statement of statements) {
    const { error } = await client.query(statement);
    if (error) notes.push(`${statement}: ${error.message} (ignoring this error and continuing anyway)`);
  }
}
