import { describe, expect, it } from 'vitest';
import type { Operation, Phase, Run } from './model/run.ts';
import { phaseTables } from './runTables.ts';

const load: Phase = {
  ...{ index: 0, name: 'tsbs.load', kind: 'load', workers: 2, startedMs: 0, rows: 1000, metrics: 10_000 },
  ...{ bytes: 1, seconds: 10, rowsPerSecond: 100, metricsPerSecond: 1000, verifiedRows: null },
  ...{ plannedRows: 1000, operations: [], notes: [] },
};
const titleOf = (patch: Partial<Phase>) => tablesOf(patch)[0]?.title;
function tablesOf(patch: Partial<Phase>) {
  const run: Run = {
    ...{ id: 'a', name: 'A', status: 'finished', verdicts: [], targetName: 't', engine: 'questdb' },
    ...{ serverLabel: null, startedAt: '2026-01-01T10:00:00.000Z', endedAt: null, tags: [], notes: '' },
    ...{ rowsPerSecond: null, rows: null, tps: null, p99Us: null, group: null, resolvedSteps: [], seed: 1 },
    ...{ host: null, server: null, phases: [{ ...load, ...patch }], error: null, client: null },
    plan: { version: 1, name: 'A', target: 't', steps: [], repeat: 1 },
  };
  return phaseTables(run);
}

describe('the table of fetches in documents', () => {
  it('has what the screen has: rows and data a second, the first row and the last', () => {
    const latency = (us: number) => ({
      ...{ count: 4, min: us, mean: us, p50: us, p90: us, p95: us, p99: us, p999: us, max: us },
      ...{ stddev: 0, sum: 4 * us },
    });
    const warm: Operation = {
      ...{ name: '2 readers, warm', count: 4, errors: 0, late: 0, dropped: 0, rows: 20_000 },
      ...{ bytes: 3 * 2 ** 20, seconds: 2, perSecond: 2, serviceUs: null, readers: 2, cache: 'warm' },
      ...{ latencyUs: latency(40_000), firstRowUs: latency(7000) },
    };
    const [table] = tablesOf({ name: 'fetch.read', kind: 'queries', operations: [warm] });
    const of = (title: string) => table?.rows[0]?.[table.header.indexOf(title)];
    expect(['rows/s', 'data/s', 'first row p50', 'first row p99', 'p50'].map(of)).toEqual([
      ...['10,000', '1.50 MiB/s', '7.00 ms', '7.00 ms', '40.0 ms'],
    ]);
    expect(table?.title).toContain('latencies are of the last row');
    const { readers: _readers, cache: _cache, firstRowUs: _firstRow, ...query } = warm;
    const [plain] = tablesOf({ name: 'tsbs.queries', kind: 'queries', operations: [query] });
    expect(plain?.header).not.toContain('rows/s');
    expect(plain?.title).not.toContain('last row');
  });
});

describe('the title of a load in documents', () => {
  it('says whether rows are acknowledged or only sent, and when all could be queried', () => {
    expect(titleOf({})).toBe('tsbs.load: 100 rows/s · 1,000 metrics/s · 1,000 rows · in 10.0 s · 2 workers');
    expect(titleOf({ unanswered: true, visible: { seconds: 20, rowsPerSecond: 50 } })).toMatch(
      /^tsbs\.load: 100 rows\/s sent · 50\.00 rows\/s until all could be queried · /,
    );
    expect(titleOf({ visible: null })).toContain(' · not all rows could be queried in time · ');
  });
});
