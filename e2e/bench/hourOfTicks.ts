import type { RunOwner, RunRepository } from '../../src-main/store/repositories.ts';
import type { Latency } from '../../src-shared/model/latency.ts';
import type { Operation, Phase, Run } from '../../src-shared/model/run.ts';
import type { Tick } from '../../src-shared/model/tick.ts';

/** Seconds of a recorded run: half of them load, half of them query. */
export const hourSeconds = 3600;
const loadSeconds = hourSeconds / 2;

/** A run of an hour as the store would have it, for measuring what shows it; its figures are waves, not measurements. */
export function recordHour(
  runs: RunRepository,
  owner: RunOwner,
  options: { id: string; active: boolean },
): void {
  const { id, active } = options;
  runs.create(makeRun(id), owner);
  for (let second = 0; second < hourSeconds; second += 1) runs.appendTick(secondOf(id, second), []);
  runs.appendEvent({ runId: id, atMs: 0, kind: 'phase-start', text: 'tsbs.load starts' });
  runs.appendEvent({ runId: id, atMs: loadSeconds * 1000, kind: 'phase-start', text: 'tsbs.queries starts' });
  if (active) return;
  runs.update(id, {
    status: 'finished',
    verdicts: [{ code: 'valid', reason: 'A recording for a measurement of the page.', advice: '' }],
    endedAt: new Date(Date.parse(startedAt) + hourSeconds * 1000).toISOString(),
    phases: [
      makePhase(0, 'tsbs.load', 'load', 'batch'),
      makePhase(1, 'tsbs.queries', 'queries', 'lastpoint'),
    ],
  });
}

/** The tick of one second, in waves that no thinning can flatten without being seen. */
export function secondOf(runId: string, second: number): Tick {
  const load = second < loadSeconds;
  const wave = 1 + Math.sin(second / 40) / 3 + ((second * 7919) % 101) / 400;
  const rows = Math.round(load ? 20_000 * wave : 500 * wave);
  return {
    runId,
    phase: load ? 0 : 1,
    seq: second,
    atMs: (second + 1) * 1000,
    intervalMs: 1000,
    operations: [
      {
        name: load ? 'batch' : 'lastpoint',
        count: Math.round(20 * wave),
        errors: second % 600 === 0 ? 1 : 0,
        late: 0,
        backlog: 0,
        rows,
        metrics: load ? rows * 10 : 0,
        bytes: rows * 100,
        latencyUs: latency(wave, 20),
        serviceUs: null,
      },
    ],
    client: { busiest: wave / 3, cpuCores: wave / 2, loopDelayMs: wave, rssBytes: 2e8 },
  };
}

function latency(wave: number, count: number): Latency {
  const us = (factor: number) => Math.round(10_000 * wave * factor);
  return {
    count,
    min: us(0.4),
    mean: us(1),
    p50: us(0.9),
    p90: us(2),
    p95: us(3),
    p99: us(6),
    p999: us(9),
    max: us(10),
    stddev: us(0.8),
    sum: us(count),
  };
}

function makePhase(index: number, name: string, kind: Phase['kind'], operation: string): Phase {
  const total: Operation = {
    name: operation,
    count: 36_000,
    errors: 3,
    late: 0,
    dropped: 0,
    rows: 36_000_000,
    bytes: 3.6e9,
    seconds: loadSeconds,
    perSecond: 20,
    latencyUs: latency(1, 36_000),
    serviceUs: null,
  };
  return {
    index,
    name,
    kind,
    workers: 2,
    startedMs: index * loadSeconds * 1000,
    rows: total.rows,
    metrics: kind === 'load' ? total.rows * 10 : 0,
    bytes: total.bytes,
    seconds: loadSeconds,
    rowsPerSecond: total.rows / loadSeconds,
    metricsPerSecond: kind === 'load' ? (total.rows * 10) / loadSeconds : 0,
    verifiedRows: kind === 'load' ? total.rows : null,
    plannedRows: kind === 'load' ? total.rows : null,
    operations: [total],
    notes: [],
  };
}

const startedAt = '2026-01-01T00:00:00.000Z';

function makeRun(id: string): Run {
  return {
    id,
    name: 'An hour',
    status: 'running',
    verdicts: [],
    targetName: 'sandbox',
    engine: 'sandbox',
    serverLabel: null,
    startedAt,
    endedAt: null,
    tags: [],
    notes: '',
    rowsPerSecond: null,
    rows: null,
    tps: null,
    p99Us: null,
    group: null,
    host: null,
    plan: {
      version: 1,
      name: 'An hour',
      target: 'sandbox',
      steps: [{ 'tsbs.load': {} }, { 'tsbs.queries': {} }],
      repeat: 1,
    },
    resolvedSteps: [
      { id: 'tsbs.load', parameters: {} },
      { id: 'tsbs.queries', parameters: {} },
    ],
    seed: 123,
    client: {
      hostname: 'bench',
      os: 'none',
      arch: 'none',
      cpu: 'none',
      cores: 1,
      memoryBytes: 1e9,
      node: process.versions.node,
      toolVersion: '0.0.0',
    },
    server: null,
    phases: [],
    error: null,
  };
}
