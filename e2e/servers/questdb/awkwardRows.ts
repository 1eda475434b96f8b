import type { RowSink } from '../../../src-main/databases/driver.ts';
import { openTsbsRows } from '../../../src-main/workloads/tsbs/openRows.ts';

const none = Number.NaN;
const begin = Date.parse('2016-01-01T00:00:00Z');
const minute = 60_000;
const [groups, rowsAGroup] = [2 * 144, 3];
/** Speeds of ten minutes: on the thresholds 1 and 5, beside them, and missing in part or as a whole. */
const speeds = [
  ...[
    [1, 1, 1],
    [0, 1, 2],
    [0, 0, none],
    [0, 1, none],
    [2, none, none],
    [none, none, none],
  ],
  ...[
    [5, 5, 5],
    [4, 5, 6],
    [5, 6, none],
    [50, 60, 70],
    [10, 10, 10],
  ],
];
/** Of standing still, which is a mean status under 1; a breakdown is a change from a missing one to none. */
const statuses = [
  ...[
    [1, 1, 1],
    [0, 1, 2],
    [0, 0, 1],
    [0, 0, none],
    [2, none, 0],
    [none, none, none],
    [3, 3, 3],
    [0, 0, 0],
  ],
];

/**
 * Two days of 40 trucks: every row within ten minutes a choice of its own, on thresholds and NULL more often than not, now
 * and then without a tag, ten minutes or hours without a row, a truck without readings and one without diagnostics.
 */
export function awkwardRows(sink: RowSink): void {
  const { dataset } = openTsbsRows({
    workload: 'tsbs',
    parameters: {
      ...{ useCase: 'iot', seed: 123, scale: 40, logInterval: '1m' },
      ...{ timestampStart: '2016-01-01T00:00:00Z', timestampEnd: '2016-01-03T00:00:00Z' },
    },
  });
  let state = 20_160_101;
  /** Whole, from 0 to below `limit`, the same every time (a linear congruence of Numerical Recipes). */
  const draw = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const pick = <T>(from: readonly T[]): T => from[draw(from.length)] as T;
  const values = new Float64Array(7);
  const missing = () => (draw(4) === 0 ? draw(dataset.tags.length) : undefined);

  for (let group = 0; group < groups; group += 1)
    for (let truck = 0; truck < dataset.devices; truck += 1) {
      if (draw(12) === 0) continue;
      const capacity = Number(dataset.deviceTags(truck)[5]);
      // Every fourth truck stands, every fourth is on the road for long.
      const speed =
        truck % 4 === 0 ? [0, 1, none] : truck % 4 === 1 && draw(9) > 0 ? [60, none, 80] : pick(speeds);
      const status = pick(statuses);
      for (let i = 0; i < rowsAGroup; i += 1) {
        // The first row of a group is at its very beginning, the last a millisecond before its end.
        const ms = begin + group * 10 * minute + (i === 2 ? 10 * minute - 1 : i * 5 * minute);
        values.set([
          ...[draw(2) === 0 ? draw(90) : none, draw(5) === 0 ? none : draw(180), draw(500)],
          ...[speed[i] ?? none, none, none, draw(3) === 0 ? none : draw(500) / 10],
        ]);
        if (truck !== 7) sink.row(0, truck, ms, 0, values, missing());
        values.set([pick([0, 0.1, 0.2, none]), pick([0.9, 0.95, 1, 0, none]) * capacity, status[i] ?? none]);
        if (truck !== 8) sink.row(1, truck, ms, 0, values, missing());
      }
    }
}
