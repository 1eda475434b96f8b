import { describe, expect, it } from 'vitest';
import type { Phase, Run } from './model/run.ts';
import { phaseTables } from './runTables.ts';

const load: Phase = {
  ...{ index: 0, name: 'tsbs.load', kind: 'load', workers: 2, startedMs: 0, rows: 1000, metrics: 10_000 },
  ...{ bytes: 1, seconds: 10, rowsPerSecond: 100, metricsPerSecond: 1000, verifiedRows: null },
  ...{ plannedRows: 1000, operations: [], notes: [] },
};
const titleOf = (patch: Partial<Phase>) => {
  const run: Run = {
    ...{ id: 'a', name: 'A', status: 'finished', verdicts: [], targetName: 't', engine: 'questdb' },
    ...{ serverLabel: null, startedAt: '2026-01-01T10:00:00.000Z', endedAt: null, tags: [], notes: '' },
    ...{ rowsPerSecond: null, rows: null, tps: null, p99Us: null, group: null, resolvedSteps: [], seed: 1 },
    ...{ host: null, server: null, phases: [{ ...load, ...patch }], error: null, client: null },
    plan: { version: 1, name: 'A', target: 't', steps: [], repeat: 1 },
  };
  return phaseTables(run)[0]?.title;
};

describe('the title of a load in documents', () => {
  it('says whether rows are acknowledged or only sent, and when all could be queried', () => {
    expect(titleOf({})).toBe('tsbs.load: 100 rows/s · 1,000 metrics/s · 1,000 rows · in 10.0 s · 2 workers');
    expect(titleOf({ unanswered: true, visible: { seconds: 20, rowsPerSecond: 50 } })).toMatch(
      /^tsbs\.load: 100 rows\/s sent · 50\.00 rows\/s until all could be queried · /,
    );
    expect(titleOf({ visible: null })).toContain(' · not all rows could be queried in time · ');
  });
});
