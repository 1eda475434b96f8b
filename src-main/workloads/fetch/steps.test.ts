import { describe, expect, it } from 'vitest';
import { resolvePlan } from '../resolve.ts';
import { openFetches } from './openFetches.ts';

const plan = (...steps: Record<string, unknown>[]) => resolvePlan({ version: 1, name: 'Fetch', steps });
const small = { points: 2000, selected: 100, selections: 15 };

describe('the steps of select + fetch', () => {
  it('are cold and warm fetches for each number of readers, no selection read cold twice', () => {
    const { problems, phases, rows, summary } = plan(
      { 'fetch.load': small },
      { 'fetch.read': { readers: [1, 2, 4, 8], fetches: 25, coldFetches: 1 } },
    );
    expect(problems).toEqual([]);
    expect(rows).toBe(2000);
    expect(summary).toBe(
      'Insert 2,000 points into benchmark, then fetch 100 points at a time by tag with 1, 2, 4, 8 readers',
    );
    const read = phases[1];
    if (read?.kind !== 'queries') throw new Error('no phase of queries');
    expect(read.workers).toBe(8);
    expect(read.jobs.map(({ name, fetch }) => [name, fetch?.readers, fetch?.cache, fetch?.restart])).toEqual(
      [1, 2, 4, 8].flatMap((n) => [
        [n === 1 ? '1 reader, first read' : `${n} readers, first read`, n, 'first', false],
        [n === 1 ? '1 reader, warm' : `${n} readers, warm`, n, 'warm', false],
      ]),
    );
    const texts = read.jobs.map(({ queries }) => {
      const source = openFetches(queries, 'postgresql');
      return Array.from({ length: source.total }, (_, i) => source.at(i).text);
    });
    const cold = texts.filter((_, i) => i % 2 === 0).flat();
    expect(cold.length).toBe(15);
    expect(new Set(cold).size).toBe(15);
    texts.forEach((warm, i) => {
      if (i % 2 === 0) return;
      expect(warm.length).toBe(25 * 2 ** ((i - 1) / 2));
      expect(new Set(warm)).toEqual(new Set(texts[i - 1]));
    });
  });

  it('want a load before fetches that nobody has read yet', () => {
    const message = (...steps: Record<string, unknown>[]) => plan(...steps).problems.map(({ path }) => path);
    const read = { 'fetch.read': { readers: [1], coldFetches: 1 } };
    expect(message(read)).toEqual(['steps[0].fetch.read.cold']);
    expect(message({ 'fetch.load': small }, read)).toEqual([]);
    expect(message({ 'fetch.load': small }, read, read)).toEqual(['steps[2].fetch.read.cold']);
    expect(message({ 'fetch.load': small }, read, { 'fetch.load': small }, read)).toEqual([]);
    expect(message({ 'fetch.load': small }, { 'fetch.read': { readers: [1], dbName: 'other' } })).toEqual([
      'steps[1].fetch.read.cold',
    ]);
    for (const cold of ['restart', 'none'])
      expect(message({ 'fetch.read': { readers: [1], cold } })).toEqual([]);
  });

  it('say what does not fit together', () => {
    const paths = (load: object, read: object = { readers: [1], coldFetches: 1 }) =>
      plan({ 'fetch.load': load }, { 'fetch.read': read }).problems.map(({ path }) => path);
    expect(paths({ ...small, selections: 21 })).toContain('steps[0].fetch.load.selections');
    expect(paths({ ...small, interval: '1500us' })).toContain('steps[0].fetch.load.interval');
    expect(paths(small, { readers: [16], coldFetches: 1 })).toEqual(['steps[1].fetch.read.coldFetches']);
    expect(paths(small, { readers: [5], coldFetches: 1 })).toEqual(['steps[1].fetch.read.readers[0]']);
    expect(paths(small, { readers: [1, 1], coldFetches: 1 })).toEqual(['steps[1].fetch.read.readers']);
    expect(paths({ ...small, useJsonbTags: true })).toEqual(['steps[0].fetch.load.useJsonbTags']);
  });

  it('read each selection once before, where only warm fetches are wanted', () => {
    const { phases } = plan({
      'fetch.read': { ...small, cold: 'none', readers: [2], fetches: 60, coldFetches: 3 },
    });
    const [read] = phases;
    if (read?.kind !== 'queries') throw new Error('no phase of queries');
    expect(read.burnIn).toBe(3);
    expect(read.jobs.length).toBe(1);
    const source = openFetches(read.jobs[0]?.queries ?? { workload: '', parameters: {} }, 'mysql');
    expect(source.total).toBe(123);
    expect(new Set(Array.from({ length: 3 }, (_, i) => source.at(i).text)).size).toBe(3);
  });

  it('ask each engine in its own words', () => {
    const { phases } = plan(
      { 'fetch.load': small },
      { 'fetch.read': { select: 'date-range', readers: [1], coldFetches: 2 } },
    );
    const read = phases[1];
    if (read?.kind !== 'queries') throw new Error('no phase of queries');
    const text = (dialect: string) =>
      openFetches(read.jobs[0]?.queries ?? { workload: '', parameters: {} }, dialect).at(1).text;
    // 2,000 points in 15 parts: the second begins at point 133, two minutes and 13 seconds in.
    expect(text('postgresql')).toBe(
      "SELECT time, value FROM test WHERE time >= '2010-01-01 00:02:13.000+00' AND time < '2010-01-01 00:03:53.000+00' ORDER BY time",
    );
    expect(text('mysql')).toContain("time >= '2010-01-01 00:02:13.000' AND time < '2010-01-01 00:03:53.000'");
    expect(text('questdb')).toContain("timestamp >= '2010-01-01T00:02:13.000Z'");
    expect(text('influxql')).toBe(
      'SELECT value FROM test WHERE time >= 1262304133000ms AND time < 1262304233000ms',
    );
    expect(text('victoriametrics')).toBe(
      '/api/v1/export?match%5B%5D=test_value&start=1262304133&end=1262304232.999',
    );
    expect(text('hbase')).toBe('/test?from=1262304133000&to=1262304233000');
    expect(text('opentsdb')).toBe('/api/query?start=1262304133000&end=1262304232999&m=none:test.value&ms');
    expect(text('opentsdb-q')).toBe('/q?start=1262304133&end=1262304232&m=none:test.value&ascii&nocache');
    expect(text('opentsdb-q-cached')).toBe('/q?start=1262304133&end=1262304232&m=none:test.value&ascii');
    expect(() => text('none')).toThrow('no form of a fetch for none');
  });
});
