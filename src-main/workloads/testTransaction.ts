import type { Transaction } from './transactions.ts';

/** One transaction without the loader around it: no schedule, no end of the run; `\sleep` is over at once. */
export function freshTransaction(
  conflicts: Record<string, number>,
  mayRetry: () => boolean = () => true,
): Transaction {
  const now = () => Number(process.hrtime.bigint());
  return {
    scheduledNs: now(),
    now,
    mayRetry,
    sleep: async () => true,
    statements: null,
    script: 0,
    failure: null,
    retries: 0,
    conflict(state) {
      conflicts[state] = (conflicts[state] ?? 0) + 1;
    },
    reads: 0,
    writes: 0,
    others: 0,
  };
}
