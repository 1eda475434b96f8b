import type { Blocked, ServerSample } from '../model/telemetry.ts';

/** Sums of what a server counted; null where nothing of it is known. */
export interface ServerTotals {
  walBytes: number | null;
  /** Pages found in shared_buffers ÷ pages asked for, 0 to 1. */
  hitRatio: number | null;
  tempFiles: number;
  tempBytes: number;
  deadlocks: number;
  /** Rows that statements wrote: inserted, updated, deleted. */
  rowsWritten: number | null;
}

export function serverTotals(samples: readonly ServerSample[]): ServerTotals {
  const databases = samples.flatMap(({ database }) => (database === null ? [] : [database]));
  const wal = samples.flatMap((sample) => (sample.wal === null ? [] : [sample.wal.bytes]));
  const sum = (of: (database: (typeof databases)[number]) => number) =>
    databases.reduce((all, each) => all + of(each), 0);
  const asked = sum(({ blocksHit, blocksRead }) => blocksHit + blocksRead);
  return {
    walBytes: wal.length > 0 ? wal.reduce((all, bytes) => all + bytes, 0) : null,
    hitRatio: asked > 0 ? sum(({ blocksHit }) => blocksHit) / asked : null,
    tempFiles: sum(({ tempFiles }) => tempFiles),
    tempBytes: sum(({ tempBytes }) => tempBytes),
    deadlocks: sum(({ deadlocks }) => deadlocks),
    rowsWritten:
      databases.length > 0
        ? sum(({ rowsInserted, rowsUpdated, rowsDeleted }) => rowsInserted + rowsUpdated + rowsDeleted)
        : null,
  };
}

/** Shorter ones are the daily work of locks. */
const shortestWaitMs = 100;

/** The longest that each session was seen waiting for one lock in a row, the longest first. */
export function longestWaits(samples: readonly ServerSample[], n: number): Blocked[] {
  const longest = new Map<string, Blocked>();
  for (const { atMs, blocked } of samples)
    for (const each of blocked) {
      if (each.waitedMs < shortestWaitMs) continue;
      // The same wait goes on as long as its beginning is the same second.
      const key = `${each.pid} ${each.lock} ${Math.round((atMs - each.waitedMs) / 2000)}`;
      if ((longest.get(key)?.waitedMs ?? -1) < each.waitedMs) longest.set(key, each);
    }
  return [...longest.values()].sort((a, b) => b.waitedMs - a.waitedMs).slice(0, n);
}

/** `session 812 waited 2.4 s for RowExclusiveLock on cpu, held by psql (session 644, idle in transaction)` */
export function describeBlocked({ pid, lock, mode, relation, waitedMs, by }: Blocked): string {
  const on = relation === null ? (lock === 'transactionid' ? 'the end of a transaction' : lock) : relation;
  const holders = by.map(
    (each) =>
      `${each.application || 'a session'} (${[`session ${each.pid}`, each.state].filter(Boolean).join(', ')})`,
  );
  return `session ${pid} waited ${(waitedMs / 1000).toFixed(1)} s for ${mode} on ${on}${holders.length > 0 ? `, held by ${holders.join(' and ')}` : ''}`;
}

/** Tables at the first and the last look, the largest at the end first; bytes with their indexes. */
export function tableGrowth(
  samples: readonly ServerSample[],
): { name: string; before: number | null; after: number; indexBytes: number }[] {
  const known = samples.flatMap(({ sizes }) => (sizes === null ? [] : [sizes]));
  const before = new Map(
    known[0]?.tables.map(({ name, tableBytes, indexBytes }) => [name, tableBytes + indexBytes]),
  );
  return (known.at(-1)?.tables ?? []).map(({ name, tableBytes, indexBytes }) => ({
    name,
    before: before.get(name) ?? null,
    after: tableBytes + indexBytes,
    indexBytes,
  }));
}
