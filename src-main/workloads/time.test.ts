import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../src-shared/duration.ts';
import { formatMicros, formatSeconds, formatTimestamp, parseTimestamp } from './timestamp.ts';

describe('durations', () => {
  it('are read as Go reads them', () => {
    expect(
      ['10s', '1h30m', '500ms', '1.5h', '.5s', '1us', '2µs', '3ns', '0', '-2m', '1m0.25s'].map(parseDuration),
    ).toEqual([
      10_000_000_000n,
      5_400_000_000_000n,
      500_000_000n,
      5_400_000_000_000n,
      500_000_000n,
      1000n,
      2000n,
      3n,
      0n,
      -120_000_000_000n,
      60_250_000_000n,
    ]);
    for (const bad of ['', '10', '10 s', 's', '1d', '1h-2m', '--1s', '1e3s', '9999999999h'])
      expect(parseDuration(bad)).toBeNull();
  });

  it('are printed as Go prints them', () => {
    const printed = ['12h', '1h', '60s', '10s', '1500ms', '500ms', '1500us', '7ns', '0', '-90m'].map((text) =>
      formatDuration(parseDuration(text) ?? 0n),
    );
    expect(printed).toEqual([
      '12h0m0s',
      '1h0m0s',
      '1m0s',
      '10s',
      '1.5s',
      '500ms',
      '1.5ms',
      '7ns',
      '0s',
      '-1h30m0s',
    ]);
  });

  it('are the same after printing and reading', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), (nanos) => {
        expect(parseDuration(formatDuration(nanos))).toBe(nanos);
      }),
    );
  });
});

describe('timestamps', () => {
  it('are read with zone and nanoseconds', () => {
    expect(parseTimestamp('2016-01-01T00:00:00Z')).toBe(1451606400000000000n);
    expect(parseTimestamp('2016-01-01T02:30:00.000000001+02:30')).toBe(1451606400000000001n);
    expect(parseTimestamp('2015-12-31T23:00:00-01:00')).toBe(1451606400000000000n);
    expect(parseTimestamp('1969-12-31T23:59:59.5Z')).toBe(-500_000_000n);
    for (const bad of [
      '2016-01-01',
      '2016-01-01T00:00:00',
      '2016-02-30T00:00:00Z',
      '2016-01-01T24:00:00Z',
      'now',
    ])
      expect(parseTimestamp(bad)).toBeNull();
  });

  it('are printed in TSBS’s ways', () => {
    const t = 1451822806646325999n;
    expect(formatSeconds(t)).toBe('2016-01-03T12:06:46Z');
    expect(formatMicros(t)).toBe('2016-01-03 12:06:46.646325 +0000');
    expect(formatMicros(1451606400500000000n)).toBe('2016-01-01 00:00:00.5 +0000');
    expect(formatMicros(1451606400000000999n)).toBe('2016-01-01 00:00:00 +0000');
    expect(formatTimestamp(-500_000_000n)).toBe('1969-12-31T23:59:59.5Z');
  });

  it('are the same after printing and reading', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 60n), max: 2n ** 62n }), (nanos) => {
        expect(parseTimestamp(formatTimestamp(nanos))).toBe(nanos);
      }),
    );
  });
});
