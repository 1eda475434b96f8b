import { formatDuration } from '../../../../src-shared/duration.ts';
import { entryOf } from '../../../../src-shared/entryOf.ts';
import { formatSeconds } from '../../timestamp.ts';
import { drawnHosts, findQueryType, type QueryType } from './queryTypes.ts';
import { type DrawnQuery, windowOf } from './statements.ts';

const hours = (n: number) => formatDuration(BigInt(n) * 3_600_000_000_000n);

const products: Readonly<Record<string, string>> = {
  timescaledb: 'TimescaleDB',
  postgresql: 'PostgreSQL',
  questdb: 'QuestDB',
};

/** TSBS's label of a query type by its name; null where there is no such type, or none for the dialect. */
export function tsbsQueryLabel(name: string, dialect: string): string | null {
  const type = findQueryType(name);
  const product = entryOf(products, dialect);
  return type === undefined || product === undefined ? null : queryLabel(product, type);
}

/** TSBS's label of a query type, under which its runner prints the figures. */
export function queryLabel(product: string, type: QueryType): string {
  const hosts = String(drawnHosts(type)).padStart(4);
  switch (type.kind) {
    case 'single-groupby':
      return `${product} ${type.metrics} cpu metric(s), random ${hosts} hosts, random ${hours(type.hours)} by 1m`;
    case 'cpu-max-all':
      // TSBS says 8 hours for the type with 24 hours too.
      return `${product} max of all CPU metrics, random ${hosts} hosts, random ${hours(8)} by 1h`;
    case 'double-groupby':
      return `${product} mean of ${type.metrics} metrics, all hosts, random ${hours(type.hours)} by 1h`;
    case 'high-cpu':
      return `${product} CPU over threshold, ${type.hosts === 'all' ? 'all hosts' : `${type.hosts} host(s)`}`;
    case 'groupby-orderby-limit':
      return `${product} max cpu over last 5 min-intervals (random end)`;
    case 'lastpoint':
      return `${product} last row per host`;
    case 'iot':
      return `${product} ${type.label}`;
  }
}

/** TSBS's description of one query: its label and when its window begins (or ends, where only the end counts). */
export function queryDescription(product: string, query: DrawnQuery): string {
  const label = queryLabel(product, query.type);
  if (query.type.kind === 'lastpoint') return label;
  if (query.type.kind === 'iot') return query.type.suffix === '' ? label : `${label}: ${query.type.suffix}`;
  const { begin, end } = windowOf(query);
  return `${label}: ${formatSeconds(query.type.kind === 'groupby-orderby-limit' ? end : begin)}`;
}
