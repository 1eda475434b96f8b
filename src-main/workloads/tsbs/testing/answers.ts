import type { RowSink } from '../../../databases/driver.ts';

/** A generated row, as the tests compute with it: no database, no SQL. */
export interface KnownRow {
  host: number;
  ms: number;
  values: number[];
}

export function rowKeeper(rows: KnownRow[]): RowSink {
  return {
    row(_, host, ms, __, values) {
      rows.push({ host, ms, values: [...values] });
    },
  };
}

/** Window and hosts of a query, begin included and end excluded; ms since 1970, with fractions. */
export interface Asked {
  begin: number;
  end: number;
  hosts: readonly number[];
}

/** Reads the window and hosts back from a statement: what it asks for, whatever it does with it. */
export function askedIn(text: string): Asked {
  const times = [...text.matchAll(/'(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)? \+0000'/g)].map(
    ([, day, time, fraction]) => Date.parse(`${day}T${time}Z`) + Number(fraction ?? 0) * 1000,
  );
  return {
    begin: times.length === 2 ? (times[0] ?? 0) : Number.NEGATIVE_INFINITY,
    end: times.at(-1) ?? Number.POSITIVE_INFINITY,
    hosts: [...text.matchAll(/host_(\d+)/g)].map((match) => Number(match[1])),
  };
}

type Answer = (string | number)[][];

const within = (rows: readonly KnownRow[], { begin, end }: Asked) =>
  rows.filter((row) => row.ms >= begin && row.ms < end);
const ofHosts = (rows: readonly KnownRow[], { hosts }: Asked) => {
  const wanted = new Set(hosts);
  return rows.filter((row) => wanted.has(row.host));
};
function grouped<K>(rows: readonly KnownRow[], key: (row: KnownRow) => K): Map<K, KnownRow[]> {
  return Map.groupBy(rows, key);
}
const bucketOf = (row: KnownRow, seconds: number) => Math.floor(row.ms / (seconds * 1000)) * seconds * 1000;
const highest = (rows: readonly KnownRow[], field: number) =>
  rows.reduce((max, row) => Math.max(max, row.values[field] ?? Number.NaN), Number.NEGATIVE_INFINITY);
const mean = (rows: readonly KnownRow[], field: number) =>
  rows.reduce((sum, row) => sum + (row.values[field] ?? Number.NaN), 0) / rows.length;
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);

/** For each bucket with rows, in order: its start (ms) and the highest value of the first `metrics` fields. */
export function maxima(rows: readonly KnownRow[], asked: Asked, metrics: number, seconds: number): Answer {
  const buckets = grouped(ofHosts(within(rows, asked), asked), (row) => bucketOf(row, seconds));
  return [...buckets]
    .sort(([a], [b]) => a - b)
    .map(([start, inside]) => [start, ...upTo(metrics).map((field) => highest(inside, field))]);
}

/** For each hour and host, in order: the hour's start (ms), the host's name, the means of the first `metrics` fields. */
export function means(rows: readonly KnownRow[], asked: Asked, metrics: number): Answer {
  const hours = grouped(within(rows, asked), (row) => bucketOf(row, 3600));
  return [...hours]
    .sort(([a], [b]) => a - b)
    .flatMap(([start, inside]) =>
      [...grouped(inside, (row) => `host_${row.host}`)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, own]) => [start, name, ...upTo(metrics).map((field) => mean(own, field))]),
    );
}

/** Newest five minutes with rows before the end, newest first: start (ms) and highest usage_user. */
export function lastFiveMinutes(rows: readonly KnownRow[], asked: Asked): Answer {
  const minutes = grouped(within(rows, asked), (row) => bucketOf(row, 60));
  return [...minutes]
    .sort(([a], [b]) => b - a)
    .slice(0, 5)
    .map(([start, inside]) => [start, highest(inside, 0)]);
}

/** Every row with usage_user over 90: time (ms), host's name, values; in no order. */
export function highCpu(rows: readonly KnownRow[], asked: Asked, ofAll: boolean): Answer {
  const inside = within(rows, asked);
  return (ofAll ? inside : ofHosts(inside, asked))
    .filter((row) => (row.values[0] ?? 0) > 90)
    .map((row) => [row.ms, `host_${row.host}`, ...row.values]);
}

/** The newest row of every host, by host's name: time (ms), name, values. */
export function newest(rows: readonly KnownRow[]): Answer {
  return [...grouped(rows, (row) => row.host).values()]
    .map((own) => own.reduce((a, b) => (b.ms > a.ms ? b : a)))
    .map((row): [number, string, ...number[]] => [row.ms, `host_${row.host}`, ...row.values])
    .sort(([, a], [, b]) => (a < b ? -1 : 1));
}
