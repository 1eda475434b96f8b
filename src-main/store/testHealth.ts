import type { HealthSample } from '../../src-shared/model/host.ts';
import { makeHealthSample, neverHeldBack } from '../../src-shared/model/testHealthSample.ts';

/** A sample of a healthy Raspberry Pi 4 at work, for tests; a partial overrides. */
export function makeHealth(part: Partial<HealthSample> = {}): HealthSample {
  const idle = makeHealthSample();
  return {
    ...idle,
    cpu: { user: 0.5, system: 0.1, wait: 0.15, irq: 0.01, steal: 0, idle: 0.24 },
    load1: 2.5,
    memory: { ...idle.memory, totalBytes: 3_978_547_200, availableBytes: 2_000_000_000 },
    disk: {
      name: 'mmcblk0',
      readBytesPerSecond: 0,
      writeBytesPerSecond: 12e6,
      readsPerSecond: 0,
      writesPerSecond: 240,
      busy: 0.8,
    },
    freeBytes: 20e9,
    network: { receivedBytesPerSecond: 4e6, sentBytesPerSecond: 1e5 },
    temperatureC: 61.5,
    clockMhz: 1500,
    underVoltage: false,
    throttle: neverHeldBack,
    bootId: '7a0a3c2e-1111-4222-8333-444455556666',
    ...part,
  };
}
