import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineCounter, PointCounter } from './counters.ts';

/** In pieces of so many bytes. */
function take(counter: LineCounter | PointCounter, text: string, size: number): number {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) counter.take(bytes.subarray(at, at + size));
  return counter.rows;
}

it('counts the points of every series, whatever their tags say and however they come', () => {
  const point = fc.tuple(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  const series = fc.record({
    metric: fc.string(),
    tags: fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })),
    aggregateTags: fc.array(fc.string()),
    dps: fc.array(point),
  });
  fc.assert(
    fc.property(fc.array(series), fc.integer({ min: 1, max: 50 }), (answer, size) => {
      const rows = answer.reduce((sum, { dps }) => sum + dps.length, 0);
      expect(take(new PointCounter(), JSON.stringify(answer), size)).toBe(rows);
    }),
  );
});

it('counts lines within the range that was asked for, whole hours of which come', () => {
  const text = Array.from({ length: 30 }, (_, i) => `a.b ${1_262_304_000 + i} ${i} sel=x\n`).join('');
  const within = (range: string, size = 7) =>
    take(new LineCounter(new URL(`http://tsd/q?${range}&ascii`)), text, size);
  for (let size = 1; size < 60; size += 1) expect(within('start=1262304005&end=1262304010', size)).toBe(6);
  expect(within('start=1262304005000&end=1262304010999')).toBe(6);
  expect(within('start=1d-ago')).toBe(30);
  expect(within('start=1262304028')).toBe(2);
});
