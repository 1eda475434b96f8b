import { expect, it } from 'vitest';
import { heldBackBefore } from '../../../src-shared/model/testHealthSample.ts';
import { healthAt } from '../../state/testHealth.ts';
import { hostPanels } from './hostPanels.ts';
import { recording } from './testRecording.ts';

const part = { phase: 'tsbs.load', operation: null, label: 'tsbs.load' };

const capped = { ...heldBackBefore, frequencyCapped: true };
const health = (seconds: number, throttled: boolean) =>
  healthAt(seconds, { clockMhz: null, throttle: throttled ? capped : heldBackBefore });

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
    { kind: 'throttled', fromMs: 1000, toMs: 2000, owner: { label: 'run a', color: 'red' } },
    // Of the second before the part began only the half within it.
    { kind: 'throttled', fromMs: 0, toMs: 500, owner: { label: 'run b', color: 'blue' } },
  ]);
  expect(hostPanels([without], part)).toEqual({ panels: [], bands: [] });
});
