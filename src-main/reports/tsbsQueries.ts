import type { Latency } from '../../src-shared/model/latency.ts';
import type { Operation, Phase } from '../../src-shared/model/run.ts';
import type { Tick } from '../../src-shared/model/tick.ts';
import { allQueries, isDistinct } from '../../src-shared/model/wholeOperation.ts';
import { goFixed } from './goFormat.ts';

/** Groups over several query types, by TSBS's names. */

/** TSBS's statistics of one group: milliseconds with two decimals, the sum in seconds with one. */
export function statisticsLine(latencyUs: Latency): string {
  const ms = (us: number, width = 8) => `${goFixed(us / 1000, 2).padStart(width)}ms`;
  return [
    `min: ${ms(latencyUs.min)}`,
    `med: ${ms(latencyUs.p50)}`,
    `mean: ${ms(latencyUs.mean)}`,
    `max: ${ms(latencyUs.max, 7)}`,
    `stddev: ${ms(latencyUs.stddev)}`,
    `sum: ${goFixed(latencyUs.sum / 1e6, 1).padStart(5)}sec`,
    `count: ${latencyUs.count}`,
  ].join(', ');
}

/** Two lines a group: its name, padded to the longest, and its statistics. Sorted by name in byte order. */
export function statisticsGroups(groups: readonly { name: string; latencyUs: Latency }[]): string[] {
  const longest = Math.max(0, ...groups.map((group) => group.name.length));
  return [...groups]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .flatMap((group) => [`${group.name.padEnd(longest)}:`, statisticsLine(group.latencyUs)]);
}

/**
 * The block that TSBS prints on the way, an empty line at its end.
 * @param queries executed so far
 * @param intervalRate queries a second since the block before
 * @param overallRate queries a second since the start
 * @param groups cumulative figures; may be empty where only rates are known yet
 */
export function intermediateBlock(block: {
  queries: number;
  workers: number;
  intervalRate: number;
  overallRate: number;
  groups: readonly { name: string; latencyUs: Latency }[];
}): string[] {
  return [
    `After ${block.queries} queries with ${block.workers} workers:`,
    `Interval query rate: ${goFixed(block.intervalRate, 2)} queries/sec\tOverall query rate: ${goFixed(block.overallRate, 2)} queries/sec`,
    ...statisticsGroups(block.groups),
    '',
  ];
}

/** The block that TSBS's query runner ends with. Nothing completed: the head and the clock only. */
export function finalBlock(phase: Pick<Phase, 'workers' | 'seconds' | 'operations'>): string[] {
  const groups = groupsOf(phase.operations);
  const total = groups.find((operation) => operation.name === allQueries);
  return [
    `Run complete after ${total?.count ?? 0} queries with ${phase.workers} workers (Overall query rate ${goFixed(total?.perSecond ?? 0, 2)} queries/sec):`,
    ...statisticsGroups(groups.flatMap(({ name, latencyUs }) => (latencyUs ? [{ name, latencyUs }] : []))),
    `wall clock time: ${goFixed(phase.seconds, 6)}sec`,
  ];
}

/** A phase of one query type has no total of its own: TSBS prints the same figures under both names. */
export function groupsOf(operations: readonly Operation[]): readonly Operation[] {
  const [type, ...more] = operations.filter(isDistinct);
  return type && more.length === 0 ? [...operations, { ...type, name: allQueries }] : operations;
}

/**
 * TSBS's block on the way of one queries phase: give it that phase's ticks in order. Ticks hold no cumulative histogram,
 * so the block has the rates alone; statistics come with the final one.
 * @param every queries between two blocks, at most one block a tick; 0 prints none
 */
export function createQueryProgress(workers: number, every: number): (tick: Tick) => string[] {
  let queries = 0;
  let elapsedMs = 0;
  let shown = { queries: 0, atMs: 0 };
  return (tick) => {
    elapsedMs += tick.intervalMs;
    for (const operation of tick.operations) if (isDistinct(operation)) queries += operation.count;
    if (every <= 0 || Math.floor(queries / every) === Math.floor(shown.queries / every)) return [];
    const intervalRate = ((queries - shown.queries) * 1000) / (elapsedMs - shown.atMs);
    shown = { queries, atMs: elapsedMs };
    const overallRate = (queries * 1000) / elapsedMs;
    return intermediateBlock({ queries, workers, intervalRate, overallRate, groups: [] });
  };
}
