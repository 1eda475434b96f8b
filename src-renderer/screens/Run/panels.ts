import { formatCount, formatLatency, formatRate } from '../../../src-shared/units.ts';
import { type ChartSeries, dashes, formatTick, type Panel, runColor } from '../../charts/panel.ts';
import type { ColumnName, Group, Timeline } from '../../state/timeline.ts';

const rateHelp =
  'This interval: what the server acknowledged in the interval ÷ its measured length, about a second. Overall: everything so far ÷ all measured time of the phase so far. The mean in the legend is the sum ÷ the time of what is in view, never a mean of rates.';

/** The panels of one run: those that its phases have something for. */
export function runPanels(timeline: Timeline): Panel[] {
  const panels: (Panel & { group: Group })[] = [
    {
      group: 'load',
      id: 'rows',
      title: 'Rows written',
      unit: 'rows/s',
      scale: 'linear',
      format: formatRate,
      formatAxis: formatTick,
      help: rateHelp,
      series: lines(timeline, 'load', [
        ['rows', 'this interval'],
        ['rowsOverall', 'overall'],
      ]),
    },
    {
      group: 'load',
      id: 'metrics',
      title: 'Metrics written',
      unit: 'metrics/s',
      scale: 'linear',
      format: formatRate,
      formatAxis: formatTick,
      help: `A metric is one field value, as TSBS counts it; tags and time are not counted. ${rateHelp}`,
      series: lines(timeline, 'load', [
        ['metrics', 'this interval'],
        ['metricsOverall', 'overall'],
      ]),
    },
    {
      group: 'queries',
      id: 'queries',
      title: 'Queries',
      unit: 'queries/s',
      scale: 'linear',
      format: formatRate,
      formatAxis: formatTick,
      help: rateHelp,
      series: lines(timeline, 'queries', [
        ['queries', 'this interval'],
        ['queriesOverall', 'overall'],
      ]),
    },
    {
      group: 'transactions',
      id: 'transactions',
      title: 'Transactions',
      unit: 'TPS',
      scale: 'linear',
      format: formatRate,
      formatAxis: formatTick,
      help: `Transactions that were done, all scripts together; failed and skipped ones are not among them. ${rateHelp}`,
      series: lines(timeline, 'transactions', [
        ['tps', 'this interval'],
        ['tpsOverall', 'overall'],
      ]),
    },
    {
      group: 'making',
      id: 'making',
      title: 'Rows of new tables',
      unit: 'rows/s',
      scale: 'linear',
      format: formatRate,
      formatAxis: formatTick,
      help: `Rows written while tables are made; steps without rows, such as vacuum and keys, show as 0. ${rateHelp}`,
      series: lines(timeline, 'making', [
        ['made', 'this interval'],
        ['madeOverall', 'overall'],
      ]),
    },
    {
      group: 'latency',
      id: 'latency',
      title: 'Latency',
      unit: timeline.paced ? 'from the scheduled start' : 'of one operation',
      scale: 'log',
      format: formatLatency,
      help: 'Percentiles of all operations that ended in the interval, from one histogram per interval and operation. There is no mean of percentiles. With a rate set, latency counts from the scheduled start; service time from the actual one.',
      series: lines(timeline, 'latency', [
        ['p50', 'p50'],
        ['p95', 'p95'],
        ['p99', 'p99'],
        ['max', 'max'],
        ...(timeline.paced ? [['serviceP99', 'service p99'] as const] : []),
      ]),
    },
    {
      group: 'trouble',
      id: 'errors',
      title: 'Errors and delays',
      unit: 'operations',
      scale: 'linear',
      whole: true,
      format: formatCount,
      help: 'Errors: operations that failed in the interval. Late: started over 1 ms after their schedule. Waiting: due and not started at the end of the interval. Late and waiting exist only where a rate is set. Retries: tries of transactions after their first. Skipped: never begun, their turn was past by more than the latency limit. Above the limit: done, but later than that.',
      series: lines(timeline, 'trouble', [
        ['errors', 'errors'],
        ...(timeline.paced
          ? ([
              ['late', 'late'],
              ['waiting', 'waiting'],
            ] as const)
          : []),
        ...(timeline.seen.retries ? [['retries', 'retries'] as const] : []),
        ...(timeline.seen.skipped ? [['skipped', 'skipped'] as const] : []),
        ...(timeline.seen.aboveLimit ? [['aboveLimit', 'above the limit'] as const] : []),
      ]),
    },
    {
      group: 'client',
      id: 'client',
      title: 'Client load',
      unit: '% of one core',
      scale: 'linear',
      format: (value) => `${value.toFixed(1)} %`,
      formatAxis: (value) => `${value} %`,
      atLeast: 100,
      help: 'How busy Benchberry itself was. Busiest worker: share of the interval in which the event loop of the busiest worker had work. Process: CPU time of the whole process. A worker near 100 % means that the client, not the server, was the limit.',
      series: lines(timeline, 'client', [
        ['busiest', 'busiest worker'],
        ['cpu', 'process'],
      ]),
    },
  ];
  return panels.filter(({ group }) => timeline.has(group));
}

function lines<G extends Group>(
  timeline: Timeline,
  group: G,
  names: readonly (readonly [ColumnName<G>, string])[],
): ChartSeries[] {
  return names.map(([key, label], i) => ({
    key,
    label,
    color: runColor(Math.floor(i / dashes.length)),
    dash: dashes[i % dashes.length] ?? '',
    data: timeline.series(group, key),
  }));
}
