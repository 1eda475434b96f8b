import { AppError } from '../../../src-shared/errors.ts';
import type { SqlClient } from '../../databases/sqlClient.ts';
import type { PreparedTransactions, TransactionSourceSpec } from '../transactions.ts';
import { runSchema } from './runOptions.ts';
import { tableNames } from './tables.ts';

/** Whether the tables are there. @throws AppError `bad-input` naming the first that is not */
export async function prepareSysbenchRun(
  source: TransactionSourceSpec,
  client: SqlClient,
): Promise<PreparedTransactions> {
  const options = runSchema.parse(source.parameters);
  const used = options.script.startsWith('select_random_')
    ? tableNames(options).slice(0, 1)
    : tableNames(options);
  const text =
    `SELECT name FROM unnest('{${used.join(',')}}'::text[]) WITH ORDINALITY AS wanted(name, place) ` +
    'WHERE to_regclass(name) IS NULL ORDER BY place LIMIT 1';
  const { error, results } = await client.query(text, true);
  if (error) throw client.toError(error, text);
  const missing = results[0]?.rows[0]?.[0];
  if (typeof missing === 'string')
    throw new AppError({
      code: 'bad-input',
      message: `There is no table ${missing} in the database ${options.dbName}`,
      place: { database: options.dbName },
      hint: 'Add a step sysbench.prepare before this one, or set tables and dbName to what is there.',
    });
  return { source: { ...source, parameters: options }, facts: {}, notes: [] };
}
