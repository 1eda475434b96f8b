import type { HealthSample, Throttle } from '../../src-shared/model/host.ts';

/** Nothing holds the processor back now, whatever did before. */
export const calm: Throttle = {
  underVoltage: false,
  frequencyCapped: false,
  throttled: false,
  softTemperatureLimit: false,
  underVoltageOccurred: true,
  frequencyCappedOccurred: true,
  throttledOccurred: true,
  softTemperatureLimitOccurred: true,
};

/** A sample at so many seconds, of a host that tells neither disk, network nor pressure; for tests. */
export function healthAt(seconds: number, part: Partial<HealthSample> = {}): HealthSample {
  return {
    atMs: seconds * 1000,
    intervalMs: 1000,
    cpu: { user: 0.5, system: 0.1, wait: 0.2, irq: 0.05, steal: 0, idle: 0.15 },
    load1: 1,
    memory: {
      totalBytes: 1000 * 2 ** 20,
      availableBytes: 400 * 2 ** 20,
      swapUsedBytes: 0,
      swapInBytesPerSecond: 0,
      swapOutBytesPerSecond: 0,
    },
    disk: null,
    freeBytes: null,
    network: null,
    pressure: null,
    temperatureC: 60 + seconds,
    clockMhz: 1500,
    underVoltage: false,
    throttle: calm,
    bootId: 'a',
    ...part,
  };
}
