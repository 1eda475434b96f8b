import type { Latency } from '../../src-shared/model/latency.ts';
import type { Operation, Phase, Run } from '../../src-shared/model/run.ts';
import type { Tick } from '../../src-shared/model/tick.ts';

/** Complete objects for tests; each takes what the test is about. */

export function latencyOf(part: Partial<Latency> = {}): Latency {
  return {
    count: 4,
    min: 1000,
    mean: 2500,
    p50: 2000,
    p90: 4000,
    p95: 4000,
    p99: 4000,
    p999: 4000,
    max: 4000,
    stddev: 1118.034,
    sum: 10_000,
    ...part,
  };
}

export function operationOf(part: Partial<Operation> = {}): Operation {
  return {
    name: 'batch',
    count: 4,
    errors: 0,
    late: 0,
    dropped: 0,
    rows: 40,
    bytes: 4000,
    seconds: 2,
    perSecond: 2,
    latencyUs: latencyOf(),
    serviceUs: null,
    ...part,
  };
}

export function phaseOf(part: Partial<Phase> = {}): Phase {
  return {
    index: 0,
    name: 'tsbs.load',
    kind: 'load',
    workers: 1,
    startedMs: 0,
    rows: 40,
    metrics: 400,
    bytes: 4000,
    seconds: 2,
    rowsPerSecond: 20,
    metricsPerSecond: 200,
    verifiedRows: 40,
    plannedRows: 40,
    operations: [operationOf()],
    notes: [],
    ...part,
  };
}

export function runOf(part: Partial<Run> = {}): Run {
  return {
    id: '3f2a91c4',
    name: 'Quick',
    status: 'finished',
    verdicts: [{ code: 'valid', reason: 'Nothing speaks against these figures.', advice: '' }],
    targetName: 'sandbox',
    engine: 'sandbox',
    serverLabel: 'PostgreSQL 18.4',
    startedAt: '2026-01-02T03:04:05.000Z',
    endedAt: '2026-01-02T03:04:35.000Z',
    tags: [],
    notes: '',
    rowsPerSecond: 20,
    rows: 40,
    tps: null,
    p99Us: 4000,
    group: null,
    plan: { version: 1, name: 'Quick', target: 'sandbox', steps: [{ 'tsbs.load': {} }], repeat: 1 },
    resolvedSteps: [{ id: 'tsbs.load', parameters: { reportingPeriod: '10s' } }],
    seed: 123,
    client: {
      hostname: 'box',
      os: 'linux',
      arch: 'x64',
      cpu: 'some CPU',
      cores: 2,
      memoryBytes: 8e9,
      node: '24.0.0',
      toolVersion: '0.1.0',
    },
    host: null,
    server: null,
    phases: [phaseOf()],
    error: null,
    ...part,
  };
}

export function tickOf(part: Partial<Omit<Tick, 'operations'>> & { rows?: number; metrics?: number }): Tick {
  const { rows = 0, metrics = 0, ...rest } = part;
  const operation = { name: 'batch', count: 1, errors: 0, late: 0, backlog: 0, bytes: 0 };
  return {
    runId: '3f2a91c4',
    phase: 0,
    seq: 0,
    atMs: 1000,
    intervalMs: 1000,
    operations: [{ ...operation, rows, metrics, latencyUs: null, serviceUs: null }],
    client: { busiest: 0, cpuCores: 0, loopDelayMs: 0, rssBytes: 0 },
    ...rest,
  };
}
