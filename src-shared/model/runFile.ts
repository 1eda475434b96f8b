import { z } from 'zod';
import { runSchema } from './run.ts';
import { timeAxisSchema } from './timeAxis.ts';

/** Latencies of one interval, V2 compressed base64, µs. */
const recordedHistogramSchema = z.object({
  phase: z.int().nonnegative(),
  /** Of the tick. */
  seq: z.int().nonnegative(),
  operation: z.string(),
  latency: z.string().nullable(),
  /** From the actual start; only where a rate is set. */
  service: z.string().nullable(),
});
export type RecordedHistogram = z.infer<typeof recordedHistogramSchema>;

export const runFileFormat = 'benchberry-runs';

/**
 * Runs in full, as `export --format json` writes them and `import` reads them. Version 1 is the only one there is; a later one
 * is read by the version that writes it, and by all that come after.
 */
export const runFileSchema = z.object({
  format: z.literal(runFileFormat),
  version: z.literal(1),
  runs: z
    .array(
      z.object({
        run: runSchema,
        series: timeAxisSchema,
        histograms: z.array(recordedHistogramSchema),
      }),
    )
    .min(1),
});
export type RunFile = z.infer<typeof runFileSchema>;
