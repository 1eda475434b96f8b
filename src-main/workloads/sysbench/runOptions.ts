import { z } from 'zod';
import type { FieldMeta } from '../../../src-shared/model/form.ts';
import { count, toggle } from '../fields.ts';
import { flag, randomOptions, tableOptions, tableOptionsOfRun } from './dataOptions.ts';
import { scriptNames, scripts } from './scripts.ts';

const load = (meta: FieldMeta): FieldMeta => ({ group: 'Load', ...meta });
const report = (meta: FieldMeta): FieldMeta => ({ group: 'Report', ...meta });
const statements = (meta: FieldMeta): FieldMeta => ({ group: 'Statements', advanced: true, ...meta });
const perEvent = (name: string, byDefault: number, title: string, description: string) =>
  count(0, 100_000, byDefault, flag(name, statements({ title, description })));

const loadOptions = {
  script: z
    .enum(scriptNames)
    .default('oltp_read_write')
    .meta(
      load({
        title: 'Script',
        description: 'What one event does; sysbench reports events as transactions.',
        optionLabels: Object.fromEntries(scripts.map(({ name, help }) => [name, `${name}: ${help}`])),
      }),
    ),
  threads: count(
    1,
    10_000,
    1,
    flag('threads', load({ title: 'Threads', description: 'Connections that work at the same time.' })),
  ),
  time: count(
    0,
    31_536_000,
    10,
    flag(
      'time',
      load({
        title: 'Time',
        description: 'No event starts after so long; those under way are finished. 0: no limit.',
        unit: 's',
      }),
    ),
  ),
  events: count(
    0,
    null,
    0,
    flag('events', load({ title: 'Events', description: 'Events over all threads; 0: no limit.' })),
  ),
  rate: count(
    0,
    1_000_000,
    0,
    flag(
      'rate',
      load({
        title: 'Rate',
        description:
          'Events a second that arrive by chance, whether or not a thread is free: waiting counts as latency. 0: each thread starts its next event at once.',
        unit: 'events/s',
      }),
    ),
  ),
  warmupTime: count(
    0,
    86_400,
    0,
    flag(
      'warmup-time',
      load({
        title: 'Warm-up',
        description:
          'So long the load is on before anything is counted. sysbench has it only in its development version.',
        unit: 's',
        advanced: true,
      }),
    ),
  ),
  dbPsMode: z
    .enum(['auto', 'disable'])
    .default('auto')
    .meta(
      flag(
        'db-ps-mode',
        load({
          title: 'Statements',
          description: 'How statements go to the server; results of the two cannot be compared.',
          advanced: true,
          optionLabels: { auto: 'Prepared once a connection', disable: 'Sent as text each time' },
        }),
      ),
    ),
};

const reportOptions = {
  reportInterval: count(
    0,
    86_400,
    0,
    flag(
      'report-interval',
      report({
        title: 'Report interval',
        description: 'A line of figures every so many seconds in the text of the run; 0: none.',
        unit: 's',
      }),
    ),
  ),
  percentile: count(
    0,
    100,
    95,
    flag(
      'percentile',
      report({ title: 'Percentile', description: 'The one that sysbench’s report shows; 0: none.' }),
    ),
  ),
  histogram: toggle(
    false,
    flag('histogram', report({ title: 'Histogram', description: 'Print the histogram of latencies too.' })),
  ),
};

const statementOptions = {
  pointSelects: perEvent(
    'point-selects',
    10,
    'Point selects',
    'Rows read by id, of read_only and read_write.',
  ),
  rangeSelects: toggle(
    true,
    flag(
      'range-selects',
      statements({ title: 'Ranges', description: 'Off: none of the four kinds of ranges.' }),
    ),
  ),
  simpleRanges: perEvent('simple-ranges', 1, 'Simple ranges', 'Ranges of ids read as they are.'),
  sumRanges: perEvent('sum-ranges', 1, 'Sums', 'Ranges of ids whose k is summed up.'),
  orderRanges: perEvent('order-ranges', 1, 'Sorted ranges', 'Ranges of ids sorted by c.'),
  distinctRanges: perEvent(
    'distinct-ranges',
    1,
    'Distinct ranges',
    'Ranges of ids, distinct values of c, sorted.',
  ),
  rangeSize: count(
    1,
    100_000_000,
    100,
    flag('range-size', statements({ title: 'Range size', description: 'Ids in a range.', unit: 'rows' })),
  ),
  indexUpdates: perEvent('index-updates', 1, 'Indexed updates', 'Updates of k, which has an index.'),
  nonIndexUpdates: perEvent('non-index-updates', 1, 'Plain updates', 'Updates of c, which has none.'),
  deleteInserts: perEvent(
    'delete-inserts',
    1,
    'Deletes and inserts',
    'Pairs of a delete and an insert of the same id.',
  ),
  lockingUpdate: toggle(
    false,
    statements({
      title: 'Lock before the delete',
      description:
        'Before each delete an update of the same id takes the row’s lock, as later versions of sysbench 0.4 do on PostgreSQL; without it two clients can insert the same id.',
    }),
  ),
  skipTrx: toggle(
    false,
    flag(
      'skip-trx',
      statements({
        title: 'No transactions',
        description: 'Leave out BEGIN and COMMIT: each statement by itself.',
      }),
    ),
  ),
  randomPoints: count(
    1,
    10_000,
    10,
    flag(
      'random-points',
      statements({ title: 'Random points', description: 'Values in one select_random_points.' }),
    ),
  ),
  numberOfRanges: count(
    1,
    10_000,
    10,
    flag(
      'number-of-ranges',
      statements({ title: 'Random ranges', description: 'Ranges in one select_random_ranges.' }),
    ),
  ),
  delta: count(
    0,
    1_000_000,
    5,
    flag('delta', statements({ title: 'Random range size', description: 'Length of each of those ranges.' })),
  ),
};

/** Options of `sysbench.run`, in camelCase with sysbench's defaults. */
export const runOptions = {
  ...loadOptions,
  ...reportOptions,
  ...tableOptionsOfRun,
  ...statementOptions,
  ...randomOptions,
};
/** As it is once a step has taken what it leaves out from the steps before. */
export const runSchema = z.object({ ...runOptions, ...tableOptions });
export type RunOptions = z.output<typeof runSchema>;
