import type { Operation, Phase } from '../../src-shared/model/run.ts';
import type { Verdict } from '../../src-shared/model/verdict.ts';
import { distinctOperations } from '../../src-shared/model/wholeOperation.ts';
import { formatCount, formatCounted, formatLatency, formatRate } from '../../src-shared/units.ts';
import { limits, type PhaseEvidence } from './evidence.ts';

/** Operations that failed; asked of any phase, also of half of one. */
export function errorVerdicts({ phase }: PhaseEvidence): Verdict[] {
  const failed: Verdict[] = distinctOperations(phase, phase.operations)
    .filter((operation) => operation.errors > 0)
    .map((operation) => ({
      code: 'errors',
      reason: `${phase.name}: ${formatCount(operation.errors)} of ${formatCounted(operation.count + operation.errors, 'operation')} of ${operation.name} failed; none may. The figures cover only those that did not.`,
      advice: phase.transactions
        ? 'See the conflicts by name; more tries, fewer clients or a larger scale make them rarer.'
        : 'Read the messages in the run’s events and remove their cause.',
    }));
  return [...failed, ...endedClients(phase)];
}

function endedClients({ name, transactions }: Phase): Verdict[] {
  if (transactions === undefined || transactions.endedClients === 0) return [];
  const { endedClients: ended, clients } = transactions;
  return [
    {
      code: 'errors',
      reason: `${name}: ${formatCount(ended)} of ${formatCounted(clients, 'client')} ended in an error before the end; none may. From then on the load was that of the others.`,
      advice: 'Read the messages in the run’s events and remove their cause.',
    },
  ];
}

/** What is asked only of a phase that ran to its end. */
export function completeVerdicts(evidence: PhaseEvidence): Verdict[] {
  const { phase } = evidence;
  switch (phase.kind) {
    case 'load':
      return [...rowVerdicts(phase), ...shortLoad(phase)];
    case 'initialize':
      return rowVerdicts(phase);
    case 'queries':
      return distinctOperations(phase, phase.operations).flatMap((operation) => [
        ...rateVerdicts(evidence, operation),
        ...shortQueries(phase, operation),
      ]);
    case 'transactions':
      return [...arrivalVerdicts(evidence), ...shortTransactions(phase)];
  }
}

function rowVerdicts({ name, rows, verifiedRows, plannedRows, unanswered }: Phase): Verdict[] {
  const advice = 'Look whether something else wrote to or deleted from the database, then run it again.';
  if (verifiedRows !== null && verifiedRows !== rows)
    return [
      {
        code: 'rows-missing',
        reason: `${name}: ${unanswered ? `${formatCounted(rows, 'row was', 'rows were')} sent` : `the server acknowledged ${formatCounted(rows, 'row')}`}, but ${formatCount(verifiedRows)} are in the database.`,
        advice,
      },
    ];
  if (plannedRows !== null && plannedRows !== rows)
    return [
      {
        code: 'rows-missing',
        reason: `${name}: ${formatCounted(rows, 'row was', 'rows were')} written of the ${formatCount(plannedRows)} planned.`,
        advice,
      },
    ];
  return [];
}

function shortLoad({ name, seconds, operations }: Phase): Verdict[] {
  const batches = operations[0]?.count ?? 0;
  if (seconds >= limits.loadSeconds && batches >= limits.loadBatches) return [];
  return [
    {
      code: 'too-short',
      reason: `${name} took ${seconds.toFixed(2)} s and ${formatCounted(batches, 'batch', 'batches')}; at least ${limits.loadSeconds} s and ${limits.loadBatches} batches make a figure.`,
      advice:
        seconds >= limits.loadSeconds
          ? 'Load more rows, or make the batches smaller.'
          : 'Load more rows: a larger scale, a longer time span, or no limit.',
    },
  ];
}

function shortQueries({ name }: Phase, operation: Operation): Verdict[] {
  // A row can be read for the first time once: cold fetches are few by their nature, and are shown one by one or as a mean.
  if (operation.cache !== undefined && operation.cache !== 'warm') return [];
  if (operation.count >= limits.queriesOfType) return [];
  return [
    {
      code: 'too-short',
      reason: `${name}: ${formatCounted(operation.count, `query of ${operation.name} was`, `queries of ${operation.name} were`)} completed and counted; at least ${limits.queriesOfType} make a figure.`,
      advice: `Set the number of queries to ${limits.queriesOfType} or more, not counting the burn-in.`,
    },
  ];
}

function shortTransactions({ name, seconds, operations }: Phase): Verdict[] {
  const done = operations[0]?.count ?? 0;
  if (seconds >= limits.transactionSeconds && done >= limits.transactions) return [];
  return [
    {
      code: 'too-short',
      reason: `${name} took ${seconds.toFixed(2)} s and did ${formatCounted(done, 'transaction')}; at least ${limits.transactionSeconds} s and ${formatCount(limits.transactions)} transactions make a figure.`,
      advice: 'Let it run longer: minutes, for a figure to compare; a whole number of checkpoints is best.',
    },
  ];
}

/**
 * Of a Poisson process of rate r about r · t arrivals come in t seconds, with a standard deviation of √(r · t). The rate
 * was not held where done and failed ones are fewer than 99 % of that by more than three standard deviations, or fewer
 * than 99 % of those that came, skipped ones included.
 */
function arrivalVerdicts({ phase, ratePerSecond }: PhaseEvidence): Verdict[] {
  const [all] = phase.operations;
  if (ratePerSecond === 0 || all === undefined) return [];
  const done = all.count + all.errors;
  const due = ratePerSecond * phase.seconds;
  const skipped = phase.transactions?.skipped ?? 0;
  const enough = done >= limits.rateHeld * due - 3 * Math.sqrt(due);
  if (enough && done >= limits.rateHeld * (done + skipped)) return [];
  const lag = phase.transactions?.lag;
  const others = [
    ...(skipped > 0 ? [`${formatCount(skipped)} were skipped`] : []),
    ...(all.dropped > 0 ? [`about ${formatCount(all.dropped)} were due and not begun at the end`] : []),
    ...(lag ? [`they began ${formatLatency(lag.meanUs)} late on average`] : []),
  ].join(', ');
  return [
    {
      code: 'rate-not-held',
      reason: `${phase.name}: ${formatRate(done / phase.seconds)} transactions/s were done of the ${formatRate(ratePerSecond)}/s asked for${others && `; ${others}`}. The limit is 99 % of the schedule.`,
      advice: 'Lower the rate, or give it more clients if the server is not busy.',
    },
  ];
}

/**
 * Of n queries at rate r the last is due (n − 1) ÷ r after the first, and on a kept schedule it is answered within its
 * service time. A phase that took more than that by over 1 % has not kept it. The service time granted is p99: with the
 * longest, one stall would excuse a backlog as long as itself that was never caught up.
 */
function rateVerdicts({ phase, ratePerSecond, prewarm }: PhaseEvidence, operation: Operation): Verdict[] {
  if (ratePerSecond === 0) return [];
  const executions = operation.count + operation.errors;
  const due = prewarm ? executions / 2 : executions;
  const service = ((operation.serviceUs?.p99 ?? 0) / 1e6) * (prewarm ? 2 : 1);
  const kept = (due - 1) / ratePerSecond + service;
  if (operation.dropped === 0 && (kept <= 0 || kept / operation.seconds >= limits.rateHeld)) return [];
  const dropped =
    operation.dropped > 0 ? `, and ${formatCount(operation.dropped)} were due but never started` : '';
  return [
    {
      code: 'rate-not-held',
      reason: `${phase.name}, ${operation.name}: ${formatRate(due / operation.seconds)} queries/s were done of the ${formatRate(ratePerSecond)}/s asked for, ${formatCount(operation.late)} of them started late${dropped}. The limit is 99 % of the schedule.`,
      advice: 'Lower the rate, or give it more workers if the server is not busy.',
    },
  ];
}
