import { z } from 'zod';
import { errorDataSchema } from './run.ts';

/** What a data file seems to be, by its first rows. */
export const dataFileSchema = z.object({
  format: z.enum(['timescaledb', 'influx']),
  compression: z.enum(['none', 'gzip', 'zstd']),
  /** Of the file as it lies on the disk. */
  bytes: z.number().nonnegative(),
  /** TSBS's use case whose tables it has; null for none of them. */
  useCase: z.string().nullable(),
  /** With the number of their fields. */
  tables: z.array(z.object({ name: z.string(), fields: z.int().nonnegative() })),
  /** Hosts or trucks among the first rows; `atLeast`: there may be more. */
  devices: z.object({ count: z.int().nonnegative(), atLeast: z.boolean() }),
  /** Counted where the file is short, else estimated by its size. */
  rows: z.object({ count: z.int().nonnegative(), exact: z.boolean() }),
  /** Time of the first row; null without one. */
  firstTime: z.string().nullable(),
  /** What is wrong among the first rows. */
  flaw: errorDataSchema.nullable(),
});
export type DataFile = z.infer<typeof dataFileSchema>;
