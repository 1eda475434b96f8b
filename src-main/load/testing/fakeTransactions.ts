import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import type { SqlClient, SqlOutcome } from '../../databases/sqlClient.ts';
import type { TransactionSource, TransactionSourceSpec } from '../../workloads/transactions.ts';

/** What the fake transactions do; numbers are of clients. */
const parametersSchema = z.object({
  scripts: z.array(z.string()).default(['only']),
  /** So many tries end in a serialization failure before one is done. */
  conflicts: z.int().default(0),
  /** Then it has failed. */
  gives: z.enum(['up', 'through']).default('through'),
  /** Their first transaction throws. */
  broken: z.array(z.int()).default([]),
});
export type FakeTransactions = z.input<typeof parametersSchema>;

/** A transaction is one query, its text the client's number; scripts take turns. */
export function fakeTransactions(source: TransactionSourceSpec): TransactionSource {
  const { scripts, conflicts, gives, broken } = parametersSchema.parse(source.parameters);
  return {
    scripts,
    statements: [
      { script: 0, text: 'first' },
      { script: 0, text: 'second' },
    ],
    openLog: (thread) => ({
      ended: ({ client, script, skipped }) => `${thread} ${client} ${script} ${skipped}\n`,
      rest: () => `end of ${thread}\n`,
    }),
    openClient(number) {
      let client: SqlClient | null = null;
      let turn = -1;
      return {
        async connected(connection) {
          client = connection;
        },
        draw() {
          turn += 1;
          return turn % scripts.length;
        },
        async transact(transaction) {
          if (broken.includes(number))
            throw new AppError({ code: 'server-error', message: 'Broken', detail: 'division by zero' });
          for (let i = 0; i < conflicts; i += 1) {
            transaction.conflict('40001');
            transaction.statements?.retried(1);
            if (!transaction.mayRetry()) return;
            transaction.retries += 1;
          }
          if (gives === 'up') transaction.failure = '40001';
          else await client?.query(String(number));
          transaction.reads += 3;
          transaction.writes += 1;
          transaction.others += 2;
          transaction.statements?.done(0, 2000);
        },
      };
    },
  };
}

const done: SqlOutcome = {
  error: null,
  skipped: false,
  command: 'other',
  rows: 0,
  affected: 0,
  results: [],
};

/** A connection that only takes queries. */
export function fakeClient(query: (text: string) => Promise<void>): SqlClient {
  let received = 0;
  const never = () => {
    throw new Error('the fake only takes queries');
  };
  return {
    backendPid: 1,
    block: 'none',
    get receivedBytes() {
      return received;
    },
    async query(text) {
      await query(text);
      received += 10;
      return done;
    },
    declare: never,
    prepare: never,
    execute: never,
    send: never,
    mark: never,
    sync: never,
    copyIn: never,
    toError: never,
    close: async () => undefined,
  };
}
