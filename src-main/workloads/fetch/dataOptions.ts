import { z } from 'zod';
import type { FieldMeta } from '../../../src-shared/model/form.ts';
import { count, duration, timestamp } from '../fields.ts';

const data = (meta: FieldMeta): FieldMeta => ({ group: 'Data', ...meta });

/** Which points there are. `fetch.read` takes them from the load before it. */
export const dataOptions = {
  points: count(
    1,
    1_000_000_000,
    1_000_000,
    data({
      title: 'Points in all',
      description: 'Points that are inserted, selected ones included.',
      unit: 'points',
    }),
  ),
  selected: count(
    1,
    100_000_000,
    5000,
    data({
      title: 'Points of a selection',
      description: 'How many points one fetch brings back.',
      unit: 'points',
    }),
  ),
  selections: count(
    1,
    1_000_000,
    60,
    data({
      title: 'Selections',
      description:
        'Disjoint selections of that many points each, so that there is always one that nobody has read yet: each cold fetch uses one up.',
    }),
  ),
  otherSeries: count(
    1,
    10_000_000,
    10,
    data({
      title: 'Other tag values',
      description: 'Tag values that the points have which are in no selection; 1: one for all of them.',
      advanced: true,
    }),
  ),
  valueRange: count(
    1,
    1_000_000_000,
    99_999,
    data({
      title: 'Value range',
      description: 'Values are whole numbers from 0 to one below this.',
      advanced: true,
    }),
  ),
  timestampStart: timestamp()
    .default('2010-01-01T00:00:00Z')
    .meta(
      data({
        title: 'Start',
        description: 'Time of the first point; it has nothing to do with the clock on the wall.',
        kind: 'timestamp',
        advanced: true,
      }),
    ),
  interval: duration(1n)
    .default('1s')
    .meta(
      data({
        title: 'Interval',
        description: 'Time from one point to the next, whole milliseconds. No two points have the same time.',
        kind: 'duration',
        advanced: true,
      }),
    ),
  seed: z
    .int()
    .default(123)
    .meta(
      data({
        title: 'Seed',
        description:
          'The same seed makes the same values for ever. 0 takes one from the clock, and the run says which.',
        advanced: true,
      }),
    ),
};
export const dataSchema = z.object(dataOptions);
