import type { HealthSample } from '../../../src-shared/model/host.ts';
import type { Run } from '../../../src-shared/model/run.ts';
import type { Tick } from '../../../src-shared/model/tick.ts';
import type { Recording } from './panels.ts';

/** For tests: a run of three seconds that began at `startMs`, with that many rows in each. */
export function recording(
  id: string,
  startMs: number,
  samples: readonly HealthSample[] = [],
  rows: readonly number[] = [1, 1, 1],
): Recording {
  const tick = (i: number): Tick => ({
    runId: id,
    phase: 0,
    seq: i,
    atMs: startMs + (i + 1) * 1000,
    intervalMs: 1000,
    operations: [
      {
        name: 'batch',
        count: 1,
        errors: 0,
        late: 0,
        backlog: 0,
        rows: rows[i] ?? 0,
        metrics: 1,
        bytes: 1,
        latencyUs: null,
        serviceUs: null,
      },
    ],
    client: { busiest: 0, cpuCores: 0, loopDelayMs: 0, rssBytes: 0 },
  });
  const run: Pick<Run, 'id' | 'phases'> = {
    id,
    phases: [
      {
        index: 0,
        name: 'tsbs.load',
        kind: 'load',
        workers: 1,
        startedMs: startMs,
        rows: 3,
        metrics: 3,
        bytes: 3,
        seconds: 3,
        rowsPerSecond: 1,
        metricsPerSecond: 1,
        verifiedRows: 3,
        plannedRows: 3,
        operations: [],
        notes: [],
      },
    ],
  };
  const timed = { run, ticks: [0, 1, 2].map(tick) };
  const color = id === 'a' ? 'red' : 'blue';
  return { key: id, label: `run ${id}`, color, health: samples, server: [], ...timed, all: [timed] };
}
