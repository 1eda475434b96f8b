import type { Operation, Phase } from '../../src-shared/model/run.ts';
import { formatBytes, formatCount, formatLatency, formatRate } from '../../src-shared/units.ts';
import type { Dialect } from './dialect.ts';
import { textTable } from './table.ts';

/** Whether its operations are fetches, which have more to tell than a query. */
export function hasFetches({ operations }: Pick<Phase, 'operations'>): boolean {
  return operations.some(({ cache }) => cache !== undefined);
}

/** Fetches by readers, cold and warm: how many a second, rows and bytes a second, the time of the first row and of the last. */
export function fetchTable(operations: readonly Operation[], indent = ''): string[] {
  const header = [
    ...['fetches', 'count', 'errors', 'fetches/s', 'rows/s', 'data/s', 'first row p50'],
    ...['last row p50', 'p95', 'p99', 'max'],
  ];
  const rows = operations.map((operation) => {
    const { name, count, errors, perSecond, latencyUs, firstRowUs } = operation;
    return [
      name,
      formatCount(count),
      formatCount(errors),
      formatRate(perSecond),
      formatRate(perSecondOf(operation.rows, operation)),
      `${formatBytes(perSecondOf(operation.bytes, operation))}/s`,
      firstRowUs ? formatLatency(firstRowUs.p50) : '–',
      ...(latencyUs
        ? [latencyUs.p50, latencyUs.p95, latencyUs.p99, latencyUs.max].map(formatLatency)
        : Array<string>(4).fill('–')),
    ];
  });
  return textTable([header, ...rows], 'lrrrrrrrrrr').map((line) => indent + line);
}

function perSecondOf(amount: number, { seconds }: Operation): number {
  return seconds > 0 ? amount / seconds : 0;
}

/** `fetch.read` in the terminal: its table, once it is over. */
export const fetchRead: Dialect = {
  head: () => [],
  progress: () => () => [],
  end: (_, phase) => fetchTable(phase.operations),
};
