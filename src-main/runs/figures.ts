import type { Operation, Phase } from '../../src-shared/model/run.ts';
import { Distribution } from '../load/distribution.ts';
import type { OperationTotal } from '../load/job.ts';

/** An operation's totals as they are shown and stored. */
export function operationOf(total: OperationTotal): Operation {
  const { name, count, errors, late, dropped, rows, bytes, seconds, latency, service, firstRow } = total;
  return {
    name,
    count,
    errors,
    late,
    dropped,
    rows,
    bytes,
    seconds,
    perSecond: per(count, seconds),
    latencyUs: latency.summarize(),
    serviceUs: service?.summarize() ?? null,
    ...(firstRow && { firstRowUs: firstRow.summarize() }),
  };
}

/** Several operations as one: counts and seconds add up (they ran one after the other), histograms are merged. */
export function mergeTotals(name: string, totals: readonly OperationTotal[]): OperationTotal {
  const latency = new Distribution();
  const service = totals.some((total) => total.service) ? new Distribution() : null;
  for (const total of totals) {
    latency.add(total.latency);
    if (total.service) service?.add(total.service);
  }
  const sum = (of: (total: OperationTotal) => number) => totals.reduce((all, total) => all + of(total), 0);
  return {
    name,
    count: sum((t) => t.count),
    errors: sum((t) => t.errors),
    late: sum((t) => t.late),
    started: sum((t) => t.started),
    dropped: sum((t) => t.dropped),
    rows: sum((t) => t.rows),
    metrics: sum((t) => t.metrics),
    bytes: sum((t) => t.bytes),
    seconds: sum((t) => t.seconds),
    latency,
    service,
    firstRow: null, // types that are merged have none
  };
}

/** The figures of a phase from its operations that share nothing (no merged ones among them) and its wall seconds. */
export function phaseFigures(
  totals: readonly OperationTotal[],
  seconds: number,
): Pick<Phase, 'rows' | 'metrics' | 'bytes' | 'seconds' | 'rowsPerSecond' | 'metricsPerSecond'> {
  const sum = (of: (total: OperationTotal) => number) => totals.reduce((all, total) => all + of(total), 0);
  const rows = sum((t) => t.rows);
  const metrics = sum((t) => t.metrics);
  const bytes = sum((t) => t.bytes);
  return {
    rows,
    metrics,
    bytes,
    seconds,
    rowsPerSecond: per(rows, seconds),
    metricsPerSecond: per(metrics, seconds),
  };
}

function per(count: number, seconds: number): number {
  return seconds > 0 ? count / seconds : 0;
}
