import { z } from 'zod';
import type { FieldMeta } from '../../../src-shared/model/form.ts';
import { resendFor } from '../http/resending.ts';

const group = 'HBase';
const field = (meta: FieldMeta) => ({ group, advanced: true, ...meta });

/** What only a load into HBase has. */
export const loadOptionsSchema = z.object({
  hbaseSchema: z
    .enum(['series', 'wide'])
    .default('series')
    .meta(
      field({
        title: 'Rows of HBase',
        description:
          'Time series: a device has a row for each stretch of time, under a salt and then the time, as time series are kept in HBase. Wide: a device has one row with a column for each value, as in the article on OpenTSDB and HBase; such a row lies in one region, however long it gets.',
        advanced: false,
        optionLabels: {
          series: 'Time series: salt, stretch of time, device',
          wide: 'Wide: one row for each device',
        },
      }),
    ),
  hbaseSalts: z
    .int()
    .min(1)
    .max(64)
    .default(8)
    .meta(
      field({
        title: 'Salts',
        description:
          'Into so many parts the devices of a table are spread by the first byte of the row key, so that rows of now do not all go into one region; a fetch by date asks each of them. Time series only.',
      }),
    ),
  hbaseStretch: z
    .enum(['10m', '1h', '6h', '1d'])
    .default('1h')
    .meta(
      field({
        title: 'Stretch of a row',
        description: 'Time that one row of a device covers. Time series only.',
        optionLabels: { '10m': '10 minutes', '1h': '1 hour', '6h': '6 hours', '1d': '1 day' },
      }),
    ),
  hbaseCompression: z
    .enum(['NONE', 'GZ', 'SNAPPY', 'LZ4', 'ZSTD'])
    .default('NONE')
    .meta(
      field({
        title: 'Compression',
        description:
          'Of the files of the tables. Only NONE and GZ are in every HBase; the server refuses what it does not have.',
        optionLabels: { NONE: 'None', GZ: 'gzip', SNAPPY: 'Snappy', LZ4: 'LZ4', ZSTD: 'Zstandard' },
      }),
    ),
  hbaseEncoding: z
    .enum(['NONE', 'PREFIX', 'DIFF', 'FAST_DIFF'])
    .default('FAST_DIFF')
    .meta(
      field({
        title: 'Block encoding',
        description:
          'How keys are written in blocks: each value has its whole key, and all but NONE leave out what is as in the one before.',
        optionLabels: { NONE: 'None', PREFIX: 'Prefix', DIFF: 'Diff', FAST_DIFF: 'Fast diff' },
      }),
    ),
  hbaseBloomFilter: z
    .enum(['ROW', 'ROWCOL', 'NONE'])
    .default('ROW')
    .meta(
      field({
        title: 'Bloom filter',
        description: 'What files say beforehand that they do not have. ROW is HBase’s own.',
        optionLabels: { ROW: 'Of rows', ROWCOL: 'Of rows and columns', NONE: 'None' },
      }),
    ),
  hbaseDurability: z
    .enum(['USE_DEFAULT', 'SKIP_WAL', 'ASYNC_WAL', 'SYNC_WAL', 'FSYNC_WAL'])
    .default('USE_DEFAULT')
    .meta(
      field({
        title: 'Durability',
        description:
          'What is done before a batch is acknowledged. On a local file system, as in standalone mode, nothing is synced either way.',
        optionLabels: {
          USE_DEFAULT: 'The server’s own: WAL, synced',
          SKIP_WAL: 'No WAL: lost when the server ends without a flush',
          ASYNC_WAL: 'WAL, written later',
          SYNC_WAL: 'WAL, handed to the file system',
          FSYNC_WAL: 'WAL, forced to the disk',
        },
      }),
    ),
  hbaseSplitAt: z
    .int()
    .min(0)
    .max(1_048_576)
    .default(0)
    .meta(
      field({
        title: 'Split regions at',
        description:
          'A region of this size becomes two. 0: the server’s own way. The REST gateway makes tables of one region.',
        unit: 'MiB',
      }),
    ),
  resendFor,
});
export type LoadOptions = z.infer<typeof loadOptionsSchema>;

const stretchMs: Record<LoadOptions['hbaseStretch'], number> = {
  '10m': 600_000,
  '1h': 3_600_000,
  '6h': 21_600_000,
  '1d': 86_400_000,
};

/** How rows lie in a table: kept with the table, so that whoever reads it can know. */
export const layoutSchema = z.object({
  schema: z.enum(['series', 'wide']),
  /** First byte of a key, from 0 to one below; 0 for wide rows. */
  salts: z.int().min(0).max(64),
  /** Milliseconds that a row covers; 0 for wide rows. */
  stretchMs: z.int().min(0),
  fields: z.array(z.object({ name: z.string(), type: z.enum(['integer', 'double']) })),
});
export type Layout = z.infer<typeof layoutSchema>;
export type Shape = Omit<Layout, 'fields'>;

export function shapeOf(options: LoadOptions): Shape {
  const { hbaseSchema: schema, hbaseSalts: salts, hbaseStretch } = options;
  return schema === 'wide'
    ? { schema, salts: 0, stretchMs: 0 }
    : { schema, salts, stretchMs: stretchMs[hbaseStretch] };
}

/** `Prepared.driver`: what writers and the session need. */
export const preparedSchema = z.object({
  shape: layoutSchema.omit({ fields: true }),
  resendMs: z.int(),
  /** With their namespace. */
  tables: z.array(z.string()),
});
