import type { SqlClient } from '../../../databases/sqlClient.ts';
import { freshTransaction } from '../../testTransaction.ts';
import { openSysbenchInitialization } from '../initialization.ts';
import { prepareSchema } from '../prepareOptions.ts';
import { runSchema } from '../runOptions.ts';
import { openSysbenchTransactions } from '../transactions.ts';

/** The workload without the loader around it: one connection after the other's part, or several in turn. */

export interface Told {
  reads: number;
  writes: number;
  others: number;
  retries: number;
  conflicts: Record<string, number>;
}

/** Makes the tables as a plan with these parameters does. @returns rows reported */
export async function prepareTables(client: SqlClient, parameters: Record<string, unknown>): Promise<number> {
  const own = prepareSchema.parse({ randSeed: 1, ...parameters });
  const { steps } = openSysbenchInitialization({ workload: 'sysbench', parameters: own });
  let rows = 0;
  for (const step of steps) {
    const before = rows;
    for (let task = 0; task < step.tasks; task += 1) {
      await step.run(task, client, (more) => {
        rows += more;
      });
    }
    if (rows - before !== step.rows) throw new Error(`${step.name} reported ${rows - before} rows`);
  }
  return rows;
}

/** Each client runs so many events at the same time as the others. */
export async function runEvents(
  clients: readonly SqlClient[],
  events: number,
  parameters: Record<string, unknown>,
): Promise<Told> {
  const own = runSchema.parse({ randSeed: 1, threads: clients.length, ...parameters });
  const source = openSysbenchTransactions({ workload: 'sysbench', parameters: own });
  const told: Told = { reads: 0, writes: 0, others: 0, retries: 0, conflicts: {} };
  await Promise.all(
    clients.map(async (sql, number) => {
      const client = source.openClient(number);
      await client.connected(sql);
      for (let i = 0; i < events; i += 1) {
        const transaction = freshTransaction(told.conflicts);
        await client.transact(transaction);
        told.reads += transaction.reads;
        told.writes += transaction.writes;
        told.others += transaction.others;
        told.retries += transaction.retries;
      }
    }),
  );
  return told;
}
