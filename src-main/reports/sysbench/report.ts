import type { Phase } from '../../../src-shared/model/run.ts';
import { bucketPercentile, type LogBuckets, usedBuckets } from '../../../src-shared/stats/logBuckets.ts';
import { goFixed } from '../goFormat.ts';

/** All of a phase's conflicts: what sysbench calls ignored errors. */
export function total(conflicts: Readonly<Record<string, number>>): number {
  return Object.values(conflicts).reduce((sum, n) => sum + n, 0);
}

/** Columns of a latency's label and value together, the indent left out. */
const latencyWidth = 44;

/**
 * sysbench's final report of a run.
 * @param percentile 0: none
 */
export function finalReport(phase: Phase, buckets: LogBuckets, percentile: number): string[] {
  const { transactions, seconds } = phase;
  const [all] = phase.operations;
  if (transactions === undefined || all === undefined) return [];
  const { reads, writes, others, fairness } = transactions;
  const queries = reads + writes + others;
  const latency = all.latencyUs;
  const rate = (n: number) =>
    `${String(n).padEnd(6)} (${goFixed(seconds > 0 ? n / seconds : 0, 2)} per sec.)`;
  const line = (label: string, ms: number) =>
    `         ${label}${goFixed(ms, 2).padStart(latencyWidth - label.length)}`;
  const us = (value: number | undefined) => (value ?? 0) / 1000;
  const spread = ({ mean, stddev }: { mean: number; stddev: number }, digits: number) =>
    `${goFixed(mean, digits)}/${goFixed(stddev, 2)}`;
  const nth =
    percentile === 0
      ? '         percentile stats:               disabled'
      : line(`${percentile}th percentile:`, bucketPercentile(buckets, percentile));
  return [
    'SQL statistics:',
    '    queries performed:',
    `        read:                            ${reads}`,
    `        write:                           ${writes}`,
    `        other:                           ${others}`,
    `        total:                           ${queries}`,
    `    transactions:                        ${rate(all.count)}`,
    `    queries:                             ${rate(queries)}`,
    `    ignored errors:                      ${rate(total(transactions.conflicts))}`,
    `    reconnects:                          ${rate(0)}`,
    '',
    'General statistics:',
    `    total time:                          ${goFixed(seconds, 4)}s`,
    `    total number of events:              ${all.count}`,
    '',
    'Latency (ms):',
    line('min:', us(latency?.min)),
    line('avg:', us(latency?.mean)),
    line('max:', us(latency?.max)),
    nth,
    line('sum:', us(latency?.sum)),
    '',
    // Of a run whose end is missing it is not known how clients shared the work.
    ...(fairness.count.mean === 0 && all.count > 0
      ? []
      : [
          'Threads fairness:',
          `    events (avg/stddev):           ${spread(fairness.count, 4)}`,
          `    execution time (avg/stddev):   ${spread(fairness.seconds, 4)}`,
          '',
        ]),
  ];
}

/** Stars of the largest bucket. */
const mostStars = 40;

export function histogramLines(buckets: LogBuckets): string[] {
  const used = [...usedBuckets(buckets)];
  const most = used.reduce((largest, { count }) => Math.max(largest, count), 0);
  return [
    'Latency histogram (values are in milliseconds)',
    '       value  ------------- distribution ------------- count',
    ...used.map(({ ms, count }) => {
      const stars = '*'.repeat(Math.floor((count * mostStars) / most + 0.5));
      return `${goFixed(ms, 3).padStart(12)} |${stars.padEnd(mostStars)} ${count}`;
    }),
    ' ',
  ];
}
