import type { SqlClient, SqlError, SqlOutcome } from '../../databases/sqlClient.ts';
import type {
  Transaction,
  TransactionClient,
  TransactionSource,
  TransactionSourceSpec,
} from '../transactions.ts';
import { openParts, type Part, type PartStep } from './parts.ts';
import { Random } from './random.ts';
import { type RunOptions, runSchema } from './runOptions.ts';
import { UniqueIds } from './uniqueIds.ts';

/** Deadlock, serialization failure, duplicate key: sysbench rolls back, counts an ignored error and begins the event again. */
const ignored: ReadonlySet<string> = new Set(['40P01', '40001', '23505']);

export function openSysbenchTransactions(source: TransactionSourceSpec): TransactionSource {
  const options = runSchema.parse(source.parameters);
  return {
    scripts: [options.script],
    statements: [],
    openClient: (number) => new Client(options, number),
  };
}

class Client implements TransactionClient {
  readonly #options: RunOptions;
  readonly #number: number;
  readonly #random: Random;
  readonly #ids: UniqueIds;
  #client: SqlClient | null = null;
  #parts: readonly Part[] = [];

  constructor(options: RunOptions, number: number) {
    this.#options = options;
    this.#number = number;
    this.#random = new Random(options.randSeed, number);
    this.#ids = new UniqueIds(options.randSeed, number, options.threads);
  }

  async connected(client: SqlClient): Promise<void> {
    this.#client = client;
    this.#parts = openParts({
      client,
      options: this.#options,
      number: this.#number,
      random: this.#random,
      ids: this.#ids,
    });
    const prepared = this.#parts.flatMap(({ steps }) =>
      steps.flatMap(({ statements }) => statements.flatMap((s) => (s.prepared === null ? [] : [s.prepared]))),
    );
    if (prepared.length === 0) return;
    const { error } = await client.prepare(prepared);
    if (error) throw client.toError(error);
  }

  /** New values for each try, and the clock goes on: as sysbench has it. */
  async transact(transaction: Transaction): Promise<void> {
    const client = this.#client;
    if (client === null) throw new Error('not connected');
    for (;;) {
      const failed = await this.#event(transaction);
      if (failed === null) return;
      const { error, step } = failed;
      if (!ignored.has(error.state)) throw client.toError(error, step.statements[0]?.text);
      transaction.conflict(error.state);
      // As the driver does, in a transaction or not; of its own error nothing can be made but the run's.
      const rollback = await client.query('ROLLBACK');
      if (rollback.error) throw client.toError(rollback.error, 'ROLLBACK');
      if (!transaction.mayRetry()) {
        transaction.failure = error.state;
        return;
      }
      transaction.retries += 1;
    }
  }

  async #event(transaction: Transaction): Promise<{ error: SqlError; step: PartStep } | null> {
    for (const part of this.#parts) {
      part.begin();
      for (let i = 0; i < part.times; i += 1) {
        for (const step of part.steps) {
          const outcome = await step.run();
          if (outcome.error !== null) return { error: outcome.error, step };
          count(transaction, outcome);
        }
      }
    }
    return null;
  }
}

/** As sysbench counts: rows that come back are a read, rows that are changed a write, anything else is something else. */
function count(transaction: Transaction, { command, affected }: SqlOutcome): void {
  if (command === 'select') transaction.reads += 1;
  else if (affected > 0) transaction.writes += 1;
  else transaction.others += 1;
}
