import type { UseCase } from '../simulation.ts';

/** What a query about trucks draws, in this order; its window is `hours` long. */
export type IotDraw = 'nothing' | 'fleet' | 'truck' | 'window and fleet';

/** TSBS's query types. Metrics are the first so many of the cpu table's fields; windows are hours. */
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
  | IotType
);

/** A query about trucks: TSBS's label and what follows it in the description. */
export interface IotType {
  readonly kind: 'iot';
  readonly draw: IotDraw;
  readonly hours: number;
  readonly label: string;
  readonly suffix: string;
}

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

function iot(
  name: string,
  help: string,
  draw: IotDraw,
  label: string,
  { suffix = '', hours = 0 } = {},
): QueryType {
  return { name, help, kind: 'iot', draw, hours, label, suffix };
}

/** Queries about hosts, of the use cases whose data have a cpu table with ten metrics. */
export const hostQueryTypes: readonly QueryType[] = [
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

export const iotQueryTypes: readonly QueryType[] = [
  iot('last-loc', 'Where each truck of a fleet was last', 'fleet', 'last location per truck'),
  iot('single-last-loc', 'Where one truck was last', 'truck', 'last location by specific truck', {
    suffix: 'random    1 trucks',
  }),
  iot('low-fuel', 'Trucks of a fleet with less than a tenth of their fuel', 'fleet', 'trucks with low fuel', {
    suffix: 'under 10 percent',
  }),
  iot(
    'high-load',
    'Trucks of a fleet with more than nine tenths of their load',
    'fleet',
    'trucks with high load',
    {
      suffix: 'over 90 percent',
    },
  ),
  iot(
    'stationary-trucks',
    'Trucks of a fleet that stood for ten minutes',
    'window and fleet',
    'stationary trucks',
    {
      suffix: 'with low avg velocity in last 10 minutes',
      hours: 1 / 6,
    },
  ),
  iot(
    'long-driving-sessions',
    'Trucks of a fleet that stood for less than 20 minutes in four hours',
    'window and fleet',
    'trucks with longer driving sessions',
    { suffix: 'stopped less than 20 mins in 4 hour period', hours: 4 },
  ),
  iot(
    'long-daily-sessions',
    'Trucks of a fleet that drove for more than ten hours of a day',
    'window and fleet',
    'trucks with longer daily sessions',
    { suffix: 'drove more than 10 hours in the last 24 hours', hours: 24 },
  ),
  iot(
    'avg-vs-projected-fuel-consumption',
    'Fuel that each fleet used and should have used, all data',
    'nothing',
    'average vs projected fuel consumption per fleet',
  ),
  iot(
    'avg-daily-driving-duration',
    'Hours that each truck drove a day, all data',
    'nothing',
    'average driver driving duration per day',
  ),
  iot(
    'avg-daily-driving-session',
    'How long each truck drove without a stop, day by day, all data',
    'nothing',
    'average driver driving session without stopping per day',
  ),
  iot(
    'avg-load',
    'Mean load of each fleet and model, all data',
    'nothing',
    'average load per truck model per fleet',
  ),
  iot(
    'daily-activity',
    'How active each fleet and model was, day by day, all data',
    'nothing',
    'daily truck activity per fleet per model',
  ),
  iot(
    'breakdown-frequency',
    'How often each model broke down, all data',
    'nothing',
    'truck breakdown frequency per model',
  ),
];

export const queryTypes: readonly QueryType[] = [...hostQueryTypes, ...iotQueryTypes];

/** The queries that there are for a use case's data; TSBS has none for `cpu-single` and `devops-generic`. */
export function queryTypesOf(useCase: UseCase): readonly QueryType[] {
  if (useCase === 'iot') return iotQueryTypes;
  return useCase === 'cpu-only' || useCase === 'devops' ? hostQueryTypes : [];
}

/** A few types of different kinds, for who has chosen none. */
export function firstTypes(useCase: UseCase): string[] {
  return useCase === 'iot'
    ? ['last-loc', 'low-fuel', 'stationary-trucks', 'avg-load']
    : ['single-groupby-1-1-1', 'cpu-max-all-1', 'high-cpu-1', 'lastpoint'];
}

export const queryTypeNames = queryTypes.map((type) => type.name);

export function findQueryType(name: string): QueryType | undefined {
  return queryTypes.find((type) => type.name === name);
}

/** Hours as nanoseconds; a sixth of an hour is ten minutes exactly. */
export function nanosOfHours(hours: number): bigint {
  return BigInt(Math.round(hours * 3600)) * 1_000_000_000n;
}

/** Hosts, or trucks, that one query of this type draws. */
export function drawnHosts(type: QueryType): number {
  if (type.kind === 'iot') return type.draw === 'truck' ? 1 : 0;
  return 'hosts' in type && type.hosts !== 'all' ? type.hosts : 0;
}
