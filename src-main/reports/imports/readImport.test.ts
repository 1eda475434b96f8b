import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src-shared/errors.ts';
import { printedSchema } from '../../../src-shared/model/printed.ts';
import { runOf, tickOf } from '../testRun.ts';
import { readImport } from './readImport.ts';

const noSeries = { ticks: [], events: [], health: [], server: [], serverWatch: null };
const file = (run: unknown, series: unknown = noSeries, histograms: unknown[] = []) =>
  JSON.stringify({ format: 'benchberry-runs', version: 1, runs: [{ run, series, histograms }] });

/** A histogram in the public encoding (V2, compressed) with these digits and counts, whatever they are. */
function encoded(digits: number, counts: Buffer): string {
  const payload = Buffer.alloc(40 + counts.length);
  payload.writeUInt32BE(0x1c849313, 0);
  payload.writeUInt32BE(counts.length, 4);
  payload.writeUInt32BE(digits, 12);
  payload.writeBigUInt64BE(1n, 16);
  payload.writeBigUInt64BE(3_600_000_000n, 24);
  payload.writeDoubleBE(1, 32);
  counts.copy(payload, 40);
  const packed = deflateSync(payload);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(0x1c849314, 0);
  head.writeUInt32BE(packed.length, 4);
  return Buffer.concat([head, packed]).toString('base64');
}

/** In the form of TSBS's results files; the figures are made up. */
const loadResults = {
  ResultFormatVersion: '0.1',
  RunnerConfig: { 'db-name': 'benchmark', 'batch-size': 10000, workers: 4, limit: 0, 'hash-workers': true },
  StartTime: 1_621_857_600,
  EndTime: 1_621_857_648,
  DurationMillis: 48649,
  Totals: { metricRate: 205553.49, rowRate: 20555.35 },
};
const queryResults = {
  ResultFormatVersion: '0.1',
  RunnerConfig: { DBName: 'benchmark', Limit: 1000, Workers: 2 },
  StartTime: 1_621_857_600_000,
  DurationMillis: 16185,
  Totals: {
    prewarmQueries: false,
    overallQueryRates: { all_queries: 61.99, TimescaleDB_last_row_per_host: 61.99 },
    overallQuantiles: { all_queries: { q0: 0, q50: 6.75, q95: 31.2, q99: 60.5, q999: 101.75, q100: 209.67 } },
  },
};

describe('results of TSBS', () => {
  const read = (value: unknown) => {
    const imported = readImport(JSON.stringify(value), null);
    return imported.kind === 'reports' ? imported.reports[0] : undefined;
  };
  it('of a load have rates, workers and the day', () => {
    const report = read(loadResults);
    expect(report?.steps).toEqual([{ 'tsbs.load': { workers: 4, batchSize: 10000, hashWorkers: true } }]);
    expect(report?.printed.source.date).toBe('2021-05-24');
    expect(report?.printed.phases[0]).toMatchObject({
      ...{ workers: 4, rows: null, seconds: 48.649, rowsPerSecond: 20555.35, metricsPerSecond: 205553.49 },
    });
  });
  it('of queries have each group, and no least latency: what they write there is always 0', () => {
    const [phase] = read(queryResults)?.printed.phases ?? [];
    expect(phase?.operations.map(({ name, count, perSecond }) => [name, count, perSecond])).toEqual([
      ['all queries', null, 61.99],
      ['TimescaleDB_last_row_per_host', null, 61.99],
    ]);
    expect(phase?.operations[0]?.latencyUs).toEqual({
      ...{ min: null, mean: null, p50: 6750, p90: null, p95: 31_200, p99: 60_500, p999: 101_750 },
      ...{ max: 209_670, stddev: null },
    });
    expect(phase?.operations[1]?.latencyUs).toBeNull();
  });
  it('of neither are refused', () => {
    expect(() => readImport(JSON.stringify({ ...loadResults, Totals: {} }), null)).toThrow(
      /no results of TSBS/,
    );
  });
  it('with values of any kind make a run that can be kept, or are refused by name', () => {
    const mangled = fc.oneof(fc.jsonValue(), fc.constantFrom(-1, 1e300, '48649', null));
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(queryResults)),
        mangled,
        fc.boolean(),
        (key, value, load) => {
          try {
            const report = read({ ...(load ? loadResults : queryResults), [key]: value });
            if (report) printedSchema.parse(report.printed);
          } catch (error) {
            if (!(error instanceof AppError)) throw error;
            expect(error.code).toBe('bad-input');
          }
        },
      ),
    );
  });
});

describe('what is imported', () => {
  it('is told apart by what it holds', () => {
    expect(readImport(file(runOf()), null).kind).toBe('runs');
    expect(readImport('transaction type: x\ntps = 1.5 (without initial connection time)', null).kind).toBe(
      'reports',
    );
    const reference = { name: 'A board', printed: { source: { title: 'An article' }, phases: [] } };
    const references = { format: 'benchberry-references', version: 1, references: [reference] };
    expect(readImport(`\uFEFF${JSON.stringify(references)}`, null)).toMatchObject({
      kind: 'references',
      references: [{ name: 'A board', machine: '', printed: { hardware: null, series: [], missing: [] } }],
    });
  });

  it('or is refused with what it is not, and the file', () => {
    expect(() => readImport('hello', 'notes.txt')).toThrow(
      expect.objectContaining({ code: 'bad-input', place: { file: 'notes.txt' } }),
    );
    expect(() => readImport('  ', null)).toThrow('There is nothing to import');
    expect(() => readImport('{"a": 1}', null)).toThrow('This JSON is nothing that can be imported');
    expect(() => readImport(file(runOf()).slice(0, -2), null)).toThrow(/cannot be read to its end/);
    expect(() => readImport(file({ ...runOf(), phases: 'none' }), null)).toThrow(
      expect.objectContaining({ place: { field: 'runs.0.run.phases' } }),
    );
    expect(() => readImport(JSON.stringify({ format: 'benchberry-runs', version: 2 }), null)).toThrow(
      /version 2/,
    );
  });

  it('cannot reach for the rows or folders of another run', () => {
    expect(() => readImport(file({ ...runOf(), id: '../../etc' }), null)).toThrow(/cannot be read/);
    expect(() => readImport(file({ ...runOf(), id: 'reference:x' }), null)).toThrow(/cannot be read/);
    expect(() => readImport(file({ ...runOf(), status: 'running' }), null)).toThrow(/cannot be read/);
    const foreign = { ...noSeries, ticks: [tickOf({ runId: 'another' })] };
    expect(() => readImport(file(runOf(), foreign), null)).toThrow(/cannot be read/);
  });

  it('has latencies that can be read, and that stay small', () => {
    const withLatency = (latency: string, service: string | null = null) =>
      file(runOf(), noSeries, [{ phase: 0, seq: 1, operation: 'load', latency, service }]);
    const good = encoded(3, Buffer.from([2]));
    expect(readImport(withLatency(good, good), null)).toMatchObject({ kind: 'runs' });
    const refusal = (part: string) =>
      expect.objectContaining({
        code: 'bad-input',
        place: { field: `runs.0.histograms.0.${part}` },
        detail: expect.stringMatching(/^This is no histogram/),
      });
    for (const bad of ['', 'AAAA', good.slice(0, -8), encoded(20, Buffer.from([2]))])
      expect(() => readImport(withLatency(bad), null)).toThrow(refusal('latency'));
    // 20 kB of text that become 20 MB.
    const bomb = encoded(3, Buffer.alloc(20_000_000));
    expect(bomb.length).toBeLessThan(30_000);
    expect(() => readImport(withLatency(good, bomb), null)).toThrow(refusal('service'));
  });

  it('of any text throws nothing but that it cannot be imported', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          readImport(text, null);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
  });
});
