import type { Tick, TickOperation } from '../../src-shared/model/tick.ts';
import type { TickTransactions } from '../../src-shared/model/transactions.ts';
import { addBuckets } from '../../src-shared/stats/logBuckets.ts';
import { gapMs } from '../../src-shared/stats/rates.ts';
import { Distribution } from '../load/distribution.ts';
import type { TickHistograms } from '../store/repositories.ts';

/** Length that thinned intervals have, ms; the last of a phase may be shorter. */
export const thinnedMs = 10_000;

export interface Second {
  tick: Tick;
  histograms: readonly TickHistograms[];
}

/**
 * Seconds joined to ten of them each, never across phases or gaps. Counts are added up, percentiles come from the merged
 * histograms, so every total of the run stays what it was.
 * @returns null where a percentile has no histogram that it could be made from again
 */
export function thinSeconds(seconds: readonly Second[]): Second[] | null {
  if (!seconds.every(hasHistograms)) return null;
  return groups(seconds).map((group, seq) => joined(group, seq));
}

function hasHistograms({ tick, histograms }: Second): boolean {
  return tick.operations.every(({ name, latencyUs, serviceUs }) => {
    const own = histograms.find(({ operation }) => operation === name);
    return (latencyUs === null || own?.latency) && (serviceUs === null || own?.service);
  });
}

/** Neighbours of one phase that are no longer together than `thinnedMs`, by their place since the phase began. */
function groups(seconds: readonly Second[]): Second[][] {
  const found: Second[][] = [];
  let start = 0;
  for (const second of seconds) {
    const { tick } = second;
    const from = tick.atMs - tick.intervalMs;
    const group = found.at(-1);
    const before = group?.at(-1)?.tick;
    const apart = before === undefined || before.phase !== tick.phase || from - before.atMs > gapMs;
    if (apart) start = from;
    const stretch = (at: number) => Math.floor((at - start) / thinnedMs);
    // By the middle, as charts put intervals on a grid.
    const middle = (t: Tick) => t.atMs - t.intervalMs / 2;
    if (!apart && stretch(middle(before)) === stretch(middle(tick))) group?.push(second);
    else found.push([second]);
  }
  return found;
}

function joined(group: readonly Second[], seq: number): Second {
  const ticks = group.map(({ tick }) => tick);
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (first === undefined || last === undefined) throw new Error('no second to join');
  if (group.length === 1) return { tick: { ...first, seq }, histograms: group[0]?.histograms ?? [] };
  const names = [...new Set(ticks.flatMap(({ operations }) => operations.map(({ name }) => name)))];
  const operations = names.map((name) => joinedOperation(name, group));
  const intervalMs = ticks.reduce((sum, tick) => sum + tick.intervalMs, 0);
  const transactions = ticks.flatMap((tick) => tick.transactions ?? []);
  return {
    tick: {
      ...last,
      seq,
      intervalMs,
      operations: operations.map(({ operation }) => operation),
      ...(transactions.length > 0 && { transactions: joinedTransactions(ticks) }),
      client: {
        busiest: Math.max(...ticks.map(({ client }) => client.busiest)),
        cpuCores: ticks.reduce((sum, tick) => sum + tick.client.cpuCores * tick.intervalMs, 0) / intervalMs,
        loopDelayMs: Math.max(...ticks.map(({ client }) => client.loopDelayMs)),
        rssBytes: Math.max(...ticks.map(({ client }) => client.rssBytes)),
      },
    },
    histograms: operations.flatMap(({ histograms }) => histograms ?? []),
  };
}

function joinedOperation(
  name: string,
  group: readonly Second[],
): { operation: TickOperation; histograms: TickHistograms | null } {
  const parts = group.flatMap(({ tick, histograms }) =>
    tick.operations
      .filter((operation) => operation.name === name)
      .map((operation) => ({ operation, texts: histograms.find((own) => own.operation === name) })),
  );
  const sum = (of: (operation: TickOperation) => number) =>
    parts.reduce((all, { operation }) => all + of(operation), 0);
  const latency = merged(parts.map(({ operation, texts }) => [texts?.latency, operation.latencyUs?.sum]));
  const service = merged(parts.map(({ operation, texts }) => [texts?.service, operation.serviceUs?.sum]));
  return {
    operation: {
      name,
      count: sum((o) => o.count),
      errors: sum((o) => o.errors),
      late: sum((o) => o.late),
      backlog: parts.at(-1)?.operation.backlog ?? 0,
      rows: sum((o) => o.rows),
      metrics: sum((o) => o.metrics),
      bytes: sum((o) => o.bytes),
      latencyUs: latency?.summarize() ?? null,
      serviceUs: service?.summarize() ?? null,
    },
    histograms:
      latency === null && service === null
        ? null
        : { operation: name, latency: latency?.encode() ?? null, service: service?.encode() ?? null },
  };
}

function merged(
  parts: readonly (readonly [text: string | null | undefined, sumUs: number | undefined])[],
): Distribution | null {
  let all: Distribution | null = null;
  for (const [text, sumUs] of parts) {
    if (!text) continue;
    all ??= new Distribution();
    all.add(Distribution.decode(text, sumUs ?? 0));
  }
  return all;
}

const summed = ['failed', 'retried', 'retries', 'skipped', 'late', 'reads', 'writes', 'others'] as const;

function joinedTransactions(ticks: readonly Tick[]): TickTransactions {
  const own = ticks.flatMap(({ transactions, operations }) =>
    transactions === undefined ? [] : [{ ...transactions, done: operations[0]?.count ?? 0 }],
  );
  const last = own.at(-1);
  if (last === undefined) throw new Error('no transactions to join');
  const { done: _, ...kept } = last;
  const conflicts: Record<string, number> = {};
  for (const [state, n] of own.flatMap((each) => Object.entries(each.conflicts)))
    conflicts[state] = (conflicts[state] ?? 0) + n;
  const lagged = own.flatMap(({ lag, done }) => (lag === null ? [] : [{ ...lag, done }]));
  const weight = lagged.reduce((sum, { done }) => sum + done, 0);
  const buckets = own.flatMap((each) => each.buckets ?? []);
  return {
    ...kept,
    ...Object.fromEntries(summed.map((key) => [key, own.reduce((sum, each) => sum + each[key], 0)])),
    conflicts,
    connectSeconds: own.reduce((sum, each) => sum + each.connectSeconds, 0),
    lag:
      lagged.length === 0
        ? null
        : {
            meanUs: lagged.reduce((sum, { meanUs, done }) => sum + meanUs * done, 0) / Math.max(1, weight),
            maxUs: Math.max(...lagged.map(({ maxUs }) => maxUs)),
          },
    ...(buckets.length > 0 && { buckets: addBuckets(buckets) }),
  };
}
