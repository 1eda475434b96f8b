import { expect, it } from 'vitest';
import type { HealthSample } from '../../../src-shared/model/host.ts';
import type { Run } from '../../../src-shared/model/run.ts';
import { heldBackBefore } from '../../../src-shared/model/testHealthSample.ts';
import type { Tick } from '../../../src-shared/model/tick.ts';
import { healthAt } from '../../state/testHealth.ts';
import { hostPanels } from './hostPanels.ts';
import type { Recording } from './panels.ts';

const part = { phase: 'tsbs.load', operation: null, label: 'tsbs.load' };

const capped = { ...heldBackBefore, frequencyCapped: true };
const health = (seconds: number, throttled: boolean) =>
  healthAt(seconds, { clockMhz: null, throttle: throttled ? capped : heldBackBefore });

function recording(id: string, startMs: number, samples: readonly HealthSample[]): Recording {
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
        rows: 1,
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
  return { label: `run ${id}`, ticks: [0, 1, 2].map(tick), health: samples, server: [], run };
}

it('lays hosts over each other from the start of the part on, each with shades of its own', () => {
  const seconds = [1, 2, 3, 4, 5, 6];
  const early = recording(
    'a',
    0,
    seconds.map((s) => health(s, s === 2)),
  );
  const late = recording(
    'b',
    1500,
    seconds.map((s) => health(s, s <= 2)),
  );
  const without = recording('c', 0, []);
  const { panels, bands } = hostPanels([early, late, without], part);
  expect(panels.map(({ id }) => id)).toEqual(['host-cpu', 'host-wait', 'host-temperature']);
  const [cpu] = panels;
  expect(cpu?.series.map(({ label }) => label)).toEqual(['run a', 'run b']);
  expect(Array.from(cpu?.series[0]?.data.x ?? [])).toEqual([1000, 2000, 3000]);
  expect(Array.from(cpu?.series[1]?.data.x ?? [])).toEqual([500, 1500, 2500]);
  expect(Array.from(cpu?.series[1]?.data.y ?? []).map(Math.round)).toEqual([65, 65, 65]);
  expect(bands).toEqual([
    { kind: 'throttled', fromMs: 1000, toMs: 2000, owner: { label: 'run a', color: 'var(--chart-1)' } },
    // Of the second before the part began only the half within it.
    { kind: 'throttled', fromMs: 0, toMs: 500, owner: { label: 'run b', color: 'var(--chart-2)' } },
  ]);
  expect(hostPanels([without], part)).toEqual({ panels: [], bands: [] });
});
