import { describe, expect, it } from 'vitest';
import type { HealthSample } from '../../src-shared/model/host.ts';
import { heldBackBefore } from '../../src-shared/model/testHealthSample.ts';
import { summarize } from '../../src-shared/stats/series.ts';
import { visibleBands } from '../charts/bands.ts';
import { hostPanels } from '../screens/Run/hostPanels.ts';
import { createHealthline } from './healthline.ts';
import { healthAt as sample } from './testHealth.ts';

function line(...samples: HealthSample[]) {
  const health = createHealthline();
  for (const each of samples) health.append(each);
  return health;
}
const held = { throttle: { ...heldBackBefore, throttled: true } };
const low = { underVoltage: true };

describe('health on the time axis', () => {
  it('is columns in the units of the charts, with means over time', () => {
    const health = line(sample(1), sample(3, { intervalMs: 2000, temperatureC: 90 }));
    expect(Array.from(health.series('wait').y)).toEqual([20, 20]);
    expect(health.series('busy').y[0]).toBeCloseTo(65, 9);
    expect(Array.from(health.series('memory').y)).toEqual([600, 600]);
    // 61 °C for one second and 90 °C for two
    expect(summarize(health.series('temperature')).mean).toBeCloseTo((61 + 180) / 3, 9);
    expect(health.hottest).toBe(90);
  });

  it('has a gap where nothing was sampled, and none where a sample only came late', () => {
    const health = line(sample(1), sample(2.1), sample(40), sample(46, { intervalMs: 6000 }));
    expect(Array.from(health.series('temperature').x)).toEqual([1000, 2100, 2100, 40_000, 46_000]);
    expect(Array.from(health.series('temperature').y)).toEqual([61, 62.1, Number.NaN, 100, 106]);
  });

  it('takes each sample once', () => {
    const health = line(sample(1), sample(2), sample(1), sample(2), sample(3));
    expect(Array.from(health.series('clock').x)).toEqual([1000, 2000, 3000]);
  });

  it('draws what the host does not tell not at all', () => {
    const health = line(
      sample(1, { temperatureC: null, clockMhz: null }),
      sample(2, { temperatureC: null, clockMhz: null }),
    );
    expect(health.has('temperature')).toBe(false);
    expect(health.hottest).toBeNaN();
    expect(hostPanels(health).map(({ id }) => id)).toEqual(['host-cpu', 'host-memory']);
    expect(hostPanels(line())).toEqual([]);
  });

  it('shows swapping only where there was some', () => {
    const memory = { ...sample(1).memory, swapOutBytesPerSecond: 4096 };
    const ids = (health: ReturnType<typeof line>) => hostPanels(health).map(({ id }) => id);
    expect(ids(line(sample(1)))).not.toContain('host-swap');
    const swapping = line(sample(1), sample(2, { memory }));
    expect(ids(swapping)).toContain('host-swap');
    expect(hostPanels(swapping).find(({ id }) => id === 'host-swap')?.series).toHaveLength(2);
  });
});

describe('bands', () => {
  it('are as long as the trouble, each kind for itself, and broken by a gap', () => {
    const health = line(
      sample(1),
      sample(2, held),
      sample(3, { ...held, ...low }),
      sample(4, low),
      sample(5),
      sample(30, held),
      sample(60, held),
    );
    expect(health.bands).toEqual([
      { kind: 'throttled', fromMs: 1000, toMs: 3000 },
      { kind: 'under-voltage', fromMs: 2000, toMs: 4000 },
      { kind: 'throttled', fromMs: 29_000, toMs: 30_000 },
      { kind: 'throttled', fromMs: 59_000, toMs: 60_000 },
    ]);
  });

  it('are not made of what happened before, nor of what is not known', () => {
    expect(line(sample(1), sample(2, { throttle: null, underVoltage: null })).bands).toEqual([]);
  });

  it('are clipped to the window, and joined where no pixel lies between them', () => {
    const { bands } = line(sample(1, held), sample(2), sample(3, held), sample(100, held));
    expect(visibleBands(bands, 500, 100_000, 100)).toEqual([
      { kind: 'throttled', fromMs: 500, toMs: 3000 },
      { kind: 'throttled', fromMs: 99_000, toMs: 100_000 },
    ]);
    expect(visibleBands(bands, 0, 4000, 400).map(({ fromMs }) => fromMs)).toEqual([0, 2000]);
    expect(visibleBands(bands, 5000, 90_000, 400)).toEqual([]);
  });
});
