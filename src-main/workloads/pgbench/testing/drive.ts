import type { SqlClient } from '../../../databases/sqlClient.ts';
import { freshTransaction } from '../../testTransaction.ts';
import type { TransactionClient, TransactionSource } from '../../transactions.ts';
import { openPgbenchInitialization } from '../init/initialization.ts';
import { initSchema } from '../init/options.ts';
import { openPgbenchTransactions } from '../run/openTransactions.ts';
import { runSchema } from '../run/options.ts';
import { preparePgbenchRun } from '../run/prepareTransactions.ts';

/** The workload without the loader around it. */

/** Makes the tables as a plan with these parameters does. @returns rows reported */
export async function makeTables(client: SqlClient, parameters: Record<string, unknown>): Promise<number> {
  const own = initSchema.parse(parameters);
  let rows = 0;
  for (const step of openPgbenchInitialization({ workload: 'pgbench', parameters: own }).steps)
    await step.run(0, client, (more) => {
      rows += more;
    });
  return rows;
}

/** The transactions of a plan with these parameters, after what is done before a run. */
export async function prepareRun(
  client: SqlClient,
  parameters: Record<string, unknown>,
): Promise<{ source: TransactionSource; facts: Record<string, unknown>; notes: string[] }> {
  const own = runSchema.parse({ dbName: 'any', randomSeed: 7, ...parameters });
  const prepared = await preparePgbenchRun({ workload: 'pgbench', parameters: own }, client);
  return { ...prepared, source: openPgbenchTransactions(prepared.source) };
}

export interface Told {
  done: number;
  failures: Record<string, number>;
  retries: number;
  conflicts: Record<string, number>;
  reads: number;
  writes: number;
  others: number;
}

/** Each client runs so many transactions at the same time as the others. */
export async function runTransactions(
  source: TransactionSource,
  connections: readonly SqlClient[],
  transactions: number,
  mayRetry?: () => boolean,
): Promise<Told> {
  const told: Told = { done: 0, failures: {}, retries: 0, conflicts: {}, reads: 0, writes: 0, others: 0 };
  const run = async (client: TransactionClient) => {
    for (let i = 0; i < transactions; i++) {
      const transaction = freshTransaction(told.conflicts, mayRetry);
      transaction.script = client.draw?.() ?? 0;
      await client.transact(transaction);
      const { failure, retries, reads, writes, others } = transaction;
      if (failure === null) told.done++;
      else told.failures[failure] = (told.failures[failure] ?? 0) + 1;
      told.retries += retries;
      told.reads += reads;
      told.writes += writes;
      told.others += others;
    }
  };
  await Promise.all(
    connections.map(async (connection, number) => {
      const client = source.openClient(number);
      await client.connected(connection);
      await run(client);
    }),
  );
  return told;
}
