import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Throttle } from '../../src-shared/model/host.ts';
import { makeHealth } from '../store/testHealth.ts';
import { type HealthEvidence, healthEvidence, type RunEvidence } from './evidence.ts';
import { healthVerdicts } from './healthVerdicts.ts';
import { goodLoad } from './testBench.ts';
import { verdictsOf } from './verdicts.ts';

/** A sample of each second; the phase starts at 2 s. */
function samples(parts: readonly Partial<HealthEvidence>[]): HealthEvidence[] {
  return parts.map((part, i) => ({ ...healthEvidence(makeHealth({ atMs: (i + 1) * 1000 })), ...part }));
}
function run(parts: readonly Partial<HealthEvidence>[]): RunEvidence {
  return {
    status: 'finished',
    error: null,
    phases: [{ phase: { ...goodLoad, startedMs: 2000 }, ratePerSecond: 0, prewarm: false }],
    ticks: [],
    health: samples(parts),
    loaderOnly: false,
    sameMachine: false,
    beside: 0,
    clientCores: 2,
  };
}
const codes = (parts: readonly Partial<HealthEvidence>[]) =>
  healthVerdicts(run(parts)).map(({ code }) => code);
const fine = {};

describe('verdicts of the host', () => {
  it('has none of a healthy host, of one that does not tell, and of none', () => {
    expect(codes([fine, fine, fine])).toEqual([]);
    expect(
      codes([fine, { underVoltage: null, freeBytes: null, clockMhz: null, temperatureC: null }]),
    ).toEqual([]);
    expect(codes([])).toEqual([]);
    expect(verdictsOf(run([fine, fine])).map(({ code }) => code)).toEqual(['valid']);
  });

  it('looks at the measured time only', () => {
    const all = { throttled: true, underVoltage: true, swappedBytes: 1e9, freeBytes: 0 };
    expect(codes([{ ...all, bootId: 'old' }, fine, fine])).toEqual([]);
    expect(healthVerdicts({ ...run([all, all, all]), phases: [] })).toEqual([]);
    expect(codes([fine, all, fine])).toEqual(['throttled', 'under-voltage', 'swapping', 'disk-full']);
  });

  it('throttled: for how long, how slow, how hot', () => {
    const held = (clockMhz: number, temperatureC: number) => ({ throttled: true, clockMhz, temperatureC });
    const [verdict] = healthVerdicts(run([fine, fine, held(1000, 84.2), held(600, 83), fine]));
    expect(verdict?.code).toBe('throttled');
    expect(verdict?.reason).toContain(
      'during 2 s of the 4 s that were sampled (50 %), with its clock down to 600 MHz, at up to 84.2 °C.',
    );
    const [untold] = healthVerdicts(run([fine, { throttled: true, clockMhz: null, temperatureC: null }]));
    expect(untold?.reason).toContain('(100 %). No second');
  });

  it.each<[keyof Throttle, boolean]>([
    ['throttled', true],
    ['frequencyCapped', true],
    ['softTemperatureLimit', true],
    ['underVoltage', false],
    ['throttledOccurred', false],
    ['frequencyCappedOccurred', false],
    ['softTemperatureLimitOccurred', false],
    ['underVoltageOccurred', false],
  ])('the bit %s of a sample is throttling: %s', (bit, expected) => {
    const { throttle } = makeHealth();
    const sample = makeHealth({ throttle: throttle && { ...throttle, [bit]: true } });
    expect(healthEvidence(sample).throttled).toBe(expected);
    expect(healthEvidence({ ...sample, throttle: null }).throttled).toBe(false);
  });

  it('under-voltage: for how long', () => {
    const [verdict] = healthVerdicts(run([fine, fine, { underVoltage: true, intervalMs: 2000 }, fine]));
    expect(verdict).toMatchObject({
      code: 'under-voltage',
      reason: expect.stringContaining('during 2 s of the 4 s that were sampled (50 %)'),
    });
  });

  it('swapping from 1 MiB on, in and out together', () => {
    const sample = makeHealth({ intervalMs: 2000 });
    const memory = { ...sample.memory, swapInBytesPerSecond: 1000, swapOutBytesPerSecond: 500 };
    expect(healthEvidence({ ...sample, memory }).swappedBytes).toBe(3000);
    expect(codes([fine, { swappedBytes: 1_048_575 }])).toEqual([]);
    expect(codes([fine, { swappedBytes: 524_288 }, { swappedBytes: 524_288 }])).toEqual(['swapping']);
  });

  it('disk-full under 512 MiB free at any time', () => {
    expect(codes([fine, { freeBytes: 536_870_912 }])).toEqual([]);
    const [verdict] = healthVerdicts(
      run([fine, { freeBytes: 536_870_911 }, { freeBytes: 125_829_120 }, fine]),
    );
    expect(verdict).toMatchObject({
      code: 'disk-full',
      reason: expect.stringContaining('120 MiB were free at the least; the limit is 512 MiB'),
    });
  });

  it('host-rebooted: when, and how often', () => {
    const boot = (bootId: string) => ({ bootId });
    const [verdict] = healthVerdicts(run([boot('a'), boot('a'), boot('a'), boot('b'), boot('b'), boot('c')]));
    expect(verdict).toMatchObject({
      code: 'host-rebooted',
      reason: expect.stringContaining('at 0:04, 0:06 of the run'),
    });
  });

  it('are said of each run with a trouble, whatever else there is, and each once', () => {
    const second = fc.record({
      throttled: fc.boolean(),
      underVoltage: fc.constantFrom(true, false, null),
      swappedBytes: fc.constantFrom(0, 600_000, 2_000_000),
      freeBytes: fc.constantFrom(null, 1e6, 1e9),
      bootId: fc.constantFrom('a', 'b'),
    });
    fc.assert(
      fc.property(fc.array(second, { minLength: 1, maxLength: 8 }), (seconds) => {
        // An unmeasured second first: the phase starts with the second one.
        const found = codes([fine, ...seconds]);
        expect(new Set(found).size).toBe(found.length);
        expect(found.includes('throttled')).toBe(seconds.some((s) => s.throttled));
        expect(found.includes('under-voltage')).toBe(seconds.some((s) => s.underVoltage === true));
        expect(found.includes('swapping')).toBe(
          seconds.reduce((sum, s) => sum + s.swappedBytes, 0) >= 1_048_576,
        );
        expect(found.includes('disk-full')).toBe(seconds.some((s) => s.freeBytes === 1e6));
        expect(found.includes('host-rebooted')).toBe(new Set(seconds.map((s) => s.bootId)).size > 1);
        expect(verdictsOf(run([fine, ...seconds])).some(({ code }) => code === 'valid')).toBe(
          found.length === 0,
        );
      }),
    );
  });
});
