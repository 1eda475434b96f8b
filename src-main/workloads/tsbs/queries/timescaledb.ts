import { formatMicros } from '../../timestamp.ts';
import { cpuFields } from '../cpuOnly/model.ts';
import { iotText } from './iotStatements.ts';
import { type DrawnQuery, hostList, type QueryForm, windowOf } from './statements.ts';

/** How the queries find the tags of a row, and how they group times. */
export interface TimescaleOptions {
  product: string;
  useTags: boolean;
  useJson: boolean;
  useTimeBucket: boolean;
}

/** The queries for the tables that the PostgreSQL driver makes: with TimescaleDB's function, or for any PostgreSQL. */
export function timescaleForm(options: TimescaleOptions): QueryForm {
  const { product, useTags, useJson, useTimeBucket } = options;

  /**
   * TSBS's arithmetic rounds seconds where time_bucket cuts them off: with rows less than a second apart, those in the last
   * half second before a full minute count to the next one. As 64-bit numbers it also goes beyond the year 2038.
   */
  const bucket = (seconds: number, time = 'time') =>
    useTimeBucket
      ? `time_bucket('${seconds} seconds', ${time})`
      : `to_timestamp(extract(epoch FROM ${time})::bigint / ${seconds} * ${seconds})`;

  function ofHosts(hosts: readonly number[]): string {
    if (useJson) {
      const each = hosts.map((host) => `tagset @> '{"hostname": "host_${host}"}'`);
      return `tags_id IN (SELECT id FROM tags WHERE ${each.join(' OR ')})`;
    }
    if (useTags) return `tags_id IN (SELECT id FROM tags WHERE hostname IN (${hostList(hosts)}))`;
    return `hostname IN (${hostList(hosts)})`;
  }

  function inWindow(query: DrawnQuery): string {
    const { begin, end } = windowOf(query);
    return `time >= '${formatMicros(begin)}' AND time < '${formatMicros(end)}'`;
  }

  function maxima(query: DrawnQuery, metrics: number, name: string, seconds: number): string {
    const columns = cpuFields.slice(0, metrics).map((field) => `max(${field}) AS max_${field}`);
    return `SELECT ${bucket(seconds)} AS ${name}, ${columns.join(', ')} FROM cpu WHERE ${ofHosts(query.hosts)} AND ${inWindow(query)} GROUP BY ${name} ORDER BY ${name}`;
  }

  function means(query: DrawnQuery, metrics: number): string {
    const fields = cpuFields.slice(0, metrics);
    const throughTags = useJson || useTags;
    const device = throughTags ? 'tags_id' : 'hostname';
    const hostname = useJson
      ? "tags.tagset->>'hostname' AS hostname"
      : useTags
        ? 'tags.hostname'
        : 'hostname';
    const inner = `SELECT ${bucket(3600)} AS hour, ${device}, ${fields.map((field) => `avg(${field}) AS mean_${field}`).join(', ')} FROM cpu WHERE ${inWindow(query)} GROUP BY hour, ${device}`;
    const outer = ['hour', hostname, ...fields.map((field) => `mean_${field}`)].join(', ');
    const join = throughTags ? ' JOIN tags ON cpu_avg.tags_id = tags.id' : '';
    return `WITH cpu_avg AS (${inner}) SELECT ${outer} FROM cpu_avg${join} ORDER BY hour, hostname`;
  }

  function newest(): string {
    if (!(useJson || useTags)) return 'SELECT DISTINCT ON (hostname) * FROM cpu ORDER BY hostname, time DESC';
    const hostname = useJson ? "(t.tagset->>'hostname')" : 't.hostname';
    return `SELECT DISTINCT ON (${hostname}) * FROM tags t INNER JOIN LATERAL (SELECT * FROM cpu c WHERE c.tags_id = t.id ORDER BY time DESC LIMIT 1) AS b ON true ORDER BY ${hostname}, b.time DESC`;
  }

  return {
    product,
    hostsFirst: (type) => type.kind === 'high-cpu',
    text(query) {
      const { type, hosts } = query;
      switch (type.kind) {
        case 'single-groupby':
          return maxima(query, type.metrics, 'minute', 60);
        case 'cpu-max-all':
          return maxima(query, cpuFields.length, 'hour', 3600);
        case 'double-groupby':
          return means(query, type.metrics);
        case 'high-cpu': {
          const filter = type.hosts === 'all' ? '' : ` AND ${ofHosts(hosts)}`;
          return `SELECT * FROM cpu WHERE usage_user > 90.0 AND ${inWindow(query)}${filter}`;
        }
        case 'groupby-orderby-limit':
          return `SELECT ${bucket(60)} AS minute, max(usage_user) FROM cpu WHERE time < '${formatMicros(windowOf(query).end)}' GROUP BY minute ORDER BY minute DESC LIMIT 5`;
        case 'lastpoint':
          return newest();
        case 'iot':
          return iotText(query, { bucket: (seconds, of) => bucket(seconds, of), inWindow });
      }
    },
  };
}
