import { describe, expect, it } from 'vitest';
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
