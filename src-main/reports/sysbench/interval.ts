import type { Tick } from '../../../src-shared/model/tick.ts';
import {
  addBuckets,
  bucketPercentile,
  type LogBuckets,
  noBuckets,
} from '../../../src-shared/stats/logBuckets.ts';
import { goFixed } from '../goFormat.ts';
import { total } from './report.ts';

/** A tick due 5 ms early still closes its interval: timers may fire a little before their time. */
const earlyMs = 5;

interface Sums {
  events: number;
  reads: number;
  writes: number;
  others: number;
  errors: number;
}
const nothing = (): Sums => ({ events: 0, reads: 0, writes: 0, others: 0, errors: 0 });

/**
 * sysbench's interval lines of one phase: give it the phase's ticks in order; it answers with the lines of an interval once
 * that has gone by. Rates are over the time that really went by.
 * @param intervalSeconds 0: no lines
 * @param percentile 0: none, which sysbench prints as one of 0 %
 * @param withQueue a rate is set: a second line has the queue
 */
export function createIntervalLines(
  intervalSeconds: number,
  percentile: number,
  withQueue: boolean,
): (tick: Tick) => string[] {
  const intervalMs = intervalSeconds * 1000;
  let sums = nothing();
  let buckets: LogBuckets[] = [];
  let elapsedMs = 0;
  let shownMs = 0;
  let nextMs = intervalMs;
  return (tick) => {
    const { transactions } = tick;
    elapsedMs += tick.intervalMs;
    if (intervalMs <= 0 || transactions === undefined) return [];
    sums.events += tick.operations[0]?.count ?? 0;
    sums.reads += transactions.reads;
    sums.writes += transactions.writes;
    sums.others += transactions.others;
    sums.errors += total(transactions.conflicts);
    buckets.push(transactions.buckets ?? noBuckets);
    if (elapsedMs + earlyMs < nextMs) return [];
    const seconds = (elapsedMs - shownMs) / 1000;
    const rate = (n: number) => goFixed(n / seconds, 2);
    const at = goFixed(elapsedMs / 1000, 0);
    const { reads, writes, others } = sums;
    const latency = percentile === 0 ? 0 : bucketPercentile(addBuckets(buckets), percentile);
    const line =
      `[ ${at}s ] thds: ${transactions.clients} tps: ${rate(sums.events)} qps: ${rate(reads + writes + others)} ` +
      `(r/w/o: ${rate(reads)}/${rate(writes)}/${rate(others)}) lat (ms,${percentile}%): ${goFixed(latency, 2)} ` +
      `err/s: ${rate(sums.errors)} reconn/s: 0.00`;
    sums = nothing();
    buckets = [];
    shownMs = elapsedMs;
    nextMs = (Math.floor((elapsedMs + earlyMs) / intervalMs) + 1) * intervalMs;
    const queue = tick.operations[0]?.backlog ?? 0;
    return withQueue
      ? [line, `[ ${at}s ] queue length: ${queue}, concurrency: ${transactions.busy}`]
      : [line];
  };
}
