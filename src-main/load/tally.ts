import { z } from 'zod';

const count = z.int().nonnegative();
const byState = z.record(z.string(), count);
const perScript = z.object({
  failed: count,
  /** The failed ones, by the SQLSTATE of their last try. */
  failures: byState,
  retried: count,
  retries: count,
  skipped: count,
});
export type ScriptTally = z.infer<typeof perScript>;

/** What is counted of transactions besides what every operation has: over some time, in one thread or all. */
export const tallySchema = z.object({
  ...perScript.shape,
  /** Done, but above the latency limit. */
  late: count,
  reads: count,
  writes: count,
  others: count,
  /** By SQLSTATE. */
  conflicts: byState,
  reconnects: count,
  reconnectNs: count,
  /** Clients that an error ended. */
  endedClients: count,
  /** Of transactions that were done, where there is a schedule. */
  lag: z.object({ count, sumNs: z.number(), maxNs: z.number() }),
  /** By script number. */
  scripts: z.array(perScript),
  /** By statement number, each list as long as there are statements; empty where they are not asked for. */
  statements: z.object({
    count: z.array(count),
    sumNs: z.array(z.number()),
    failures: z.array(count),
    retries: z.array(count),
  }),
});
export type Tally = z.infer<typeof tallySchema>;

export function emptyTally(scripts: number, statements: number): Tally {
  const zeros = () => new Array<number>(statements).fill(0);
  return {
    ...noScript(),
    late: 0,
    reads: 0,
    writes: 0,
    others: 0,
    conflicts: {},
    reconnects: 0,
    reconnectNs: 0,
    endedClients: 0,
    lag: { count: 0, sumNs: 0, maxNs: 0 },
    scripts: Array.from({ length: scripts }, noScript),
    statements: { count: zeros(), sumNs: zeros(), failures: zeros(), retries: zeros() },
  };
}

function noScript(): ScriptTally {
  return { failed: 0, failures: {}, retried: 0, retries: 0, skipped: 0 };
}

/** Both have as many scripts and statements. */
export function addTally(to: Tally, from: Tally): void {
  addScript(to, from);
  to.late += from.late;
  to.reads += from.reads;
  to.writes += from.writes;
  to.others += from.others;
  to.reconnects += from.reconnects;
  to.reconnectNs += from.reconnectNs;
  to.endedClients += from.endedClients;
  addStates(to.conflicts, from.conflicts);
  to.lag.count += from.lag.count;
  to.lag.sumNs += from.lag.sumNs;
  to.lag.maxNs = Math.max(to.lag.maxNs, from.lag.maxNs);
  from.scripts.forEach((script, i) => {
    const own = to.scripts[i];
    if (own) addScript(own, script);
  });
  addList(to.statements.count, from.statements.count);
  addList(to.statements.sumNs, from.statements.sumNs);
  addList(to.statements.failures, from.statements.failures);
  addList(to.statements.retries, from.statements.retries);
}

function addScript(to: ScriptTally, from: ScriptTally): void {
  to.failed += from.failed;
  addStates(to.failures, from.failures);
  to.retried += from.retried;
  to.retries += from.retries;
  to.skipped += from.skipped;
}

function addStates(to: Record<string, number>, from: Readonly<Record<string, number>>): void {
  for (const [state, n] of Object.entries(from)) to[state] = (to[state] ?? 0) + n;
}

function addList(to: number[], from: readonly number[]): void {
  from.forEach((n, i) => {
    to[i] = (to[i] ?? 0) + n;
  });
}
