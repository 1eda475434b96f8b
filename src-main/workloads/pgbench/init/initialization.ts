import type { SqlClient, SqlOutcome } from '../../../databases/sqlClient.ts';
import { checkCopied } from '../../copied.ts';
import type { Initialization, InitializationSpec, InitializationStep } from '../../transactions.ts';
import { accountChunks } from './accounts.ts';
import { type InitOptions, initSchema, stepLetters } from './options.ts';
import {
  accountsPerScale,
  createTables,
  dropTables,
  foreignKeys,
  primaryKeys,
  serverSideRows,
  smallRows,
  tellersPerScale,
  truncateTables,
  vacuumTables,
} from './tables.ts';

/** pgbench's initialisation: its steps in the order of their letters. */
export function openPgbenchInitialization(source: InitializationSpec): Initialization {
  const options = initSchema.parse(source.parameters);
  return { steps: stepLetters(options).map((letter) => stepOf(letter, options)) };
}

function stepOf(letter: string, options: InitOptions): InitializationStep {
  const rows = options.scale * (1 + tellersPerScale + accountsPerScale);
  switch (letter) {
    case 'd':
      return plain('drop tables', 'Dropping old tables', [dropTables]);
    case 't':
      return plain('create tables', 'Creating tables', createTables(options));
    case 'g':
      return {
        ...{ name: 'client-side generate', doing: 'Generating data (client-side)', rows, tasks: 1 },
        run: (_task, client, report) => generate(client, options, report),
      };
    case 'G': {
      const statements = ['BEGIN', truncateTables, ...serverSideRows(options), 'COMMIT'];
      return plain('server-side generate', 'Generating data (server-side)', statements, rows);
    }
    case 'v':
      return plain('vacuum', 'Vacuuming', vacuumTables);
    case 'p':
      return plain('primary keys', 'Creating primary keys', primaryKeys(options));
    default:
      return plain('foreign keys', 'Creating foreign keys', foreignKeys);
  }
}

/** A step of statements one after the other; rows that it makes are there once they are all done. */
function plain(name: string, doing: string, statements: readonly string[], rows = 0): InitializationStep {
  return {
    ...{ name, doing, rows, tasks: 1 },
    async run(_task, client, report) {
      for (const statement of statements) await execute(client, statement);
      report(rows);
    },
  };
}

/** One transaction with the TRUNCATE: the server may then leave out the write-ahead log, and freeze the rows at once. */
async function generate(
  client: SqlClient,
  options: InitOptions,
  report: (rows: number) => void,
): Promise<void> {
  await execute(client, 'BEGIN');
  await execute(client, truncateTables);
  for (const statement of smallRows(options)) await execute(client, statement);
  report(options.scale * (1 + tellersPerScale));
  const freeze = options.partitions === 0 && (await serverVersion(client)) >= firstWithFreeze;
  const copy = `COPY pgbench_accounts FROM STDIN${freeze ? ' WITH (FREEZE ON)' : ''}`;
  let sent = 0;
  function* chunks() {
    for (const { bytes, rows } of accountChunks(options.scale)) {
      yield bytes;
      sent += rows;
      report(rows);
    }
  }
  const outcome = await client.copyIn(copy, chunks());
  check(client, outcome, copy);
  checkCopied(outcome, sent, copy);
  await execute(client, 'COMMIT');
}

/** pgbench asks for frozen rows from here on. */
const firstWithFreeze = 140_000;

async function serverVersion(client: SqlClient): Promise<number> {
  const text = 'SHOW server_version_num';
  const outcome = await client.query(text, true);
  check(client, outcome, text);
  return Number(outcome.results[0]?.rows[0]?.[0]);
}

async function execute(client: SqlClient, statement: string): Promise<void> {
  check(client, await client.query(statement), statement);
}
function check(client: SqlClient, outcome: SqlOutcome, statement: string): void {
  if (outcome.error !== null) throw client.toError(outcome.error, statement);
}
