import { describe, expect, it } from 'vitest';
import type { ServerDescription } from '../../src-shared/model/server.ts';
import type { TransactionFigures } from '../../src-shared/model/transactions.ts';
import { runObject } from './runObject.ts';
import { runSummary } from './summary.ts';
import { textTable } from './table.ts';
import { latencyOf, operationOf, phaseOf, runOf } from './testRun.ts';

describe('runObject', () => {
  it('has exactly the documented keys', () => {
    expect(runObject(runOf())).toEqual({
      id: '3f2a91c4',
      status: 'finished',
      verdicts: ['valid'],
      phases: [
        {
          name: 'tsbs.load',
          rows: 40,
          metrics: 400,
          seconds: 2,
          rowsPerSecond: 20,
          metricsPerSecond: 200,
          verifiedRows: 40,
          operations: [
            {
              name: 'batch',
              count: 4,
              errors: 0,
              perSecond: 2,
              latencyUs: {
                min: 1000,
                mean: 2500,
                p50: 2000,
                p90: 4000,
                p95: 4000,
                p99: 4000,
                p999: 4000,
                max: 4000,
                stddev: 1118.034,
              },
            },
          ],
        },
      ],
    });
  });
  it('says null where nothing completed', () => {
    const run = runOf({ phases: [phaseOf({ operations: [operationOf({ latencyUs: null })] })] });
    expect(runObject(run).phases[0]?.operations[0]?.latencyUs).toBeNull();
  });
});

describe('runSummary', () => {
  it('shows rows, rates, latencies and the verdict with its reason', () => {
    const text = runSummary(
      runOf({
        phases: [
          phaseOf({
            rows: 1_000_000,
            verifiedRows: 1_000_000,
            seconds: 12.34,
            rowsPerSecond: 81_037.2,
            operations: [operationOf({ latencyUs: latencyOf({ p50: 850, p95: 18_400, max: 1_200_000 }) })],
            notes: ['plain table: the server has no TimescaleDB'],
          }),
        ],
      }),
    );
    expect(text).toContain('1,000,000 rows in 12.3 s · 81,037 rows/s');
    expect(text).toContain('1,000,000 rows counted in the database');
    expect(text).toContain('took 30.0 s');
    expect(text).toMatch(/batch +4 +0 +2\.00 +1\.00 ms +850 µs +18\.4 ms +4\.00 ms +1\.20 s/);
    expect(text).toContain('plain table: the server has no TimescaleDB');
    expect(text).toContain('Valid: Nothing speaks against these figures.');
  });
  it('shows what is to be known of the server beside the figures', () => {
    const server: ServerDescription = {
      ...{ engine: 'postgresql', product: 'PostgreSQL', version: '15.18', versionText: '', edition: 'plain' },
      ...{ dialect: 'postgresql', database: 'b', sizeBytes: 0, tls: null, roundTripUs: 50, settings: [] },
      notes: ['fsync is off: faster, and a power cut can destroy the data.', 'full_page_writes is off.'],
    };
    expect(runSummary(runOf({ server }))).toMatch(
      /^Server +fsync is off: faster, and a power cut can destroy the data\.\n +full_page_writes is off\.$/m,
    );
  });
  it('shows why a run failed', () => {
    const text = runSummary(
      runOf({
        status: 'failed',
        verdicts: [
          { code: 'failed', reason: 'The server ended the connection.', advice: 'Look at its log.' },
        ],
        error: {
          code: 'connection-lost',
          message: 'The connection ended',
          place: { host: 'db', port: 5432 },
        },
      }),
    );
    expect(text).toContain('Failed: The server ended the connection.\n  next: Look at its log.');
    expect(text).not.toContain('The connection ended');
    const without = runSummary(
      runOf({
        status: 'failed',
        verdicts: [],
        error: {
          code: 'connection-lost',
          message: 'The connection ended',
          place: { host: 'db', port: 5432 },
        },
      }),
    );
    expect(without).toContain('The connection ended (db:5432)');
  });
});

describe('transactions', () => {
  const figures: TransactionFigures = {
    ...{ clients: 8, threads: 2, endedClients: 1, tps: 911.447, connectSeconds: 0.0156 },
    ...{ reconnects: 0, reconnectSeconds: 0, failed: 3, retried: 40, retries: 61, skipped: 12, late: 5 },
    ...{ reads: 5467, writes: 21_868, others: 10_934, conflicts: { '40P01': 2, '23505': 62 } },
    ...{ lag: { meanUs: 762, maxUs: 23_100 }, latencyLimitMs: 50, ratePerSecond: 1000 },
    scripts: [],
    statements: [],
    fairness: { count: { mean: 0, stddev: 0 }, seconds: { mean: 0, stddev: 0 } },
    facts: { scale: 10 },
  };
  const operation = operationOf({
    name: 'transactions',
    count: 5467,
    errors: 3,
    perSecond: 911.447,
    serviceUs: latencyOf(),
  });
  const run = runOf({
    phases: [
      phaseOf({
        name: 'pgbench.init',
        kind: 'initialize',
        workers: 1,
        rows: 1_000_110,
        seconds: 2.5,
        operations: [
          operationOf({ name: 'client-side generate', seconds: 1.5, rows: 1_000_110 }),
          operationOf({ name: 'vacuum', seconds: 0.25, rows: 0 }),
        ],
      }),
      phaseOf({
        name: 'pgbench.run',
        kind: 'transactions',
        workers: 8,
        seconds: 6,
        operations: [operation],
        transactions: figures,
      }),
    ],
  });

  it('are told in TPS, with all that became of them', () => {
    const text = runSummary(run);
    expect(text).toContain('pgbench.run: 911 TPS · 5,467 transactions in 6.0 s · 8 clients · 2 threads');
    expect(text).toMatch(/transactions +5,467 +3 +911 /);
    expect(text).toContain('conflicts: 62 × duplicate key (23505), 2 × deadlock (40P01)');
    expect(text).toContain('40 tried again, 61 times in all');
    expect(text).toContain('5 above the limit of 50 ms, 12 skipped');
    expect(text).toContain('latency from the schedule; begun 762 µs late on average, 23.1 ms at most');
    expect(text).toContain('statements: 5,467 that read, 21,868 that wrote, 10,934 others');
    expect(text).toContain('1 of 8 clients ended in an error');
  });
  it('have tables whose steps are timed', () => {
    const text = runSummary(run);
    expect(text).toContain('pgbench.init: 1,000,110 rows in 2.5 s · 1 connection');
    expect(text).toMatch(/client-side generate +1\.50 s +1,000,110\n +vacuum +0\.25 s/);
  });
  it('are in the object by the documented keys', () => {
    const [init, phase] = runObject(run).phases;
    expect(init).not.toHaveProperty('transactions');
    expect(phase?.transactions).toEqual({
      ...{ clients: 8, threads: 2, tps: 911.447, connectSeconds: 0.0156 },
      ...{ failed: 3, retried: 40, retries: 61, skipped: 12, late: 5 },
      conflicts: { '40P01': 2, '23505': 62 },
      ...{ reads: 5467, writes: 21_868, others: 10_934 },
      lagUs: { mean: 762, max: 23_100 },
      endedClients: 1,
    });
  });
});

describe('textTable', () => {
  it('aligns columns and leaves no blanks at the end', () => {
    expect(
      textTable(
        [
          ['a', '1', 'µs'],
          ['long', '100', ''],
        ],
        'lrl',
      ),
    ).toEqual(['a       1  µs', 'long  100']);
  });
});

it('says of a schedule what did not keep it, and what the server took by itself', () => {
  const closed = runSummary(runOf());
  expect(closed).not.toContain('planned start');
  const operation = operationOf({
    name: 'lastpoint',
    count: 990,
    errors: 10,
    late: 311,
    dropped: 2,
    serviceUs: { ...latencyOf(), p50: 5500, p99: 48_000 },
  });
  expect(runSummary(runOf({ phases: [phaseOf({ kind: 'queries', operations: [operation] })] }))).toContain(
    'lastpoint, latency from the planned start: 311 of 1,000 started late, 2 never; from the actual start p50 5.50 ms, p99 48.0 ms',
  );
});
