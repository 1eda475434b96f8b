import type { Run, RunEvent } from '../../src-shared/model/run.ts';
import type { Tick, TickOperation } from '../../src-shared/model/tick.ts';
import type { StoredTarget } from './repositories.ts';

/** Records with every part filled in, for tests and measurements; a partial overrides. */
export function makeRun(part: Partial<Run> = {}): Run {
  return {
    id: 'run-1',
    name: 'TSBS cpu-only on sandbox',
    status: 'running',
    verdicts: [],
    targetName: 'sandbox',
    engine: 'sandbox',
    serverLabel: null,
    startedAt: '2026-01-31T12:00:00.000Z',
    endedAt: null,
    tags: [],
    notes: '',
    rowsPerSecond: null,
    rows: null,
    tps: null,
    p99Us: null,
    group: null,
    plan: {
      version: 1,
      name: 'TSBS cpu-only',
      target: 'sandbox',
      steps: [{ 'tsbs.load': { scale: 10 } }],
      repeat: 1,
    },
    resolvedSteps: [{ id: 'tsbs.load', parameters: { scale: 10, batchSize: 10_000 } }],
    seed: 123,
    client: {
      hostname: 'bench',
      os: 'Linux 6.12',
      arch: 'x64',
      cpu: 'Cortex',
      cores: 2,
      memoryBytes: 4e9,
      node: '24.21.0',
      toolVersion: '0.1.0',
    },
    server: null,
    host: null,
    phases: [],
    error: null,
    ...part,
  };
}

const latency = {
  count: 12,
  min: 900,
  mean: 18_400.5,
  p50: 17_000,
  p90: 30_000,
  p95: 41_000,
  p99: 90_000,
  p999: 120_000,
  max: 121_000,
  stddev: 4_000.25,
  sum: 220_806,
};

export function makeOperation(part: Partial<TickOperation> = {}): TickOperation {
  return {
    name: 'batch',
    count: 12,
    errors: 0,
    late: 0,
    backlog: 0,
    rows: 120_000,
    metrics: 1_200_000,
    bytes: 14_400_000,
    latencyUs: latency,
    serviceUs: latency,
    ...part,
  };
}

export function makeTick(part: Partial<Tick> = {}): Tick {
  const seq = part.seq ?? 0;
  return {
    runId: 'run-1',
    phase: 0,
    seq,
    atMs: (seq + 1) * 1000.25,
    intervalMs: 1000.25,
    operations: [makeOperation()],
    client: { busiest: 0.42, cpuCores: 0.9, loopDelayMs: 3.5, rssBytes: 180e6 },
    ...part,
  };
}

export function makeEvent(part: Partial<RunEvent> = {}): RunEvent {
  return { runId: 'run-1', atMs: 0, kind: 'note', text: 'a note', ...part };
}

export function makeTarget(part: Partial<StoredTarget> = {}): StoredTarget {
  return {
    id: 'target-1',
    name: 'rpi-3',
    engine: 'postgresql',
    connection: { host: 'rpi-3.local', port: 5432, database: 'benchmark', user: 'bench' },
    hostId: null,
    lastSeen: null,
    lastSeenAt: null,
    createdAt: '2026-01-31T12:00:00.000Z',
    ...part,
  };
}
