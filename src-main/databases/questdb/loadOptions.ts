import { z } from 'zod';
import { durationMs } from '../../../src-shared/duration.ts';
import { AppError } from '../../../src-shared/errors.ts';
import type { FieldMeta } from '../../../src-shared/model/form.ts';
import { resendFor } from '../http/resending.ts';

const group = 'QuestDB';
const field = (meta: FieldMeta) => ({ group, advanced: true, ...meta });

const duration = (standard: string, title: string, description: string) =>
  z
    .string()
    .regex(/^(?=\d)(\d+h)?(\d+m)?(\d+s)?$/, 'A duration such as 30s, 5m or 1h')
    .default(standard)
    .meta(field({ title, description, kind: 'duration' }));

/** What only a load into QuestDB has. */
export const loadOptionsSchema = z.object({
  ilpTransport: z
    .enum(['http', 'tcp'])
    .default('http')
    .meta(
      field({
        title: 'Rows over',
        description:
          'HTTP: each batch is answered when it is committed. TCP: as TSBS loads it; nothing is answered, so the rate is that of a socket, and only the final count tells what was stored.',
        advanced: false,
        optionLabels: { http: 'HTTP, each batch acknowledged', tcp: 'TCP, without an answer' },
      }),
    ),
  partitionBy: z
    .enum(['HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR', 'NONE'])
    .default('DAY')
    .meta(
      field({
        title: 'Partition by',
        description:
          'Time that one partition covers. DAY is what QuestDB takes by itself, as TSBS loads it. 30 to 80 million rows make a good partition.',
        advanced: false,
        optionLabels: {
          HOUR: 'Hour',
          DAY: 'Day',
          WEEK: 'Week',
          MONTH: 'Month',
          YEAR: 'Year',
          NONE: 'Not at all (no WAL)',
        },
      }),
    ),
  walTables: z
    .boolean()
    .default(true)
    .meta(
      field({
        title: 'Write-ahead log',
        description:
          'Rows go to the WAL first, several connections can write at once, and a row can be queried once its part of the WAL is applied. Off: rows go straight into the table, which QuestDB takes over TCP only.',
      }),
    ),
  deduplicate: z
    .boolean()
    .default(false)
    .meta(
      field({
        title: 'Deduplicate',
        description:
          'Rows alike in time and in all text tags become one (DEDUP UPSERT KEYS). A batch can then be sent again without a look into the table. It costs the server something.',
      }),
    ),
  symbolCapacity: z
    .int()
    .min(0)
    .max(1_073_741_824)
    .default(0)
    .meta(
      field({
        title: 'Symbol capacity',
        description:
          'How many different device names the table is laid out for. 0: the server’s own way; QuestDB before 9.0 then begins with 256 and gets slow far beyond it.',
      }),
    ),
  appendToTables: z
    .boolean()
    .default(false)
    .meta(
      field({
        title: 'Append to tables that exist',
        description:
          'The tables are there and get more rows, as TSBS’s loader for QuestDB does it. Nothing is dropped.',
      }),
    ),
  gzipRows: z
    .boolean()
    .default(false)
    .meta(
      field({
        title: 'Compress rows',
        description:
          'Send batches as gzip: about a tenth of the bytes for some CPU on both sides. Worth it on a slow network. HTTP only.',
      }),
    ),
  resendFor,
  visibleWithin: duration(
    '1m',
    'Wait for visible rows',
    'After a load: how long nothing may move before it is no longer waited until all rows can be queried.',
  ),
});
export type LoadOptions = z.infer<typeof loadOptionsSchema>;

/** What writers and the session need of the options; `Prepared.driver`, plain data. */
export const layoutSchema = z.object({
  transport: z.enum(['http', 'tcp']),
  gzip: z.boolean(),
  /** Doubles as eight bytes, which the server has said it reads; else as text. */
  binaryDoubles: z.boolean(),
  /** A batch whose answer was lost can be sent again as it is. */
  deduplicate: z.boolean(),
  /** The tables were made by this load: a row of a batch is in them only if the batch is. */
  made: z.boolean(),
  wal: z.boolean(),
  resendMs: z.int(),
  visibleMs: z.int(),
  tables: z.array(z.string()),
  /** Rows that were in tables found, not made. */
  rowsBefore: z.record(z.string(), z.int()),
});
export type Layout = z.infer<typeof layoutSchema>;

export function layoutOf(
  options: LoadOptions,
  about: Pick<Layout, 'binaryDoubles' | 'made' | 'tables' | 'rowsBefore'>,
): Layout {
  return {
    ...about,
    transport: options.ilpTransport,
    gzip: options.gzipRows,
    deduplicate: options.deduplicate,
    wal: options.walTables && options.partitionBy !== 'NONE',
    resendMs: durationMs(options.resendFor),
    visibleMs: durationMs(options.visibleWithin),
  };
}

/** @throws AppError `bad-input` where two options contradict each other */
export function checkOptions(options: LoadOptions): void {
  const { partitionBy, walTables, deduplicate, gzipRows, ilpTransport } = options;
  const wrong = (name: string, message: string, hint: string) => {
    throw new AppError({ code: 'bad-input', message, place: { field: name }, hint });
  };
  if (ilpTransport === 'http' && (partitionBy === 'NONE' || !walTables))
    wrong(
      partitionBy === 'NONE' ? 'partitionBy' : 'walTables',
      'QuestDB takes rows over HTTP only into partitioned tables with a WAL',
      'Choose partitions and keep walTables on, or set ilpTransport: tcp.',
    );
  if (deduplicate && (partitionBy === 'NONE' || !walTables))
    wrong(
      'deduplicate',
      'QuestDB deduplicates only in partitioned tables with a WAL',
      'Choose partitions and keep walTables on.',
    );
  if (gzipRows && ilpTransport === 'tcp')
    wrong('gzipRows', 'Rows over TCP cannot be compressed', 'Send rows over HTTP, or set gzipRows: false.');
}
