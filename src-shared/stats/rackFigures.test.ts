import { describe, expect, it } from 'vitest';
import type { HealthSample } from '../model/host.ts';
import type { Operation, Phase, Run } from '../model/run.ts';
import { heldBackBefore, makeHealthSample } from '../model/testHealthSample.ts';
import { rackFigures } from './rackFigures.ts';

const operation = (count: number, seconds: number): Operation => ({
  name: 'lastpoint',
  count,
  errors: 0,
  late: 0,
  dropped: 0,
  rows: count,
  bytes: 0,
  seconds,
  perSecond: count / seconds,
  latencyUs: null,
  serviceUs: null,
});
const phase = (kind: Phase['kind'], rows: number, seconds: number, operations: Operation[] = []): Phase => ({
  index: 0,
  name: kind,
  kind,
  workers: 1,
  startedMs: 1000,
  rows,
  metrics: 0,
  bytes: 0,
  seconds,
  rowsPerSecond: rows / seconds,
  metricsPerSecond: 0,
  verifiedRows: null,
  plannedRows: null,
  operations,
  notes: [],
});
const run = (phases: Phase[], p99Us: number | null = null): Run => ({
  id: 'r',
  name: 'A run',
  status: 'finished',
  verdicts: [],
  targetName: 't',
  engine: 'postgresql',
  serverLabel: null,
  startedAt: '2026-01-31T12:00:00.000Z',
  endedAt: '2026-01-31T12:01:00.000Z',
  tags: [],
  notes: '',
  tps: null,
  rowsPerSecond: null,
  rows: null,
  p99Us,
  group: 'g',
  plan: { version: 1, name: 'A plan', target: 't', steps: [], repeat: 1 },
  resolvedSteps: [],
  seed: null,
  client: {
    hostname: 'c',
    os: 'Linux',
    arch: 'x64',
    cpu: 'c',
    cores: 2,
    memoryBytes: 1,
    node: '24',
    toolVersion: '0',
  },
  server: null,
  host: null,
  phases,
  error: null,
});
const sample = (atMs: number, part: Partial<HealthSample>) => makeHealthSample({ atMs, ...part });

describe('the figures of a host', () => {
  it('are those of its run, to the last digit', () => {
    const queries = phase('queries', 9, 3, [
      operation(3, 1),
      { ...operation(7, 6), name: 'high-cpu-1' },
      { ...operation(10, 7), name: 'all queries' },
    ]);
    const figures = rackFigures([{ run: run([phase('load', 10, 3), queries], 1234), health: [] }], null);
    expect(figures).toMatchObject({
      rowsPerSecond: 10 / 3,
      queriesPerSecond: 10 / 7,
      transactionsPerSecond: null,
      p99Us: 1234,
      temperatureC: null,
      throttledSeconds: null,
      underVoltageSeconds: null,
      fsyncMs: null,
      measuredAt: null,
    });
  });

  it('have no rate of fetches, and of prewarmed queries that of cold and warm ones', () => {
    const of = (...operations: Operation[]) =>
      rackFigures([{ run: run([phase('queries', 9, 3, operations)]), health: [] }], null).queriesPerSecond;
    const named = (name: string, count: number) => ({ ...operation(count, 10), name });
    expect(of(named('lastpoint', 40), named('cold queries', 20), named('warm queries', 20))).toBe(4);
    expect(of(named('1 reader, warm', 10), named('8 readers, warm', 80))).toBeNull();
  });

  it('are sums over sums where there are repeats: no mean of rates, and no percentile of percentiles', () => {
    const slow = run([phase('load', 100, 10)], 5);
    const quick = run([phase('load', 100, 2)], 9);
    const figures = rackFigures(
      [slow, quick].map((each) => ({ run: each, health: [] })),
      null,
    );
    expect(figures.rowsPerSecond).toBe(200 / 12);
    expect(figures.p99Us).toBeNull();
  });

  it('have the worst of health from the first phase on, and what never was told is not known', () => {
    const health = [
      sample(999, { temperatureC: 99, clockMhz: 100, throttle: { ...heldBackBefore, throttled: true } }),
      sample(1000, { temperatureC: 61, clockMhz: 1500, throttle: heldBackBefore }),
      sample(2000, {
        temperatureC: 84.2,
        clockMhz: 600,
        throttle: { ...heldBackBefore, softTemperatureLimit: true },
      }),
      sample(3500, {
        intervalMs: 1500,
        temperatureC: null,
        throttle: { ...heldBackBefore, frequencyCapped: true },
      }),
      sample(4500, { temperatureC: 70 }),
    ];
    const figures = rackFigures([{ run: run([phase('load', 1, 1)]), health }], null);
    expect(figures).toMatchObject({
      temperatureC: 84.2,
      clockMhz: 600,
      throttledSeconds: 2.5,
      underVoltageSeconds: null,
    });
  });

  it('have the fsync of the last checks, with their moment', () => {
    const check = { title: '', result: 'pass' as const, detail: '', advice: '', unit: 'ms', raw: '' };
    const checks = [
      { ...check, id: 'round-trip', value: 1 },
      { ...check, id: 'fsync', value: 12 },
    ];
    const at = '2026-01-30T12:00:00.000Z';
    expect(rackFigures([{ run: run([]), health: [] }], { at, checks })).toMatchObject({
      fsyncMs: 12,
      measuredAt: at,
    });
  });
});
