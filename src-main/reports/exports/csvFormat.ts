import type { Latency } from '../../../src-shared/model/latency.ts';
import type { Tick, TickOperation } from '../../../src-shared/model/tick.ts';
import { perSecond } from '../../../src-shared/stats/rates.ts';
import { type ExportFormat, onlyRecord } from './format.ts';

interface Row {
  tick: Tick;
  phase: string;
  operation: TickOperation;
}

const latency = (name: keyof Latency): [string, (row: Row) => number | null] => [
  `latency_${name}_us`,
  ({ operation }) => operation.latencyUs?.[name] ?? null,
];

/** Each column's name and what is in it; empty where there is nothing. */
const columns: readonly (readonly [string, (row: Row) => string | number | null])[] = [
  ['end_s', ({ tick }) => tick.atMs / 1000],
  ['interval_s', ({ tick }) => tick.intervalMs / 1000],
  ['phase', ({ phase }) => phase],
  ['operation', ({ operation }) => operation.name],
  ['count', ({ operation }) => operation.count],
  ['count_per_s', ({ tick, operation }) => perSecond(operation.count, tick.intervalMs)],
  ['rows', ({ operation }) => operation.rows],
  ['rows_per_s', ({ tick, operation }) => perSecond(operation.rows, tick.intervalMs)],
  ['metrics', ({ operation }) => operation.metrics],
  ['bytes', ({ operation }) => operation.bytes],
  ['errors', ({ operation }) => operation.errors],
  ['late', ({ operation }) => operation.late],
  ['waiting', ({ operation }) => operation.backlog],
  latency('mean'),
  latency('p50'),
  latency('p95'),
  latency('p99'),
  latency('p999'),
  latency('max'),
  ['service_p99_us', ({ operation }) => operation.serviceUs?.p99 ?? null],
  ['client_busiest_share', ({ tick }) => tick.client.busiest],
  ['client_cpu_cores', ({ tick }) => tick.client.cpuCores],
];

/** The run second by second: a row per interval and operation. */
export const csvFormat: ExportFormat = {
  id: 'csv',
  label: 'CSV of the series',
  description: 'A row per second and operation, for a spreadsheet',
  extension: 'csv',
  mediaType: 'text/csv',
  most: 1,
  write(records) {
    const { run, series } = onlyRecord(records);
    const rows = series.ticks.flatMap((tick) =>
      tick.operations.map((operation) => ({
        tick,
        phase: run.phases.find(({ index }) => index === tick.phase)?.name ?? String(tick.phase),
        operation,
      })),
    );
    const lines = rows.map((row) => columns.map(([, read]) => csvCell(read(row))).join(','));
    return `${[columns.map(([name]) => name).join(','), ...lines].join('\n')}\n`;
  },
};

/**
 * One cell by RFC 4180. A text that a spreadsheet would take for a formula is given an apostrophe in front: names of scripts
 * come from others.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
