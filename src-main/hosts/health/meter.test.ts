import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMeter } from './meter.ts';
import { type Header, parseLine, type Reading } from './parse.ts';
import { type LineParts, sampleLine } from './testLines.ts';

const header: Header = {
  kind: 'header',
  bootId: 'boot-1',
  pageBytes: 4096,
  disk: 'mmcblk0',
  network: 'eth0',
};

function reading(parts: Partial<LineParts> = {}): Reading {
  const line = parseLine(sampleLine(parts));
  if (line?.kind !== 'reading') throw new Error('the line is no reading');
  return line;
}

/** The sample of the second reading. */
function between(first: Partial<LineParts>, second: Partial<LineParts>, about: Partial<Header> = {}) {
  const meter = createMeter({ ...header, ...about });
  expect(meter.add(reading({ uptime: '1000.00 0', ...first }))).toBeNull();
  return meter.add(reading({ uptime: '1002.00 0', ...second }));
}

describe('a sample', () => {
  it('has rates over the time that passed on the host', () => {
    const sample = between(
      {
        cpu: 'cpu  1000 0 500 10000 100 0 0 0 0 0',
        disk: '100 0 2000 0 50 0 1000 0 0 5000 0',
        network: '1000,2000',
        swapped: '10,20',
        pressure: 'some avg10=0 total=1000000;some avg10=0 total=0;some avg10=0 total=5',
      },
      {
        // 200 ticks a core passed, of four cores: 400 user, 80 nice, 80 system, 160 wait, 8 irq, 8 softirq, 64 idle
        cpu: 'cpu  1400 80 580 10064 260 8 8 0 0 0',
        disk: '300 0 6000 0 250 0 3048 0 1 6500 0',
        network: '5000,2000',
        swapped: '110,20',
        pressure: 'some avg10=0 total=2000000;some avg10=0 total=500000;some avg10=0 total=5',
        memory: '1000,600,500,400',
        loadavg: '3.25 0 0 1/2 3',
      },
    );
    expect(sample).toMatchObject({
      intervalMs: 2000,
      cpu: { user: 0.6, system: 0.1, wait: 0.2, irq: 0.02, steal: 0, idle: 0.08 },
      load1: 3.25,
      memory: {
        totalBytes: 1_024_000,
        availableBytes: 614_400,
        swapUsedBytes: 102_400,
        // 100 pages of 4096 bytes in two seconds
        swapInBytesPerSecond: 204_800,
        swapOutBytesPerSecond: 0,
      },
      disk: {
        name: 'mmcblk0',
        readBytesPerSecond: 1_024_000, // 4000 sectors in two seconds
        writeBytesPerSecond: 524_288, // 2048 sectors
        readsPerSecond: 100,
        writesPerSecond: 100,
        busy: 0.75,
      },
      network: { receivedBytesPerSecond: 2000, sentBytesPerSecond: 0 },
      pressure: { cpu: 0.5, io: 0.25, memory: 0 },
      bootId: 'boot-1',
    });
  });

  it('counts swap in the pages of the host', () => {
    expect(between({ swapped: '0,0' }, { swapped: '0,10' }, { pageBytes: 16_384 })?.memory).toMatchObject({
      swapInBytesPerSecond: 0,
      swapOutBytesPerSecond: 81_920,
    });
  });

  it('has no rates of a device whose counters went back, and none of one that is gone', () => {
    expect(between({ network: '500,500' }, { network: '10,600' })?.network).toBeNull();
    expect(between({ disk: '9 9 9 9 9 9 9 9 0 9' }, { disk: '8 9 9 9 9 9 9 9 0 9' })?.disk).toBeNull();
    expect(between({ network: '500,500' }, { network: '-,-' })?.network).toBeNull();
    expect(between({}, {}, { disk: null })?.disk).toBeNull();
  });

  it('takes what went back on an idle core as nothing', () => {
    const cpu = between({ cpu: 'cpu 0 0 0 100 50 0 0 0' }, { cpu: 'cpu 30 0 0 190 40 0 0 0' })?.cpu;
    expect(cpu).toEqual({ user: 0.25, system: 0, wait: 0, irq: 0, steal: 0, idle: 0.75 });
  });

  it('is not made where the clock has not moved', () => {
    const meter = createMeter(header);
    meter.add(reading({ uptime: '5.00 0' }));
    expect(meter.add(reading({ uptime: '5.00 0' }))).toBeNull();
    expect(meter.add(reading({ uptime: '4.00 0' }))).toBeNull();
  });
});

describe('what is not read every time', () => {
  it('stands until the next reading, and no longer than two that were missed', () => {
    const meter = createMeter(header);
    meter.add(reading({ uptime: '1.00 0', throttled: 'throttled=0x4', clock: '-', free: '2' }));
    const at = (uptime: number) =>
      meter.add(reading({ uptime: `${uptime}.00 0`, throttled: '-', clock: '-', free: '-' }));
    expect(at(2)?.throttle).toMatchObject({ throttled: true, underVoltage: false });
    expect(at(13)?.throttle?.throttled).toBe(true);
    const later = at(14);
    expect(later?.throttle).toBeNull();
    expect(later?.freeBytes).toBe(2048);
    expect(at(34)?.freeBytes).toBeNull();
  });

  it('prefers the measured clock to the requested one', () => {
    const clocks = { khz: '1500000', clock: 'frequency(48)=600117184' };
    expect(between({}, clocks)?.clockMhz).toBe(600);
    expect(between({}, { khz: '1500000', clock: '-' })?.clockMhz).toBe(1500);
    expect(between({ khz: '-', clock: '-' }, { khz: '-', clock: '-' })?.clockMhz).toBeNull();
  });
});

describe('under-voltage', () => {
  const cases = fc.record({
    alarm: fc.constantFrom('-', '0', '1'),
    throttled: fc.constantFrom('-', 'throttled=0x0', 'throttled=0x1', 'throttled=0x50000'),
  });
  it('is told by the alarm or the firmware, and unknown only where neither speaks', () => {
    fc.assert(
      fc.property(cases, ({ alarm, throttled }) => {
        const expected =
          alarm === '-' && throttled === '-' ? null : alarm === '1' || throttled === 'throttled=0x1';
        expect(between({ throttled: '-' }, { alarm, throttled })?.underVoltage).toBe(expected);
      }),
    );
  });
});
