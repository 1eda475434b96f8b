import { formatSeconds } from '../../timestamp.ts';
import { cpuFields } from '../cpuOnly/model.ts';
import { questdbIotText } from './questdbIot.ts';
import { type DrawnQuery, hostList, type QueryForm, windowOf } from './statements.ts';

const columns = (aggregate: string, metrics: number) =>
  cpuFields
    .slice(0, metrics)
    .map((field) => `${aggregate}(${field}) AS ${aggregate}_${field}`)
    .join(', ');

function inWindow(query: DrawnQuery): string {
  const { begin, end } = windowOf(query);
  return `timestamp >= '${formatSeconds(begin)}' AND timestamp < '${formatSeconds(end)}'`;
}

function maxima(query: DrawnQuery, metrics: number, sample: string): string {
  return `SELECT ${columns('max', metrics)} FROM cpu WHERE hostname IN (${hostList(query.hosts)}) AND ${inWindow(query)} SAMPLE BY ${sample}`;
}

/** The queries as QuestDB's own branch of TSBS has them, with their values filled in; those about trucks are Benchberry's own. Times are whole seconds in the former. */
export const questdbForm: QueryForm = {
  product: 'QuestDB',
  hostsFirst: () => false,
  text(query) {
    const { type, hosts } = query;
    switch (type.kind) {
      case 'single-groupby':
        return maxima(query, type.metrics, '1m');
      case 'cpu-max-all':
        return maxima(query, cpuFields.length, '1h');
      case 'double-groupby':
        return `SELECT hostname, ${columns('avg', type.metrics)} FROM cpu WHERE ${inWindow(query)} SAMPLE BY 1h`;
      case 'high-cpu': {
        const filter = type.hosts === 'all' ? '' : ` AND hostname IN (${hostList(hosts)})`;
        return `SELECT * FROM cpu WHERE usage_user > 90.0 AND ${inWindow(query)}${filter}`;
      }
      case 'groupby-orderby-limit':
        return `SELECT max(usage_user) FROM cpu WHERE timestamp < '${formatSeconds(windowOf(query).end)}' SAMPLE BY 1m ORDER BY timestamp DESC LIMIT 5`;
      case 'lastpoint':
        return 'SELECT * FROM cpu LATEST BY hostname';
      case 'iot':
        return questdbIotText(query);
    }
  },
};
