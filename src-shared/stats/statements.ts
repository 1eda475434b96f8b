import type { Statement } from '../model/telemetry.ts';

export type StatementCounts = Omit<Statement, 'id' | 'text'>;
type Totals = ReadonlyMap<string, StatementCounts>;

/** What was added between two readings; a statement whose counts fell was counted anew, which is not known and left out. */
export function addedStatements(before: Totals, after: Totals): Map<string, StatementCounts> {
  const added = new Map<string, StatementCounts>();
  for (const [id, now] of after) {
    const then = before.get(id) ?? nothing;
    if (now.calls <= then.calls || now.totalMs < then.totalMs) continue;
    added.set(
      id,
      combine(now, then, (a, b) => Math.max(0, a - b)),
    );
  }
  return added;
}

/** Both together. */
export function sumStatements(a: Totals, b: Totals): Map<string, StatementCounts> {
  const sum = new Map(a);
  for (const [id, counts] of b)
    sum.set(
      id,
      combine(counts, sum.get(id) ?? nothing, (x, y) => x + y),
    );
  return sum;
}

/** The `n` that took the most time, the longest first. */
export function longestStatements(totals: Totals, n: number): [id: string, StatementCounts][] {
  return [...totals].sort(([, a], [, b]) => b.totalMs - a.totalMs).slice(0, n);
}

const nothing: StatementCounts = { calls: 0, totalMs: 0, rows: 0, blocksHit: 0, blocksRead: 0 };

function combine(
  a: StatementCounts,
  b: StatementCounts,
  of: (a: number, b: number) => number,
): StatementCounts {
  return {
    calls: of(a.calls, b.calls),
    totalMs: of(a.totalMs, b.totalMs),
    rows: of(a.rows, b.rows),
    blocksHit: of(a.blocksHit, b.blocksHit),
    blocksRead: of(a.blocksRead, b.blocksRead),
  };
}
