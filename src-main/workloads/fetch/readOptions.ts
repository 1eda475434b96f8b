import { z } from 'zod';
import type { FieldMeta } from '../../../src-shared/model/form.ts';
import { count } from '../fields.ts';
import { dataOptions } from './dataOptions.ts';
import { selects } from './openFetches.ts';

const fetching = (meta: FieldMeta): FieldMeta => ({ group: 'Fetching', ...meta });

const readerCounts = ['1', '2', '3', '4', '6', '8', '12', '16', '24', '32', '48', '64'] as const;
const coldWays = ['never-read', 'restart', 'none'] as const;

/** The data's options once more, each of them as in the load before where it is left out. */
export const inheritedOptions = Object.fromEntries(
  Object.entries(dataOptions).map(([key, option]) => {
    const { title = key, unit, kind } = option.meta() ?? {};
    return [
      key,
      option
        .unwrap()
        .optional()
        .meta({
          group: 'Data',
          advanced: true,
          title,
          description: `As the points were inserted. Left out: as in the load step before, else ${option.parse(undefined)}.`,
          ...(unit !== undefined && { unit }),
          ...(kind !== undefined && { kind }),
        }),
    ];
  }),
);

export const readOptions = {
  select: z
    .enum(selects)
    .default('tag')
    .meta(
      fetching({
        title: 'Select by',
        description:
          'By tag: all points with one tag value, which lie far apart. By date range: as many points that lie side by side, whatever their tag.',
        optionLabels: { tag: 'Tag', 'date-range': 'Date range' },
      }),
    ),
  readers: z
    .array(z.enum(readerCounts))
    .min(1, 'Choose at least one number of readers')
    .refine((counts) => new Set(counts).size === counts.length, 'Each number of readers once')
    .default(['1', '2', '4', '8'])
    .meta(
      fetching({
        title: 'Readers',
        description: 'Connections that fetch at the same time; one number after the other is measured.',
      }),
    ),
  fetches: count(
    1,
    1_000_000,
    100,
    fetching({
      title: 'Warm fetches a reader',
      description: 'Each reader fetches so many times what has been read before.',
    }),
  ),
  cold: z
    .enum(coldWays)
    .default('never-read')
    .meta(
      fetching({
        title: 'Cold fetches',
        description:
          'What makes a fetch a cold one. A restart empties the server’s own memory, not the file cache of its system; only a server that Benchberry runs itself can be restarted.',
        optionLabels: {
          'never-read':
            'Never read: points that nobody has read since they were inserted; they may still be in memory',
          restart: 'Restart: the server is restarted before the cold fetches of each number of readers',
          none: 'None: only warm fetches; each selection is read once before, not counted',
        },
      }),
    ),
  coldFetches: count(
    1,
    100_000,
    4,
    fetching({
      title: 'Cold fetches a reader',
      description: 'Each of them reads another selection. The warm fetches then read the same ones again.',
    }),
  ),
  dbName: z.string().trim().min(1, 'A database needs a name').optional().meta({
    group: 'Data',
    advanced: true,
    title: 'Database',
    description: 'Left out: as in the load step before, else benchmark.',
  }),
};
