import { type RackFigures, type RackResult, rackRates } from '../../src-shared/model/rack.ts';
import { aggregateText, rateWords } from '../../src-shared/stats/rack.ts';
import { formatDelta, formatLatency, formatRate } from '../../src-shared/units.ts';
import { textTable } from './table.ts';

/** A rack's result for people at a terminal: hosts, who stands out and why, what they come to and who is not in that. */
export function rackText(result: RackResult): string {
  const { run, hosts, outliers, aggregates } = result;
  const rates = rackRates.filter((rate) => hosts.some(({ figures }) => (figures?.[rate] ?? null) !== null));
  const columns = facts.filter(({ read }) => hosts.some(({ figures }) => figures && read(figures) !== null));
  const header = [
    'Host',
    ...rates.flatMap((rate) => [rateWords[rate].unit, 'Δ']),
    ...columns.map(({ title }) => title),
    '',
  ];
  const rows = hosts.map(({ hostName, figures, delta }, i) => [
    hostName,
    ...rates.flatMap((rate) => [
      or(figures?.[rate] ?? null, formatRate),
      or(delta[rate] ?? null, formatDelta),
    ]),
    ...columns.map(({ read }) => (figures && read(figures)) ?? '–'),
    standing(result, i),
  ]);
  const align = `l${'rr'.repeat(rates.length)}${'r'.repeat(columns.length)}l`;
  return [
    `${run.plan.name} on rack ${run.rack}, ${run.atOnce ? 'all at once' : 'one after the other'} (${run.id})`,
    '',
    ...textTable([header, ...rows], align),
    ...(outliers.length === 0 ? [] : ['', ...outliers.map(({ sentence }) => sentence)]),
    ...(aggregates.length === 0 ? [] : ['', ...aggregates.map(aggregateText)]),
  ].join('\n');
}

const facts: readonly { title: string; read: (figures: RackFigures) => string | null }[] = [
  { title: 'p99', read: ({ p99Us }) => (p99Us === null ? null : formatLatency(p99Us)) },
  { title: '°C', read: ({ temperatureC }) => temperatureC?.toFixed(1) ?? null },
  { title: 'throttled', read: ({ throttledSeconds }) => seconds(throttledSeconds) },
  { title: 'under-voltage', read: ({ underVoltageSeconds }) => seconds(underVoltageSeconds) },
  { title: 'fsync', read: ({ fsyncMs }) => (fsyncMs === null ? null : formatLatency(fsyncMs * 1000)) },
];

const seconds = (value: number | null) => (value === null ? null : `${value.toFixed(0)} s`);

function or(value: number | null, format: (value: number) => string): string {
  return value === null ? '–' : format(value);
}

function standing({ run, hosts, outliers, aggregates }: RackResult, index: number): string {
  const member = run.members[index];
  const host = hosts[index];
  if (member?.leftOut) return `left out: ${member.leftOut.reason}`;
  if (member?.error) return member.error.message;
  if (host?.figures === null) return aggregates.length > 0 ? 'no figures' : 'no figures yet';
  return outliers.some(({ hostId }) => hostId === host?.hostId) ? 'outlier' : '';
}
