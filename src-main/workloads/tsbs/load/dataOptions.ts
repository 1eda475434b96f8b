import { z } from 'zod';
import type { FieldMeta } from '../../../../src-shared/model/form.ts';
import { count, duration, timestamp } from '../../fields.ts';
import { useCaseLabels, useCases } from '../simulation.ts';

const data = (meta: FieldMeta): FieldMeta => ({ group: 'Data', ...meta });
const mostHosts = 10_000_000;

/**
 * TSBS's options of the data generator, in camelCase. Defaults are TSBS's but for `useCase`, `scale` and `seed`: TSBS has
 * none for the first, and with its own a first benchmark would be over before it is seen.
 */
export const dataOptions = {
  useCase: z
    .enum(useCases)
    .default('cpu-only')
    .meta(
      data({
        title: 'Use case',
        description: 'What is simulated. TSBS itself has no default for it.',
        optionLabels: useCaseLabels,
      }),
    ),
  scale: count(
    1,
    mostHosts,
    400,
    data({
      title: 'Simulated hosts',
      description:
        'How many servers (or trucks) are simulated; each gives a row an interval to every table. TSBS’s default is 1, too few for a first look. Workers need about 90 bytes of memory a host.',
    }),
  ),
  timestampStart: timestamp()
    .default('2016-01-01T00:00:00Z')
    .meta(
      data({
        title: 'Start',
        description:
          'Time of the first rows in the simulation; it has nothing to do with the clock on the wall.',
        kind: 'timestamp',
      }),
    ),
  timestampEnd: timestamp()
    .default('2016-01-02T00:00:00Z')
    .meta(
      data({
        title: 'End',
        description: 'Rows stop before this time. One day of 400 hosts, a row every 10 s, is 3,456,000 rows.',
        kind: 'timestamp',
      }),
    ),
  logInterval: duration(1n)
    .default('10s')
    .meta(
      data({
        title: 'Interval',
        description: 'Time between two rows of one host, e.g. 10s or 1m.',
        kind: 'duration',
      }),
    ),
  seed: z
    .int()
    .default(123)
    .meta(
      data({
        title: 'Seed',
        description:
          'The same seed makes the same rows for ever, to the bit those of TSBS. 0 takes a seed from the clock, and the run says which. TSBS’s default is 0, its scripts use 123. It also draws the pauses between batches, for which TSBS has a second seed.',
      }),
    ),
  initialScale: count(
    0,
    mostHosts,
    0,
    data({
      title: 'Hosts at the start',
      description:
        'Hosts grow from this number to the full one over the simulated time; 0: all are there from the start. TSBS’s loader takes this option and forgets it, its generator follows it; here it always holds.',
      advanced: true,
    }),
  ),
  maxDataPoints: count(
    0,
    null,
    0,
    data({
      title: 'Most points',
      description:
        'The simulation ends after so many points, those of hosts that are not there yet included; 0: no limit.',
      advanced: true,
    }),
  ),
  maxMetricCount: count(
    1,
    10_000,
    100,
    data({
      title: 'Most metrics of a host',
      description: 'Only of the use case devops-generic: hosts have from one to so many, most of them few.',
      advanced: true,
    }),
  ),
};
