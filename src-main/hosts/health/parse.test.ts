import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { healthSampleSchema } from '../../../src-shared/model/host.ts';
import { createMeter } from './meter.ts';
import { parseLine, type Reading } from './parse.ts';
import { headerLine, type LineParts, sampleLine } from './testLines.ts';

function readingOf(parts: Partial<LineParts> = {}): Reading {
  const line = parseLine(sampleLine(parts));
  if (line?.kind !== 'reading') throw new Error('the line is no reading');
  return line;
}

describe('a line of the sampler', () => {
  it('is the raw counters', () => {
    expect(readingOf()).toEqual({
      kind: 'reading',
      uptime: 1000.25,
      load1: 0.52,
      cpu: { user: 1050, system: 400, idle: 90_000, wait: 300, irq: 50, steal: 0 },
      memory: {
        totalBytes: 3_978_547_200,
        availableBytes: 3_174_400_000,
        swapTotalBytes: 104_853_504,
        swapFreeBytes: 104_853_504,
      },
      swapped: { in: 0, out: 0 },
      disk: { reads: 21_470, readSectors: 2_596_324, writes: 10_449, writeSectors: 531_225, busyMs: 39_160 },
      network: { received: 1_000_000, sent: 2_000_000 },
      pressure: null,
      temperatureC: 44.303,
      requestedMhz: 1500,
      alarm: false,
      throttle: expect.objectContaining({ underVoltage: false, throttled: false }),
      actualMhz: null,
      freeBytes: 20_480_000_000,
    });
  });

  it('has the header with what it watches', () => {
    expect(parseLine(headerLine)).toEqual({
      kind: 'header',
      bootId: '7a0a3c2e-1111-4222-8333-444455556666',
      pageBytes: 4096,
      disk: 'mmcblk0',
      network: 'eth0',
    });
    expect(parseLine('H1|abc|16384|-|-')).toMatchObject({ pageBytes: 16_384, disk: null, network: null });
    expect(parseLine('H1|-|4096|vda|eth0')).toBeNull();
  });

  it('tells what a host does not have as null', () => {
    const bare = readingOf({
      disk: '-',
      network: '-,-',
      temperature: '-',
      khz: '-',
      alarm: '-',
      throttled: '-',
      free: '-',
    });
    expect(bare).toMatchObject({
      disk: null,
      network: null,
      temperatureC: null,
      requestedMhz: null,
      alarm: null,
      throttle: null,
      actualMhz: null,
      freeBytes: null,
      pressure: null,
    });
  });

  // Counters of real boards, from public reports.
  it.each([
    // 11 counters, kernels before 4.18
    [
      '133145 53235 6878634 3020910 1544414 1254150 48441345 240124500 0 13439150 243142800',
      {
        reads: 133_145,
        readSectors: 6_878_634,
        writes: 1_544_414,
        writeSectors: 48_441_345,
        busyMs: 13_439_150,
      },
    ],
    // 17 counters
    [
      '199979 13155 29888336 3420661 160002 10834 98764001 100392075 0 4135060 103840049 0 0 0 0 4730 27312',
      {
        reads: 199_979,
        readSectors: 29_888_336,
        writes: 160_002,
        writeSectors: 98_764_001,
        busyMs: 4_135_060,
      },
    ],
  ])('reads the disk counters of an SD card: %s', (disk, expected) => {
    expect(readingOf({ disk }).disk).toEqual(expected);
  });

  it.each([
    ['throttled=0x0', [false, false, false, false]],
    ['throttled=0x50000', [false, false, false, false]],
    ['throttled=0x50005', [true, false, true, false]],
    ['throttled=0x80008', [false, false, false, true]],
    ['throttled=0x20002', [false, true, false, false]],
  ])('reads what boards said: %s', (throttled, now) => {
    const { throttle } = readingOf({ throttled });
    expect(throttle && Object.values(throttle).slice(0, 4)).toEqual(now);
  });

  it.each([
    ['frequency(48)=1400000000', 1400],
    ['frequency(48)=2000531200', 2001],
    ['frequency(0)=2400004352', 2400],
  ])('reads the clock as measured: %s', (clock, mhz) => {
    expect(readingOf({ clock }).actualMhz).toBe(mhz);
  });

  it('reads pressure where the kernel has it on', () => {
    const some = (total: number) => `some avg10=0.05 avg60=0.04 avg300=0.00 total=${total}`;
    expect(readingOf({ pressure: `${some(95_654_990)};${some(7)};${some(0)}` }).pressure).toEqual({
      cpu: 95_654_990,
      io: 7,
      memory: 0,
    });
  });

  it('takes a kernel without swap, but not one that has swap and does not count it', () => {
    expect(readingOf({ memory: '4,3,0,0', swapped: '-,-' }).swapped).toEqual({ in: 0, out: 0 });
    expect(parseLine(sampleLine({ memory: '4,3,2,1', swapped: '-,-' }))).toBeNull();
  });

  it.each(['', 'Linux raspberrypi 6.12.34', 'S1', 'S1|1|2', 'H1', 'H2|a|b|c|d', `${sampleLine()}|more`])(
    'passes over other text: %j',
    (text) => expect(parseLine(text)).toBeNull(),
  );
});

describe('mangled lines', () => {
  const junk = fc.oneof(
    fc.constantFrom(
      '-',
      '',
      '0',
      '99999999999999999999',
      '-1',
      '1e9',
      'NaN',
      'Infinity',
      '1.2.3',
      'cpu',
      '\0',
      'ü',
    ),
    fc.string({ maxLength: 20 }).map((text) => text.replaceAll('|', '')),
  );
  const mangled = fc.record({ at: fc.nat(13), text: junk, cut: fc.nat(400) }).map(({ at, text, cut }) => {
    const fields = sampleLine().split('|');
    fields[at + 1] = text;
    return fields.join('|').slice(0, cut % 3 === 0 ? cut : undefined);
  });

  it('never throw, and whatever is made of them is a sample as the contract has it', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(mangled, fc.string()), { maxLength: 8 }), (lines) => {
        const header = parseLine(headerLine);
        if (header?.kind !== 'header') throw new Error('the header is none');
        const meter = createMeter(header);
        for (const text of lines) {
          const line = parseLine(text);
          if (line?.kind !== 'reading') continue;
          const sample = meter.add(line);
          if (sample === null) continue;
          healthSampleSchema.parse({ atMs: 0, ...sample });
          const shares = Object.values(sample.cpu);
          expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
          expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
        }
      }),
    );
  });
});
