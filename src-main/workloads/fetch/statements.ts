import { names } from './points.ts';

/** What is to be fetched: all points with a tag value, or all points of a time range, in order of time. */
export interface Selection {
  /** Milliseconds since 1970; of a selection by tag the whole data. */
  fromMs: number;
  /** Exclusive. */
  toMs: number;
  /** null: by date. */
  series: string | null;
}

/** By `ServerDescription.dialect`. Rows have the time first and the value last. */
export const statements: Readonly<Record<string, (selection: Selection) => string>> = {
  timescaledb: (selection) => sql(selection, '+00'),
  postgresql: (selection) => sql(selection, '+00'),
  mysql: (selection) => sql(selection, ''),
  questdb: ({ series, fromMs, toMs }) =>
    `SELECT timestamp, ${names.field} FROM ${names.table} WHERE ${
      series === null
        ? `timestamp >= '${iso(fromMs)}' AND timestamp < '${iso(toMs)}'`
        : `${names.tag} = '${series}'`
    } ORDER BY timestamp`,
  // Within one measurement the answer is in order of time, whatever the tags.
  influxql: ({ series, fromMs, toMs }) =>
    `SELECT ${names.field} FROM ${names.table} WHERE ${
      series === null ? `time >= ${fromMs}ms AND time < ${toMs}ms` : `${names.tag} = '${series}'`
    }`,
  // Both ends of a range belong to it.
  victoriametrics: ({ series, fromMs, toMs }) =>
    `/api/v1/export?${new URLSearchParams({
      'match[]': `${names.table}_${names.field}${series === null ? '' : `{${names.tag}=${JSON.stringify(series)}}`}`,
      start: String(fromMs / 1000),
      end: String((toMs - 1) / 1000),
    })}`,
  hbase: ({ series, fromMs, toMs }) =>
    `/${names.table}?${series === null ? `from=${fromMs}&to=${toMs}` : `device=${series}`}`,
  opentsdb: ({ series, fromMs, toMs }) =>
    `/api/query?start=${fromMs}&end=${toMs - 1}&m=none:${opentsdbMetric(series)}&ms`,
  // Of the old door times are seconds.
  'opentsdb-q': (selection) => `${opentsdbLines(selection)}&nocache`,
  'opentsdb-q-cached': opentsdbLines,
};

/** Both ends of a range belong to it. */
function opentsdbLines({ series, fromMs, toMs }: Selection): string {
  const seconds = (ms: number) => Math.floor(ms / 1000);
  return `/q?start=${seconds(fromMs)}&end=${seconds(toMs - 1)}&m=none:${opentsdbMetric(series)}&ascii`;
}
function opentsdbMetric(series: string | null): string {
  return `${names.table}.${names.field}${series === null ? '' : `{${names.tag}=${series}}`}`;
}

/** @param zone what the engine wants after a time without a zone of its own */
function sql({ series, fromMs, toMs }: Selection, zone: string): string {
  const time = (ms: number) => `'${iso(ms).replace('T', ' ').replace('Z', zone)}'`;
  const where =
    series === null
      ? `time >= ${time(fromMs)} AND time < ${time(toMs)}`
      : `tags_id = (SELECT id FROM tags WHERE ${names.tag} = '${series}')`;
  return `SELECT time, ${names.field} FROM ${names.table} WHERE ${where} ORDER BY time`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
