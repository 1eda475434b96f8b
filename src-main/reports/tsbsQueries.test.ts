import { describe, expect, it } from 'vitest';
import { latencyOf, operationOf, phaseOf, tickOf } from './testRun.ts';
import {
  createQueryProgress,
  finalBlock,
  intermediateBlock,
  statisticsGroups,
  statisticsLine,
} from './tsbsQueries.ts';

describe('statisticsLine', () => {
  it('has the widths of TSBS', () => {
    const latencyUs = latencyOf({
      min: 51_970,
      p50: 757_550,
      mean: 2_527_980,
      max: 28_188_200,
      stddev: 2_843_350,
      sum: 5_056_000_000,
      count: 2000,
    });
    expect(statisticsLine(latencyUs)).toBe(
      'min:    51.97ms, med:   757.55ms, mean:  2527.98ms, max: 28188.20ms, stddev:  2843.35ms, sum: 5056.0sec, count: 2000',
    );
  });
  it('pads small figures to 8, the maximum to 7, the sum to 5', () => {
    expect(statisticsLine(latencyOf({ sum: 10_000 }))).toBe(
      'min:     1.00ms, med:     2.00ms, mean:     2.50ms, max:    4.00ms, stddev:     1.12ms, sum:   0.0sec, count: 4',
    );
  });
});

describe('blocks', () => {
  it('sorts groups by name and pads the names', () => {
    const groups = statisticsGroups([
      { name: 'lastpoint', latencyUs: latencyOf() },
      { name: 'all queries', latencyUs: latencyOf() },
    ]);
    expect(groups.filter((_, i) => i % 2 === 0)).toEqual(['all queries:', 'lastpoint  :']);
  });
  it('prints the block on the way', () => {
    const block = { queries: 100, workers: 2, intervalRate: 50.128, overallRate: 40, groups: [] };
    expect(intermediateBlock(block)).toEqual([
      'After 100 queries with 2 workers:',
      'Interval query rate: 50.13 queries/sec\tOverall query rate: 40.00 queries/sec',
      '',
    ]);
  });
  it('ends with the totals of all types and the wall clock', () => {
    const lines = finalBlock(
      phaseOf({
        kind: 'queries',
        workers: 3,
        seconds: 1.5,
        operations: [
          operationOf({ name: 'high-cpu-1', latencyUs: null, count: 0 }),
          operationOf({ name: 'lastpoint' }),
          operationOf({ name: 'all queries', count: 8, perSecond: 5.333 }),
        ],
      }),
    );
    expect(lines[0]).toBe(
      'Run complete after 8 queries with 3 workers (Overall query rate 5.33 queries/sec):',
    );
    expect(lines.filter((line) => line.endsWith(':')).slice(1)).toEqual(['all queries:', 'lastpoint  :']);
    expect(lines.at(-1)).toBe('wall clock time: 1.500000sec');
  });
  it('prints a single type under both names', () => {
    const lines = finalBlock(phaseOf({ kind: 'queries', operations: [operationOf({ name: 'lastpoint' })] }));
    expect(lines[0]).toContain('after 4 queries');
    expect(lines[1]).toBe('all queries:');
    expect(lines[3]).toBe('lastpoint  :');
    expect(lines[4]).toBe(lines[2]);
  });
  it('makes the total of a single type beside cold and warm', () => {
    const operations = ['lastpoint', 'cold queries', 'warm queries'].map((name) => operationOf({ name }));
    const lines = finalBlock(phaseOf({ kind: 'queries', operations }));
    expect(lines.filter((_, i) => i % 2 === 1).map((line) => line.trimEnd())).toEqual([
      'all queries :',
      'cold queries:',
      'lastpoint   :',
      'warm queries:',
      'wall clock time: 2.000000sec',
    ]);
  });
  it('prints rates when the count passes a multiple of the interval, each query once', () => {
    const tick = (count: number, atMs: number) => {
      const part = tickOf({ atMs });
      const operations = ['lastpoint', 'cold queries'].flatMap((name) =>
        part.operations.map((operation) => ({ ...operation, name, count })),
      );
      return { ...part, operations };
    };
    const progress = createQueryProgress(2, 40);
    expect(progress(tick(10, 1000))).toEqual([]);
    expect(progress(tick(30, 2000)).slice(0, 2)).toEqual([
      'After 40 queries with 2 workers:',
      'Interval query rate: 20.00 queries/sec\tOverall query rate: 20.00 queries/sec',
    ]);
    expect(progress(tick(0, 3000))).toEqual([]);
    expect(progress(tick(90, 4000))[1]).toContain(
      'Interval query rate: 45.00 queries/sec\tOverall query rate: 32.50',
    );
    expect(progress(tick(29, 5000))).toEqual([]);
    expect(progress(tick(1, 6000))[0]).toBe('After 160 queries with 2 workers:');
    expect(createQueryProgress(2, 0)(tick(1000, 1000))).toEqual([]);
  });
  it('says 0 where nothing completed', () => {
    const lines = finalBlock(phaseOf({ kind: 'queries', seconds: 0.25, operations: [] }));
    expect(lines).toEqual([
      'Run complete after 0 queries with 1 workers (Overall query rate 0.00 queries/sec):',
      'wall clock time: 0.250000sec',
    ]);
  });
});
