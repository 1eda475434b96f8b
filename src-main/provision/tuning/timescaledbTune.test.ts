import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPgBytes } from './sizes.ts';
import { type TuneOptions, timescaledbTune } from './timescaledbTune.ts';

const advice = (kB: number, cores: number, postgres: number, options: TuneOptions = {}) =>
  timescaledbTune({ memoryBytes: kB * 1024, cores, postgres }, options).map(
    ({ name, value }) => `${name} = ${value}`,
  );
const valueIn = (lines: string[], name: string) =>
  lines.find((line) => line.startsWith(`${name} = `))?.slice(name.length + 3);

describe('timescaledb-tune on a Raspberry Pi 3 with 1 GB', () => {
  // MemTotal follows from the figures printed; initdb writes max_wal_size itself, so the tool did not print it.
  it('gives the list of the article of May 2021 to the letter', () => {
    expect(advice(892_376, 4, 12, { formulas: '0.11.0' })).toEqual([
      'shared_buffers = 223094kB',
      'effective_cache_size = 669282kB',
      'maintenance_work_mem = 111547kB',
      'work_mem = 2788kB',
      'timescaledb.max_background_workers = 8',
      'max_worker_processes = 15',
      'max_parallel_workers_per_gather = 2',
      'max_parallel_workers = 4',
      'wal_buffers = 6692kB',
      'min_wal_size = 512MB',
      'max_wal_size = 1GB',
      'default_statistics_target = 500',
      'random_page_cost = 1.1',
      'checkpoint_completion_target = 0.9',
      'max_connections = 20',
      'max_locks_per_transaction = 64',
      'autovacuum_max_workers = 10',
      'autovacuum_naptime = 10',
      'effective_io_concurrency = 200',
    ]);
  });

  it('gives what version 0.19.0 gives for PostgreSQL 17', () => {
    expect(advice(892_376, 4, 17)).toEqual([
      'shared_buffers = 223094kB',
      'effective_cache_size = 669282kB',
      'maintenance_work_mem = 111547kB',
      'work_mem = 6971kB',
      'timescaledb.max_background_workers = 16',
      'max_worker_processes = 23',
      'max_parallel_workers_per_gather = 2',
      'max_parallel_workers = 4',
      'wal_buffers = 6692kB',
      'min_wal_size = 512MB',
      'max_wal_size = 1GB',
      'default_statistics_target = 100',
      'random_page_cost = 1.1',
      'checkpoint_completion_target = 0.9',
      'max_connections = 25',
      'max_locks_per_transaction = 128',
      'autovacuum_max_workers = 10',
      'autovacuum_naptime = 10',
      'default_toast_compression = lz4',
      'jit = off',
      'effective_io_concurrency = 256',
    ]);
  });
});

describe('timescaledb-tune 0.19.0 on other boards, four cores, PostgreSQL 17', () => {
  it.each([
    [427_000, '106750kB', '320250kB', '53375kB', '3335kB', '3202kB', '25', '128'],
    [946_000, '236500kB', '709500kB', '118250kB', '7390kB', '7094kB', '25', '128'],
    [1_900_000, '475000kB', '1391MB', '237500kB', '14843kB', '14249kB', '25', '128'],
    [3_884_000, '971000kB', '2844MB', '485500kB', '15171kB', '16MB', '50', '128'],
    [8_060_000, '1967MB', '5903MB', '1007500kB', '15742kB', '16MB', '100', '128'],
    [16_300_000, '3979MB', '11938MB', '1989MB', '31835kB', '16MB', '100', '256'],
  ])('%i kB', (kB, shared, cache, maintenance, work, wal, connections, locks) => {
    const lines = advice(kB, 4, 17);
    expect(valueIn(lines, 'shared_buffers')).toBe(shared);
    expect(valueIn(lines, 'effective_cache_size')).toBe(cache);
    expect(valueIn(lines, 'maintenance_work_mem')).toBe(maintenance);
    expect(valueIn(lines, 'work_mem')).toBe(work);
    expect(valueIn(lines, 'wal_buffers')).toBe(wal);
    expect(valueIn(lines, 'max_connections')).toBe(connections);
    expect(valueIn(lines, 'max_locks_per_transaction')).toBe(locks);
  });

  it('leaves the four settings of parallelism out on one core', () => {
    const names = timescaledbTune({ memoryBytes: 512 * 1024 ** 2, cores: 1, postgres: 17 }).map(
      (s) => s.name,
    );
    expect(names.filter((name) => /worker|parallel/.test(name))).toEqual(['autovacuum_max_workers']);
  });

  it('leaves out what an older server does not know', () => {
    const names = (postgres: number) =>
      timescaledbTune({ memoryBytes: 1024 ** 3, cores: 4, postgres }).map(({ name }) => name);
    expect(names(13)).not.toContain('default_toast_compression');
    expect(names(13)).toContain('jit');
    expect(names(11)).not.toContain('jit');
    expect(names(9)).not.toContain('max_parallel_workers');
  });

  it('takes connections, workers and room for the WAL from the caller', () => {
    const lines = advice(4_194_304, 4, 17, {
      connections: 40,
      backgroundWorkers: 20,
      walDiskBytes: 10 * 1024 ** 3,
    });
    expect(valueIn(lines, 'max_connections')).toBe('40');
    expect(valueIn(lines, 'work_mem')).toBe('20MB'); // 4 × 400 MiB / 40 / 2
    expect(valueIn(lines, 'max_worker_processes')).toBe('27');
    expect(valueIn(lines, 'max_wal_size')).toBe('6GB');
    expect(valueIn(lines, 'min_wal_size')).toBe('3GB');
  });
});

describe('sizes as timescaledb-tune prints them', () => {
  it.each([
    [0, '1kB'],
    [1023, '1kB'],
    [1024, '1kB'],
    [1536, '2kB'],
    [1024 ** 2, '1MB'],
    [1024 ** 2 + 1024, '1MB'], // less than a thousandth over
    [1024 ** 2 + 2048, '1026kB'],
    [1024 ** 3, '1GB'],
    [1.5 * 1024 ** 3, '1536MB'],
    [1024 ** 4, '1TB'],
  ])('%i bytes are %s', (value, text) => {
    expect(formatPgBytes(value)).toBe(text);
  });

  it('never says more than there is, but for the rounding of kB, and loses at most a thousandth', () => {
    const scale = { kB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 };
    fc.assert(
      fc.property(fc.integer({ min: 1024, max: 2 ** 45 }), (value) => {
        const match = /^(\d+)(kB|MB|GB|TB)$/.exec(formatPgBytes(value));
        const unit = match?.[2];
        expect(unit).toBeDefined();
        if (unit !== 'kB' && unit !== 'MB' && unit !== 'GB' && unit !== 'TB') return;
        const said = Number(match?.[1]) * scale[unit];
        expect(said - value).toBeLessThanOrEqual(512);
        expect(value - said).toBeLessThanOrEqual(Math.max(512, value * 0.001));
      }),
    );
  });
});
