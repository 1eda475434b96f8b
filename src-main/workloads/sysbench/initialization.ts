import { z } from 'zod';
import type { SqlClient, SqlOutcome } from '../../databases/sqlClient.ts';
import { checkCopied } from '../copied.ts';
import type { Initialization, InitializationSpec, InitializationStep } from '../transactions.ts';
import { type PrepareOptions, prepareSchema } from './prepareOptions.ts';
import { copyChunks, copyStatement, inserts } from './rows.ts';
import { createIndex, createTable, tableName, tableNames } from './tables.ts';

const specSchema = prepareSchema.extend({
  /** Drop the tables and make none. */
  cleanup: z.boolean().default(false),
});

/** Makes the tables, their rows and their second index, in sysbench's order: the index last, that of 0.4 first. */
export function openSysbenchInitialization(source: InitializationSpec): Initialization {
  const options = specSchema.parse(source.parameters);
  const { sysbenchVersion: version, tables, tableSize, autoInc, createSecondary } = options;
  const indexFirst = version === '0.4';
  const step = (
    name: string,
    doing: string,
    run: InitializationStep['run'],
    more: Partial<InitializationStep> = {},
  ): InitializationStep => ({ name, doing, rows: 0, tasks: 1, run, ...more });
  const dropping = step('drop tables', 'Dropping tables', (_, client) => drop(client, tableNames(options)));
  if (options.cleanup) return { steps: [dropping] };
  return {
    steps: [
      dropping,
      step('create tables', 'Creating tables', async (_, client) => {
        for (let table = 1; table <= tables; table += 1) {
          await execute(client, createTable(tableName(version, table), autoInc));
          if (indexFirst && createSecondary) await execute(client, createIndex(version, table));
        }
      }),
      step(
        'insert rows',
        'Inserting rows',
        (task, client, report) =>
          options.writeMode === 'copy'
            ? copy(client, options, task + 1, report)
            : insert(client, options, task + 1, report),
        { rows: tables * tableSize, tasks: tables },
      ),
      ...(createSecondary && !indexFirst
        ? [
            step(
              'create indexes',
              'Creating secondary indexes',
              (task, client) => execute(client, createIndex(version, task + 1)),
              { tasks: tables },
            ),
          ]
        : []),
    ],
  };
}

/** While the server works on one statement the next is made. */
async function insert(
  client: SqlClient,
  options: PrepareOptions,
  table: number,
  report: (rows: number) => void,
): Promise<void> {
  let running: Promise<void> = Promise.resolve();
  for (const { text, rows } of inserts(options, table)) {
    await running;
    running = execute(client, text).then(() => report(rows));
  }
  await running;
}

async function copy(
  client: SqlClient,
  options: PrepareOptions,
  table: number,
  report: (rows: number) => void,
): Promise<void> {
  let sent = 0;
  function* chunks() {
    for (const { bytes, rows } of copyChunks(options, table)) {
      yield bytes;
      sent += rows;
      report(rows);
    }
  }
  const text = copyStatement(options, table);
  const outcome = await client.copyIn(text, chunks());
  done(client, outcome, text);
  checkCopied(outcome, sent, text);
}

/** One by one: a transaction that drops thousands of them needs more locks than a server usually has. */
async function drop(client: SqlClient, tables: readonly string[]): Promise<void> {
  for (const table of tables) await execute(client, `DROP TABLE IF EXISTS ${table}`);
}

async function execute(client: SqlClient, text: string): Promise<void> {
  done(client, await client.query(text), text);
}

/** Statements can be half a megabyte; their beginning says which it was. */
const shownCharacters = 200;

function done(client: SqlClient, outcome: SqlOutcome, text: string): void {
  if (outcome.error === null) return;
  throw client.toError(
    outcome.error,
    text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text,
  );
}
