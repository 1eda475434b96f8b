import type { Tick } from '../../src-shared/model/tick.ts';
import type { TransactionFigures } from '../../src-shared/model/transactions.ts';
import { nsPerSecond } from '../load/clock.ts';
import type { OperationTotal, TransactionTotals } from '../load/job.ts';
import { lagOf } from '../load/transactionsMerger.ts';
import type { TransactionSource } from '../workloads/transactions.ts';
import type { TransactionsPhase } from '../workloads/workload.ts';

interface About {
  spec: TransactionsPhase;
  source: Pick<TransactionSource, 'scripts' | 'statements'>;
  facts: TransactionFigures['facts'];
}

/**
 * The figures of a transactions phase.
 * @param operations all transactions first; then each script's where there are several
 * @param seconds wall seconds from when all were connected to the end of the last transaction
 */
export function transactionFigures(
  operations: readonly OperationTotal[],
  { tally, threads, connectSeconds, clients }: TransactionTotals,
  seconds: number,
  { spec, source, facts }: About,
): TransactionFigures {
  const [all, ...scripts] = operations;
  const count = all?.count ?? 0;
  const { failed, retried, retries, skipped, late, reads, writes, others, conflicts } = tally;
  return {
    ...{ failed, retried, retries, skipped, late, reads, writes, others, conflicts },
    clients: spec.clients,
    threads,
    failures: tally.failures,
    endedClients: tally.endedClients,
    tps: seconds > 0 ? count / seconds : 0,
    connectSeconds,
    reconnects: tally.reconnects,
    reconnectSeconds: tally.reconnectNs / nsPerSecond,
    lag: lagOf(tally.lag),
    latencyLimitMs: spec.latencyLimitMs,
    ratePerSecond: spec.ratePerSecond,
    scripts: source.scripts.map((name, i) => ({
      name,
      count: source.scripts.length === 1 ? count : (scripts[i]?.count ?? 0),
      ...(tally.scripts[i] ?? { failed: 0, retried: 0, retries: 0, skipped: 0 }),
    })),
    statements: spec.statementLatencies ? statementFigures(tally.statements, source.statements) : [],
    fairness: {
      count: spread(clients.map((client) => client.count)),
      seconds: spread(clients.map((client) => client.seconds)),
    },
    facts,
  };
}

/**
 * The figures of a phase that has just begun with those of its ticks: what is known of it where its end is missing. Ticks
 * know no statements and not which of several scripts was run: these lists are empty rather than full of zeros.
 */
export function addTicks(begun: TransactionFigures, ticks: readonly Tick[]): TransactionFigures {
  const figures = { ...begun, conflicts: { ...begun.conflicts } };
  let lagged = 0;
  for (const { transactions: of, operations } of ticks) {
    if (of === undefined) continue;
    for (const key of summed) figures[key] += of[key];
    for (const [state, n] of Object.entries(of.conflicts))
      figures.conflicts[state] = (figures.conflicts[state] ?? 0) + n;
    figures.reconnectSeconds += of.connectSeconds;
    if (of.lag === null) continue;
    const count = operations[0]?.count ?? 0;
    const { meanUs, maxUs } = figures.lag ?? { meanUs: 0, maxUs: 0 };
    figures.lag = {
      meanUs: (meanUs * lagged + of.lag.meanUs * count) / Math.max(1, lagged + count),
      maxUs: Math.max(maxUs, of.lag.maxUs),
    };
    lagged += count;
  }
  const { failed, retried, retries, skipped } = figures;
  const [only, ...others] = begun.scripts;
  const count = ticks.reduce((all, { operations }) => all + (operations[0]?.count ?? 0), 0);
  figures.scripts =
    only && others.length === 0 ? [{ name: only.name, count, failed, retried, retries, skipped }] : [];
  figures.statements = [];
  return figures;
}
const summed = ['failed', 'retried', 'retries', 'skipped', 'late', 'reads', 'writes', 'others'] as const;

function statementFigures(
  { count, sumNs, failures, retries }: TransactionTotals['tally']['statements'],
  statements: TransactionSource['statements'],
): TransactionFigures['statements'] {
  return statements.map(({ script, text }, i) => {
    const done = count[i] ?? 0;
    return {
      script,
      text,
      count: done,
      meanUs: done === 0 ? 0 : (sumNs[i] ?? 0) / done / 1000,
      failures: failures[i] ?? 0,
      retries: retries[i] ?? 0,
    };
  });
}

/** Mean and standard deviation of the population. */
function spread(values: readonly number[]): { mean: number; stddev: number } {
  if (values.length === 0) return { mean: 0, stddev: 0 };
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, stddev: Math.sqrt(squares / values.length) };
}
