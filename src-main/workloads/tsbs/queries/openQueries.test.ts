import { describe, expect, it } from 'vitest';
import { parseTimestamp } from '../../timestamp.ts';
import { QueryDraws } from './draws.ts';
import { TsbsQueries } from './openQueries.ts';
import { hostQueryTypes, iotQueryTypes } from './queryTypes.ts';

const queryTypeNames = hostQueryTypes.map(({ name }) => name);

const threeDays = {
  useCase: 'cpu-only',
  seed: 123,
  scale: 4000,
  timestampStart: '2016-01-01T00:00:00Z',
  timestampEnd: '2016-01-04T00:00:01Z',
};
function open(type: string, dialect = 'timescaledb', changes: Record<string, unknown> = {}): TsbsQueries {
  return new TsbsQueries(
    { workload: 'tsbs', parameters: { ...threeDays, type, queries: 1000, ...changes } },
    dialect,
  );
}
/** Times and hosts of a statement, in its order. */
function parts(text: string): { times: string[]; hosts: number[] } {
  return {
    times: [...text.matchAll(/'2016-(\d\d-\d\d)[ T]([\d:.]+)(?: \+0000|Z)'/g)].map((m) => `${m[1]} ${m[2]}`),
    hosts: [...text.matchAll(/host_(\d+)/g)].map((m) => Number(m[1])),
  };
}
function firstThree(type: string, dialect?: string, changes?: Record<string, unknown>) {
  const queries = open(type, dialect, changes);
  return [0, 1, 2].map((i) => parts(queries.at(i).text));
}
const begins = (drawn: ReturnType<typeof firstThree>) => drawn.map(({ times }) => times[0]);
const hosts = (drawn: ReturnType<typeof firstThree>) => drawn.map((d) => d.hosts);

const eight = [
  [249, 1403, 1435, 3539, 3639, 3075, 815, 2121],
  [2987, 2302, 3182, 3215, 248, 3701, 1103, 3837],
  [1518, 3754, 2294, 2272, 3857, 2413, 726, 2083],
];

describe('queries as TSBS draws them: seed 123, 4000 hosts, three days and a second', () => {
  it.each([
    ['single-groupby-1-1-1', ['01-03 12:26:46.646325', '01-01 11:17:10.894865', '01-03 11:59:45.311177']],
    ['single-groupby-5-1-1', ['01-03 12:26:46.646325', '01-01 11:17:10.894865', '01-03 11:59:45.311177']],
    ['single-groupby-1-1-12', ['01-02 11:22:40.646325', '01-03 02:49:37.894865', '01-03 11:34:27.311177']],
    ['single-groupby-5-1-12', ['01-02 11:22:40.646325', '01-03 02:49:37.894865', '01-03 11:34:27.311177']],
    ['cpu-max-all-1', ['01-01 11:48:31.646325', '01-02 23:00:44.894865', '01-02 11:44:39.311177']],
  ])('%s: one host', (type, expected) => {
    const drawn = firstThree(type);
    expect(begins(drawn)).toEqual(expected);
    expect(hosts(drawn)).toEqual([[249], [1435], [3639]]);
    expect(begins(firstThree(type, 'questdb'))).toEqual(expected.map((time) => time.slice(0, 14)));
    expect(hosts(firstThree(type, 'questdb'))).toEqual([[249], [1435], [3639]]);
  });

  it.each([
    ['single-groupby-1-8-1', ['01-03 12:26:46.646325', '01-01 03:07:58.487617', '01-03 21:17:20.243225']],
    ['single-groupby-5-8-1', ['01-03 12:26:46.646325', '01-01 03:07:58.487617', '01-03 21:17:20.243225']],
    ['cpu-max-all-8', ['01-01 11:48:31.646325', '01-02 02:42:49.487617', '01-01 00:20:54.243225']],
  ])('%s: eight hosts', (type, expected) => {
    const drawn = firstThree(type);
    expect(begins(drawn)).toEqual(expected);
    expect(hosts(drawn)).toEqual(eight);
  });

  it.each(['double-groupby-1', 'double-groupby-5', 'double-groupby-all', 'high-cpu-all'])(
    '%s: a window',
    (type) => {
      const expected = ['01-02 11:22:40.646325', '01-02 23:35:31.138978', '01-03 02:49:37.894865'];
      expect(begins(firstThree(type))).toEqual(expected);
      expect(begins(firstThree(type, 'postgresql'))).toEqual(expected);
      expect(begins(firstThree(type, 'questdb'))).toEqual(expected.map((time) => time.slice(0, 14)));
    },
  );

  it('high-cpu-1: the host first, but the window first for QuestDB', () => {
    const drawn = firstThree('high-cpu-1');
    expect(begins(drawn)).toEqual([
      '01-02 23:35:31.138978',
      '01-01 21:18:55.342805',
      '01-03 05:50:10.303546',
    ]);
    expect(hosts(drawn)).toEqual([[1035], [1403], [3539]]);
    const quest = firstThree('high-cpu-1', 'questdb');
    expect(begins(quest)).toEqual(['01-02 11:22:40', '01-03 02:49:37', '01-03 11:34:27']);
    expect(hosts(quest)).toEqual([[249], [1435], [3639]]);
  });

  it('groupby-orderby-limit: the end of a window', () => {
    const expected = ['01-03 13:26:46.646325', '01-01 22:38:24.138978', '01-01 12:17:10.894865'];
    const drawn = firstThree('groupby-orderby-limit');
    expect(drawn.map(({ times }) => times)).toEqual(expected.map((time) => [time]));
  });

  it('windows are as long as the type says, in every dialect', () => {
    const lengths = (dialect: string) =>
      Object.fromEntries(
        queryTypeNames.flatMap((type) => {
          const times = parts(open(type, dialect).at(5).text).times;
          const [begin, end] = times.map((t) => parseTimestamp(`2016-${t.replace(' ', 'T')}Z`));
          return end ? [[type, Number(end - (begin ?? 0n)) / 3.6e12]] : [];
        }),
      );
    const expected = {
      'single-groupby-1-1-1': 1,
      'single-groupby-1-1-12': 12,
      'single-groupby-1-8-1': 1,
      'single-groupby-5-1-1': 1,
      'single-groupby-5-1-12': 12,
      'single-groupby-5-8-1': 1,
      'cpu-max-all-1': 8,
      'cpu-max-all-8': 8,
      'cpu-max-all-32-24': 24,
      'double-groupby-1': 12,
      'double-groupby-5': 12,
      'double-groupby-all': 12,
      'high-cpu-1': 12,
      'high-cpu-all': 12,
    };
    for (const dialect of ['timescaledb', 'postgresql', 'questdb'])
      expect(lengths(dialect)).toEqual(expected);
    expect(new Set(parts(open('cpu-max-all-32-24').at(0).text).hosts).size).toBe(32);
  });
});

describe('the vectors of TSBS’s own tests', () => {
  it('scale 10, one day and a second', () => {
    const drawn = firstThree('single-groupby-1-1-1', 'timescaledb', {
      scale: 10,
      timestampEnd: '2016-01-02T00:00:01Z',
    });
    expect(drawn).toEqual([
      { times: ['01-01 02:17:08.646325', '01-01 03:17:08.646325'], hosts: [9] },
      { times: ['01-01 14:03:26.894865', '01-01 15:03:26.894865'], hosts: [5] },
      { times: ['01-01 09:11:43.311177', '01-01 10:11:43.311177'], hosts: [9] },
    ]);
  });

  const second = 1_000_000_000n;
  const hour = 3600n * second;
  const draws = (rangeHours: bigint, seed = 123, scale = 10) =>
    new QueryDraws(seed, scale, { begin: 0n, end: rangeHours * hour });
  const clock = ({ begin }: { begin: bigint }) =>
    new Date(Number(begin / 1_000_000n)).toISOString().slice(11, 19);

  it('hosts alone', () => {
    expect([1, 2, 5].map((k) => draws(1n).hosts(k))).toEqual([[5], [5, 9], [5, 9, 3, 1, 7]]);
    expect(draws(1n, 100, 100).hosts(5)).toEqual([83, 68, 80, 60, 62]);
  });

  it('windows and hosts in turn', () => {
    const short = draws(1n);
    // 00:05:58.646325
    expect(short.window(second).begin / 1000n).toBe(358_646_325n);
    expect(short.hosts(1)).toEqual([9]);
    const limit = draws(2n).window(hour);
    expect(clock({ begin: limit.end })).toBe('01:16:22');
    const double = draws(13n);
    expect([1, 2, 3, 4].map(() => clock(double.window(12n * hour)))).toEqual([
      '00:16:22',
      '00:54:10',
      '00:47:30',
      '00:37:12',
    ]);
    const high = draws(13n);
    expect(clock(high.window(12n * hour))).toBe('00:16:22');
    expect(high.hosts(1)).toEqual([9]);
    expect(clock(high.window(12n * hour))).toBe('00:47:30');
    expect(high.hosts(5)).toEqual([5, 9, 1, 7, 2]);
    expect(clock(high.window(12n * hour))).toBe('00:08:59');
    // QuestDB’s branch: a call that fails after its window, then windows and hosts.
    const quest = draws(9n);
    quest.window(8n * hour);
    expect(clock(quest.window(8n * hour))).toBe('00:54:10');
    expect(quest.hosts(1)).toEqual([3]);
    expect(clock(quest.window(8n * hour))).toBe('00:37:12');
    expect(quest.hosts(5)).toEqual([9, 5, 1, 7, 2]);
  });

  it('refuse what cannot be drawn', () => {
    expect(() => draws(1n).window(hour)).toThrow(RangeError);
    expect(() => draws(1n).hosts(11)).toThrow(RangeError);
  });
});

describe('labels and descriptions', () => {
  it('are TSBS’s', () => {
    const labels = queryTypeNames.map((type) => open(type).label);
    expect(labels).toEqual([
      'TimescaleDB 1 cpu metric(s), random    1 hosts, random 1h0m0s by 1m',
      'TimescaleDB 1 cpu metric(s), random    1 hosts, random 12h0m0s by 1m',
      'TimescaleDB 1 cpu metric(s), random    8 hosts, random 1h0m0s by 1m',
      'TimescaleDB 5 cpu metric(s), random    1 hosts, random 1h0m0s by 1m',
      'TimescaleDB 5 cpu metric(s), random    1 hosts, random 12h0m0s by 1m',
      'TimescaleDB 5 cpu metric(s), random    8 hosts, random 1h0m0s by 1m',
      'TimescaleDB max of all CPU metrics, random    1 hosts, random 8h0m0s by 1h',
      'TimescaleDB max of all CPU metrics, random    8 hosts, random 8h0m0s by 1h',
      'TimescaleDB max of all CPU metrics, random   32 hosts, random 8h0m0s by 1h',
      'TimescaleDB mean of 1 metrics, all hosts, random 12h0m0s by 1h',
      'TimescaleDB mean of 5 metrics, all hosts, random 12h0m0s by 1h',
      'TimescaleDB mean of 10 metrics, all hosts, random 12h0m0s by 1h',
      'TimescaleDB CPU over threshold, 1 host(s)',
      'TimescaleDB CPU over threshold, all hosts',
      'TimescaleDB max cpu over last 5 min-intervals (random end)',
      'TimescaleDB last row per host',
    ]);
    expect(open('lastpoint', 'questdb').label).toBe('QuestDB last row per host');
    expect(open('single-groupby-1-1-1').descriptionAt(0)).toBe(
      'TimescaleDB 1 cpu metric(s), random    1 hosts, random 1h0m0s by 1m: 2016-01-03T12:26:46Z',
    );
    expect(open('groupby-orderby-limit').descriptionAt(0)).toBe(
      'TimescaleDB max cpu over last 5 min-intervals (random end): 2016-01-03T13:26:46Z',
    );
    expect(open('lastpoint').descriptionAt(3)).toBe('TimescaleDB last row per host');
  });
});

describe('queries about trucks, as TSBS’s own tests draw them', () => {
  const drawn = (type: string, hours: number, index = 0) => {
    const end = new Date(hours * 3_600_000).toISOString();
    const changes = { useCase: 'iot', scale: 10, timestampStart: '1970-01-01T00:00:00Z', timestampEnd: end };
    return open(type, 'timescaledb', changes).at(index).text;
  };

  it('a fleet alone, a window before its fleet, trucks', () => {
    for (const type of ['last-loc', 'low-fuel', 'high-load']) expect(drawn(type, 24)).toContain("'South'");
    expect(drawn('stationary-trucks', 1)).toMatch(/>= '1970-01-01 00:36:22\.646325 \+0000'.*'West'/);
    expect(drawn('long-driving-sessions', 6)).toMatch(
      />= '1970-01-01 00:16:22\.646325 \+0000'.*'West'.*count\(r\.ten_minutes\) > 22/,
    );
    expect(drawn('long-daily-sessions', 25)).toMatch(
      />= '1970-01-01 00:16:22\.646325 \+0000'.*'West'.*count\(r\.ten_minutes\) > 60/,
    );
    expect([0, 1].map((i) => /truck_\d+/.exec(drawn('single-last-loc', 24, i))?.[0])).toEqual([
      'truck_5',
      'truck_9',
    ]);
    const draws = new QueryDraws(123, 10, { begin: 0n, end: 1n });
    expect([1, 1, 3].map((count) => draws.hosts(count))).toEqual([[5], [9], [3, 5, 9]]);
  });

  it('are the same each time where nothing is drawn, and labelled as TSBS labels them', () => {
    for (const { name } of iotQueryTypes.filter((type) => type.kind === 'iot' && type.draw === 'nothing'))
      expect(drawn(name, 24, 3)).toBe(drawn(name, 24));
    expect(open('last-loc').descriptionAt(0)).toBe('TimescaleDB last location per truck');
    expect(open('single-last-loc').descriptionAt(0)).toBe(
      'TimescaleDB last location by specific truck: random    1 trucks',
    );
    expect(open('stationary-trucks').descriptionAt(0)).toBe(
      'TimescaleDB stationary trucks: with low avg velocity in last 10 minutes',
    );
    for (const { name } of iotQueryTypes) {
      expect(open(name, 'postgresql').at(0).text).not.toMatch(/time_bucket|[\n;]/);
    }
  });

  it('are drawn alike for QuestDB, in statements of its own', () => {
    const parts = (text: string) => [
      ...[...text.matchAll(/'(\d{4}-\d\d-\d\d)[ T]([\d:.]+)(?: \+0000|Z)'/g)].map(
        ([, day, time]) => `${day} ${time}`,
      ),
      ...[...text.matchAll(/'(truck_\d+|East|West|North|South)'/g)].map(([, name]) => name),
    ];
    for (const { name } of iotQueryTypes) {
      const [timescale, quest] = [open(name), open(name, 'questdb')];
      for (let i = 0; i < 50; i += 1) {
        const { text } = quest.at(i);
        expect(new Set(parts(text))).toEqual(new Set(parts(timescale.at(i).text)));
        expect(text).not.toMatch(/tags_id|HAVING|[\n;]/);
      }
    }
    expect(open('single-last-loc', 'questdb', { scale: 10 }).at(0).text).toBe(
      "SELECT t.name, t.driver, r.longitude, r.latitude FROM (SELECT name, driver FROM readings WHERE name = 'truck_5' AND driver IS NOT NULL LATEST ON timestamp PARTITION BY name) t JOIN (SELECT name, longitude, latitude FROM readings WHERE name = 'truck_5' LATEST ON timestamp PARTITION BY name) r ON r.name = t.name",
    );
    expect(open('last-loc', 'questdb').label).toBe('QuestDB last location per truck');
  });
});

describe('a query source', () => {
  it('gives the same queries to those who skip some', () => {
    const every = open('cpu-max-all-8');
    const all = Array.from({ length: 50 }, (_, i) => every.at(i).text);
    const some = open('cpu-max-all-8');
    for (const i of [0, 1, 1, 7, 8, 30, 49]) expect(some.at(i).text).toBe(all[i]);
    expect(() => some.at(30)).toThrow(RangeError);
    expect(() => some.at(1000)).toThrow(RangeError);
    expect(some.total).toBe(1000);
  });

  it('knows its dialects and types', () => {
    expect(() => open('lastpoint', 'mongo')).toThrow('There is no query lastpoint for mongo');
    expect(() => open('nothing')).toThrow('There is no query nothing for timescaledb');
  });

  it('writes statements on one line, without time_bucket where there is none', () => {
    for (const type of queryTypeNames)
      for (const dialect of ['timescaledb', 'postgresql', 'questdb'])
        expect(open(type, dialect).at(0).text).not.toMatch(/[\n;]/);
    for (const type of queryTypeNames) {
      expect(open(type, 'postgresql').at(0).text).not.toContain('time_bucket');
      expect(open(type, 'timescaledb', { timescaleUseTimeBucket: false }).at(0).text).toBe(
        open(type, 'postgresql').at(0).text,
      );
    }
    expect(open('single-groupby-1-1-1').at(0).text).toBe(
      "SELECT time_bucket('60 seconds', time) AS minute, max(usage_user) AS max_usage_user FROM cpu WHERE tags_id IN (SELECT id FROM tags WHERE hostname IN ('host_249')) AND time >= '2016-01-03 12:26:46.646325 +0000' AND time < '2016-01-03 13:26:46.646325 +0000' GROUP BY minute ORDER BY minute",
    );
    expect(open('cpu-max-all-1', 'questdb').at(0).text).toBe(
      "SELECT max(usage_user) AS max_usage_user, max(usage_system) AS max_usage_system, max(usage_idle) AS max_usage_idle, max(usage_nice) AS max_usage_nice, max(usage_iowait) AS max_usage_iowait, max(usage_irq) AS max_usage_irq, max(usage_softirq) AS max_usage_softirq, max(usage_steal) AS max_usage_steal, max(usage_guest) AS max_usage_guest, max(usage_guest_nice) AS max_usage_guest_nice FROM cpu WHERE hostname IN ('host_249') AND timestamp >= '2016-01-01T11:48:31Z' AND timestamp < '2016-01-01T19:48:31Z' SAMPLE BY 1h",
    );
  });
});
