import type { HealthSample, Throttle } from './host.ts';

/** Nothing holds the processor back, now or before; for tests. */
export const neverHeldBack: Throttle = {
  underVoltage: false,
  frequencyCapped: false,
  throttled: false,
  softTemperatureLimit: false,
  underVoltageOccurred: false,
  frequencyCappedOccurred: false,
  throttledOccurred: false,
  softTemperatureLimitOccurred: false,
};

/** Nothing holds the processor back now, whatever did before; for tests. */
export const heldBackBefore: Throttle = {
  ...neverHeldBack,
  underVoltageOccurred: true,
  frequencyCappedOccurred: true,
  throttledOccurred: true,
  softTemperatureLimitOccurred: true,
};

/** A second of an idle host that tells neither disk, network, pressure nor temperature; for tests. A partial overrides. */
export function makeHealthSample(part: Partial<HealthSample> = {}): HealthSample {
  return {
    atMs: 1000,
    intervalMs: 1000,
    cpu: { user: 0, system: 0, wait: 0, irq: 0, steal: 0, idle: 1 },
    load1: 0,
    memory: {
      totalBytes: 1,
      availableBytes: 1,
      swapUsedBytes: 0,
      swapInBytesPerSecond: 0,
      swapOutBytesPerSecond: 0,
    },
    disk: null,
    freeBytes: null,
    network: null,
    pressure: null,
    temperatureC: null,
    clockMhz: null,
    underVoltage: null,
    throttle: null,
    bootId: 'a',
    ...part,
  };
}
