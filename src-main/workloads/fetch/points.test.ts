import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openFetchRows, Points, type PointsSpec, pointsSchema } from './points.ts';

const base: PointsSpec = {
  seed: 7,
  points: 1000,
  selected: 10,
  selections: 6,
  otherSeries: 3,
  valueRange: 500,
  timestampStart: '2010-01-01T00:00:00Z',
  interval: '1s',
};

interface Given {
  name: unknown;
  timeMs: number;
  value: number;
}

/** Everything a source gives, in one go or in pieces. */
function given(spec: PointsSpec, pieces: readonly number[] = [spec.points + 5]): Given[] {
  const source = openFetchRows({ workload: 'fetch', parameters: spec });
  const rows: Given[] = [];
  for (const piece of pieces) {
    source.fill(
      {
        row(table, device, timeMs, nanos, values) {
          expect([table, nanos]).toEqual([0, 0]);
          rows.push({ name: source.dataset.deviceTags(device)[0], timeMs, value: values[0] ?? Number.NaN });
        },
      },
      piece,
    );
  }
  return rows;
}

const total = (rows: readonly Given[]) => rows.reduce((sum, { value }) => sum + value, 0);

const specs = fc
  .record({
    seed: fc.integer(),
    selected: fc.integer({ min: 1, max: 40 }),
    selections: fc.integer({ min: 1, max: 12 }),
    otherSeries: fc.integer({ min: 1, max: 9 }),
    valueRange: fc.integer({ min: 1, max: 1_000_000_000 }),
    more: fc.integer({ min: 0, max: 700 }),
  })
  .map(({ more, ...spec }) => ({ ...base, ...spec, points: spec.selected * spec.selections + more }));

describe('the points of select + fetch', () => {
  it('are as many as were asked for, one a step, with whole values in the range', () => {
    const rows = given(base);
    expect(rows.map(({ timeMs }) => timeMs)).toEqual(
      Array.from({ length: 1000 }, (_, i) => Date.UTC(2010, 0, 1) + i * 1000),
    );
    expect(rows.every(({ value }) => Number.isInteger(value) && value >= 0 && value < 500)).toBe(true);
    expect(new Set(rows.map(({ value }) => value)).size).toBeGreaterThan(300);
    expect(given({ ...base, seed: 8 })).not.toEqual(rows);
  });

  it('are, for every selection, what it is said to bring back', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const rows = given(spec);
        expect(rows.length).toBe(spec.points);
        const points = new Points(pointsSchema.parse(spec));
        for (let selection = 0; selection < spec.selections; selection += 1) {
          const own = rows.filter(({ name }) => name === `selected-${selection}`);
          expect(points.byTag(selection)).toEqual({ rows: spec.selected, sum: total(own) });
          expect(own.length).toBe(spec.selected);
          const { from, ...expected } = points.byRange(selection);
          const ranged = rows.filter(
            ({ timeMs }) => timeMs >= points.timeMs(from) && timeMs < points.timeMs(from + spec.selected),
          );
          expect(expected).toEqual({ rows: ranged.length, sum: total(ranged) });
        }
      }),
      { numRuns: 40 },
    );
  });

  it('are in no two selections by date', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const points = new Points(pointsSchema.parse(spec));
        const ends = Array.from({ length: spec.selections }, (_, i) => points.byRange(i).from);
        ends.forEach((from, i) => {
          expect(from + spec.selected).toBeLessThanOrEqual(ends[i + 1] ?? spec.points);
        });
      }),
    );
  });

  it('lie all over the time where they share a tag value', () => {
    const own = given(base).filter(({ name }) => name === 'selected-3');
    const hours = own.map(({ timeMs }) => (timeMs - Date.UTC(2010, 0, 1)) / 1000);
    expect(hours[0]).toBeLessThan(100);
    expect(hours.at(-1)).toBeGreaterThan(800);
  });

  it('are the same in whatever pieces they are taken, and may be skipped', () => {
    fc.assert(
      fc.property(specs, fc.array(fc.integer({ min: 1, max: 300 })), fc.nat(900), (spec, pieces, skipped) => {
        const all = given(spec);
        expect(given(spec, [...pieces, spec.points])).toEqual(all);
        const source = openFetchRows({ workload: 'fetch', parameters: spec });
        expect(source.skip(skipped)).toBe(Math.min(skipped, spec.points));
        const times: number[] = [];
        source.fill({ row: (_table, _device, timeMs) => times.push(timeMs) }, spec.points);
        expect(times).toEqual(all.slice(skipped).map(({ timeMs }) => timeMs));
      }),
      { numRuns: 30 },
    );
  });
});
