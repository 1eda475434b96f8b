/** TSBS's query types for cpu-only. Metrics are the first so many of the table's fields; windows are hours. */
export type QueryType = { readonly name: string; readonly help: string } & (
  | {
      readonly kind: 'single-groupby';
      readonly metrics: number;
      readonly hosts: number;
      readonly hours: number;
    }
  | { readonly kind: 'cpu-max-all'; readonly hosts: number; readonly hours: number }
  | { readonly kind: 'double-groupby'; readonly metrics: number; readonly hours: number }
  | { readonly kind: 'high-cpu'; readonly hosts: number | 'all'; readonly hours: number }
  | { readonly kind: 'groupby-orderby-limit'; readonly hours: number }
  | { readonly kind: 'lastpoint'; readonly hours: 0 }
);

function plural(count: number, noun: string): string {
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`;
}
function singleGroupby(metrics: number, hosts: number, hours: number): QueryType {
  return {
    name: `single-groupby-${metrics}-${hosts}-${hours}`,
    help: `Highest of ${plural(metrics, 'metric')} of ${plural(hosts, 'host')} each minute, over ${plural(hours, 'hour')}`,
    kind: 'single-groupby',
    metrics,
    hosts,
    hours,
  };
}
function cpuMaxAll(suffix: string, hosts: number, hours: number): QueryType {
  return {
    name: `cpu-max-all-${suffix}`,
    help: `Highest of all ten metrics of ${plural(hosts, 'host')} each hour, over ${plural(hours, 'hour')}`,
    kind: 'cpu-max-all',
    hosts,
    hours,
  };
}
function doubleGroupby(suffix: string, metrics: number): QueryType {
  return {
    name: `double-groupby-${suffix}`,
    help: `Mean of ${plural(metrics, 'metric')} of every host each hour, over 12 hours`,
    kind: 'double-groupby',
    metrics,
    hours: 12,
  };
}

export const queryTypes: readonly QueryType[] = [
  singleGroupby(1, 1, 1),
  singleGroupby(1, 1, 12),
  singleGroupby(1, 8, 1),
  singleGroupby(5, 1, 1),
  singleGroupby(5, 1, 12),
  singleGroupby(5, 8, 1),
  cpuMaxAll('1', 1, 8),
  cpuMaxAll('8', 8, 8),
  cpuMaxAll('32-24', 32, 24),
  doubleGroupby('1', 1),
  doubleGroupby('5', 5),
  doubleGroupby('all', 10),
  {
    name: 'high-cpu-1',
    help: 'Every row of one host with usage_user over 90, over 12 hours',
    kind: 'high-cpu',
    hosts: 1,
    hours: 12,
  },
  {
    name: 'high-cpu-all',
    help: 'Every row of any host with usage_user over 90, over 12 hours',
    kind: 'high-cpu',
    hosts: 'all',
    hours: 12,
  },
  {
    name: 'groupby-orderby-limit',
    help: 'Highest usage_user of the last five minutes before a random time',
    kind: 'groupby-orderby-limit',
    hours: 1,
  },
  { name: 'lastpoint', help: 'The newest row of every host', kind: 'lastpoint', hours: 0 },
];

export const queryTypeNames = queryTypes.map((type) => type.name);

export function findQueryType(name: string): QueryType | undefined {
  return queryTypes.find((type) => type.name === name);
}

/** Hosts that one query of this type draws. */
export function drawnHosts(type: QueryType): number {
  return 'hosts' in type && type.hosts !== 'all' ? type.hosts : 0;
}
