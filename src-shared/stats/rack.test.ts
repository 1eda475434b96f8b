import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RackFigures } from '../model/rack.ts';
import { deltaToOthers, median, type RackHost, rackFindings } from './rack.ts';

const healthy: RackFigures = {
  rowsPerSecond: null,
  queriesPerSecond: null,
  transactionsPerSecond: null,
  p99Us: null,
  temperatureC: 61,
  throttledSeconds: 0,
  underVoltageSeconds: 0,
  clockMhz: 1500,
  fsyncMs: 2,
  measuredAt: '2026-01-31T12:00:00.000Z',
  roundTripUs: 400,
  linkMbit: 1000,
  wifi: false,
};
const host = (
  hostName: string,
  figures: Partial<RackFigures> | null,
  rest: Partial<RackHost> = {},
): RackHost => ({
  hostId: hostName,
  hostName,
  figures: figures === null ? null : { ...healthy, ...figures },
  leftOut: null,
  missing: 'failed',
  ...rest,
});
const rack = (...rows: number[]) => rows.map((rowsPerSecond, i) => host(`rpi-${i + 1}`, { rowsPerSecond }));
const names = (hosts: readonly RackHost[]) => rackFindings(hosts).outliers.map(({ hostId }) => hostId);

const rate = fc.integer({ min: 1, max: 1_000_000 });
const rates = fc.array(rate, { minLength: 3, maxLength: 12 });

describe('median', () => {
  it('has as many values above as below', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 }), (values) => {
        const middle = median(values) ?? Number.NaN;
        const half = values.length / 2;
        expect(values.filter((value) => value < middle).length).toBeLessThanOrEqual(half);
        expect(values.filter((value) => value > middle).length).toBeLessThanOrEqual(half);
        expect(median([...values].reverse())).toBe(middle);
      }),
    );
    expect([median([]), median([3]), median([1, 2, 9]), median([1, 2, 4, 9])]).toEqual([null, 3, 2, 3]);
  });
});

describe('the outlier', () => {
  it('is the slow board of the published rack: 20 % below the median of the other three', () => {
    const found = rackFindings(rack(214, 215, 216, 172));
    expect(found.outliers).toMatchObject([{ hostId: 'rpi-4', rate: 'rowsPerSecond', delta: 172 / 215 - 1 }]);
    expect(names(rack(214, 215, 216, 173))).toEqual([]);
  });

  it('is one at exactly 20 %, and none just above, whatever the size of the figures', () => {
    fc.assert(
      fc.property(rate, (unit) => {
        const others = [unit * 10, unit * 10, unit * 10];
        expect(names(rack(unit * 8, ...others))).toEqual(['rpi-1']);
        expect(names(rack(unit * 8.001, ...others))).toEqual([]);
      }),
    );
  });

  it('is found wherever it stands, and what it is held against is not its own figure', () => {
    fc.assert(
      fc.property(rates, fc.nat(), (values, place) => {
        const slowest = Math.min(...values);
        const at = place % (values.length + 1);
        const all = [...values.slice(0, at), slowest / 2, ...values.slice(at)];
        expect(names(rack(...all))).toContain(`rpi-${at + 1}`);
        // Half as slow again: the others' deltas stay.
        const slower = rackFindings(rack(...all.map((value, i) => (i === at ? value / 2 : value))));
        expect(slower.hosts[at]?.delta.rowsPerSecond).toBeCloseTo(
          ((rackFindings(rack(...all)).hosts[at]?.delta.rowsPerSecond ?? 0) + 1) / 2 - 1,
          9,
        );
      }),
    );
  });

  it('depends on no unit', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 2, max: 1000 }), (values, factor) => {
        const deltas = (list: number[]) =>
          rackFindings(rack(...list)).hosts.map(({ delta }) => delta.rowsPerSecond ?? Number.NaN);
        const scaled = deltas(values.map((value) => value * factor));
        for (const [i, delta] of deltas(values).entries()) expect(scaled[i]).toBeCloseTo(delta, 9);
      }),
    );
  });

  it('cannot be told of two hosts, nor of hosts that are alike', () => {
    expect(names(rack(100, 10))).toEqual([]);
    expect(names(rack(100))).toEqual([]);
    expect(names([])).toEqual([]);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 81, max: 100 }), { minLength: 3 }), (values) => {
        expect(names(rack(...values))).toEqual([]);
      }),
    );
  });

  it('is held against hosts that count only', () => {
    const leftOut = { leftOut: 'a worn card' };
    const hosts = [
      host('a', { rowsPerSecond: 100 }),
      host('b', { rowsPerSecond: 100 }),
      host('c', { rowsPerSecond: 10 }, leftOut),
      host('d', { rowsPerSecond: 10 }, leftOut),
      host('e', null),
    ];
    expect(hosts.map((each) => deltaToOthers(hosts, each, 'rowsPerSecond'))).toEqual([
      null,
      null,
      -0.9,
      -0.9,
      null,
    ]);
    expect(names(hosts)).toEqual(['c', 'd']);
  });

  it('is told once, by its worst rate', () => {
    const figures = (rowsPerSecond: number, queriesPerSecond: number) => ({
      rowsPerSecond,
      queriesPerSecond,
    });
    const hosts = [host('a', figures(100, 100)), host('b', figures(100, 100)), host('c', figures(75, 50))];
    expect(rackFindings(hosts).outliers).toMatchObject([
      { hostId: 'c', rate: 'queriesPerSecond', delta: -0.5 },
    ]);
  });
});

describe('its sentence', () => {
  const sentence = (slow: Partial<RackFigures>, others: Partial<RackFigures> = {}) =>
    rackFindings([
      host('rpi-1', { rowsPerSecond: 13_800, ...others }),
      host('rpi-2', { rowsPerSecond: 13_804, ...others }),
      host('rpi-3', { rowsPerSecond: 8_000, ...slow }),
    ]).outliers.map((outlier) => outlier.sentence)[0];

  it('names the figures by which it differs', () => {
    expect(sentence({ throttledSeconds: 35.2, temperatureC: 84.2, clockMhz: 600, fsyncMs: 12 })).toBe(
      'rpi-3 wrote 8,000 rows/s, 42.0 % below the median of the others (13,802): it was throttled for 35 s (the others 0 s), ' +
        'it reached 84.2 °C (the others 61.0 °C), its clock went down to 600 MHz (the others 1500 MHz) and ' +
        'an fsync takes 12.0 ms (on the others 2.00 ms).',
    );
    expect(sentence({ underVoltageSeconds: 4 })).toContain(
      'its supply was too low for 4 s (the others 0 s).',
    );
    expect(sentence({ roundTripUs: 4000, wifi: true, linkMbit: 72 })).toContain(
      'a round trip to it takes 4.00 ms (to the others 400 µs), it is on Wi-Fi (the others on cable) and ' +
        'its link runs at 72 Mbit/s (the others’ at 1000).',
    );
  });

  it('says what is alike and what is not known, and makes nothing up', () => {
    expect(sentence({ fsyncMs: null })).toBe(
      'rpi-3 wrote 8,000 rows/s, 42.0 % below the median of the others (13,802), and nothing that is known explains it ' +
        '(like those of the others: throttling, under-voltage, temperature, clock, round trip, network, link speed; not known: fsync).',
    );
    expect(sentence({ clockMhz: 600 }, { fsyncMs: null })).toContain(
      'its clock went down to 600 MHz (the others 1500 MHz) (not known: fsync).',
    );
  });
});

describe('what a rack comes to', () => {
  it('has every host in it, the slow one too', () => {
    expect(rackFindings(rack(100, 100, 40)).aggregates).toEqual([
      { rate: 'rowsPerSecond', mean: 80, median: 100, hosts: 3, without: '' },
    ]);
  });

  it('says who is not in it and why', () => {
    const hosts = [
      host('a', { rowsPerSecond: 100, transactionsPerSecond: 5 }),
      host('b', { rowsPerSecond: 110 }),
      host('c', { rowsPerSecond: 10, transactionsPerSecond: 7 }, { leftOut: 'a worn card' }),
      host('d', null),
    ];
    expect(rackFindings(hosts).aggregates).toEqual([
      {
        rate: 'rowsPerSecond',
        mean: 105,
        median: 105,
        hosts: 2,
        without: 'c (left out: a worn card), d (failed)',
      },
      {
        rate: 'transactionsPerSecond',
        mean: 5,
        median: 5,
        hosts: 1,
        without: 'b (has no such figure), c (left out: a worn card), d (failed)',
      },
    ]);
  });

  it('lies between the slowest and the fastest', () => {
    fc.assert(
      fc.property(rates, (values) => {
        const [found] = rackFindings(rack(...values)).aggregates;
        const [least, most] = [Math.min(...values), Math.max(...values)];
        for (const value of [found?.mean, found?.median]) {
          expect(value).toBeGreaterThanOrEqual(least - 1e-6);
          expect(value).toBeLessThanOrEqual(most + 1e-6);
        }
        expect(found?.hosts).toBe(values.length);
      }),
    );
  });
});
