import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import type { FieldMeta } from '../../../src-shared/model/form.ts';
import { type WriteMode, writeModes } from './layout.ts';

const group = 'PostgreSQL and TimescaleDB';
const field = (meta: FieldMeta) => ({ group, advanced: true, ...meta });
const yes = (title: string, description: string, more: Partial<FieldMeta> = {}) =>
  z
    .boolean()
    .default(true)
    .meta(field({ title, description, ...more }));
const no = (title: string, description: string, more: Partial<FieldMeta> = {}) =>
  z
    .boolean()
    .default(false)
    .meta(field({ title, description, ...more }));

/** What an index on a field may look like; the words are TSBS's. */
const fieldIndexKinds = ['VALUE-TIME', 'TIME-VALUE'] as const;

/** TSBS's loader options for TimescaleDB, in camelCase with TSBS's defaults, and `writeMode`. */
export const loadOptionsSchema = z.object({
  writeMode: z
    .enum(writeModes)
    .default('binary')
    .meta(
      field({
        title: 'Write mode',
        description:
          'How rows are sent. COPY is the fastest; INSERT shows what a program reaches that does not use COPY.',
        advanced: false,
        optionLabels: {
          binary: 'COPY, binary',
          text: 'COPY, text',
          insert: 'INSERT, many rows each',
          'insert-single': 'INSERT, one row each',
        },
      }),
    ),
  useHypertable: yes(
    'Hypertable',
    'Make TimescaleDB hypertables. A server without TimescaleDB gets plain tables, and the run says so.',
    { advanced: false },
  ),
  chunkTime: z
    .string()
    .regex(/^(?=\d)(\d+h)?(\d+m)?(\d+s)?(\d+ms)?$/, 'A duration such as 12h, 30m or 1h30m')
    .refine((text) => /[1-9]/.test(text), 'A chunk covers some time')
    .default('12h')
    .meta(
      field({
        title: 'Chunk length',
        description:
          'Time covered by one chunk of a hypertable, e.g. 12h. Recent chunks with their indexes should fit in memory.',
        kind: 'duration',
        advanced: false,
      }),
    ),
  partitions: z
    .int()
    .min(0)
    .max(32_767)
    .default(0)
    .meta(
      field({
        title: 'Space partitions',
        description: 'Also split a hypertable by device into so many parts; 0: by time only.',
      }),
    ),
  replicationFactor: z
    .int()
    .min(0)
    .max(32_767)
    .default(0)
    .meta(
      field({
        title: 'Replication factor',
        description:
          'From 1: a distributed hypertable with so many copies. TimescaleDB 2.14 and later no longer have them. 0: none.',
      }),
    ),
  useJsonbTags: no(
    'Tags as JSON',
    'Keep the tags of a device in one JSONB column instead of one column each.',
  ),
  inTablePartitionTag: no(
    'Device name in every row',
    'Repeat the first tag (hostname) in every row as text, beside the number of the device.',
  ),
  partitionIndex: yes('Index on device and time', 'Index on (device, time descending).'),
  timeIndex: yes(
    'Index on time',
    'Index on (time descending); left out where there is one on time and device.',
  ),
  timePartitionIndex: no('Index on time and device', 'Index on (time descending, device).'),
  fieldIndex: z
    .string()
    .regex(
      new RegExp(`^((${fieldIndexKinds.join('|')})(,(${fieldIndexKinds.join('|')}))*)?$`),
      'VALUE-TIME, TIME-VALUE, or both with a comma between',
    )
    .default('VALUE-TIME')
    .meta(
      field({
        title: 'Kind of field indexes',
        description:
          'VALUE-TIME: (field, time descending); TIME-VALUE: the other way round; or both with a comma between.',
      }),
    ),
  fieldIndexCount: z
    .int()
    .min(-1)
    .default(0)
    .meta(
      field({
        title: 'Fields with an index',
        description:
          'How many of the first fields get an index of their own; −1: all. Each one makes loading slower.',
      }),
    ),
  createMetricsTable: yes(
    'Create the tables',
    'Off: the tables are there or another client makes them; they are waited for up to a minute.',
  ),
  forceTextFormat: no('Text COPY (TSBS)', 'TSBS’s name for the write mode “COPY, text”.'),
  useInsert: no('INSERT (TSBS)', 'TSBS’s name for the write mode “INSERT, many rows each”.'),
});
export type LoadOptions = z.infer<typeof loadOptionsSchema>;

/**
 * The one write mode of the three options that can name it. TSBS's two flags keep TSBS's order (text before INSERT).
 * @throws AppError `bad-input` where they contradict `writeMode`
 */
export function writeModeOf(options: LoadOptions): WriteMode {
  const flag = options.forceTextFormat ? 'text' : options.useInsert ? 'insert' : null;
  if (flag === null || flag === options.writeMode) return options.writeMode;
  if (options.writeMode === 'binary') return flag;
  throw new AppError({
    code: 'bad-input',
    message: `The write mode is ${options.writeMode}, but ${flag === 'text' ? 'forceTextFormat' : 'useInsert'} asks for ${flag}`,
    place: { field: 'writeMode' },
    hint: 'Leave one of the two out.',
  });
}

/** Kinds of field indexes, in TSBS's order. */
export function fieldIndexesOf(options: LoadOptions): (typeof fieldIndexKinds)[number][] {
  return fieldIndexKinds.filter((kind) => options.fieldIndex.split(',').includes(kind));
}
