import type {
  Job,
  JobResult,
  LoadWork,
  OperationTotal,
  QueriesWork,
  Snapshot,
  TransactionsWork,
} from '../job.ts';
import { type JobOptions, runJob } from '../runJob.ts';
import { type FakeConnection, fakeEndpoint, fakeEntry } from './fakes.ts';
import type { FakeTransactions } from './fakeTransactions.ts';

const prepared = { database: 'benchmark', notes: [], driver: {} };
export function load(rows: number, options: Partial<LoadWork> = {}): LoadWork {
  return {
    kind: 'load',
    rows: { workload: 'fake', parameters: { rows } },
    prepared,
    workers: 3,
    batchSize: 100,
    hashWorkers: false,
    insertIntervals: [],
    seed: 0,
    ...options,
  };
}
export function queries(rows: number, options: Partial<QueriesWork> = {}): QueriesWork {
  return {
    kind: 'queries',
    name: 'lastpoint',
    queries: { workload: 'fake', parameters: { rows } },
    database: 'benchmark',
    dialect: 'fake',
    workers: 3,
    ratePerSecond: 0,
    burnIn: 0,
    prewarm: false,
    ...options,
  };
}

export function transactions(
  parameters: FakeTransactions,
  options: Partial<TransactionsWork> = {},
): TransactionsWork {
  return {
    kind: 'transactions',
    transactions: { workload: 'fake', parameters },
    scripts: parameters.scripts ?? ['only'],
    statements: 0,
    database: 'benchmark',
    workers: 4,
    threads: 2,
    seconds: null,
    transactionsPerClient: 25,
    transactionsInAll: null,
    ratePerSecond: 0,
    latencyLimitMs: null,
    reconnect: false,
    inTurn: true,
    warmupSeconds: 0,
    statementLatencies: false,
    onError: 'end-client',
    seed: 7,
    ...options,
  };
}

/** Runs a job on the fakes and keeps what it tells. */
export async function run(
  work: Job['work'],
  size: number,
  connection: FakeConnection = {},
  options: Partial<JobOptions> = {},
) {
  const { endpoint, hits } = fakeEndpoint(size, connection);
  const snapshots: Snapshot[] = [];
  const events: string[] = [];
  const result = await runJob(
    { endpoint, work },
    {
      signal: new AbortController().signal,
      entry: fakeEntry,
      threads: 2,
      onSnapshot: (snapshot) => snapshots.push(snapshot),
      onEvent: (text) => events.push(text),
      ...options,
    },
  );
  return { result, first: firstOf(result), hits, snapshots, events };
}

function firstOf(result: JobResult): OperationTotal {
  const [operation] = result.operations;
  if (!operation) throw new Error('a job has an operation');
  return operation;
}

/** How often each row was acknowledged: times → number of rows. */
export function histogramOf(hits: Int32Array): Record<number, number> {
  const times: Record<number, number> = {};
  for (const n of hits) times[n] = (times[n] ?? 0) + 1;
  return times;
}
