import { z } from 'zod';
import { isActive, runSchema } from './run.ts';
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
      z
        .object({
          run: runSchema,
          series: timeAxisSchema,
          histograms: z.array(recordedHistogramSchema),
        })
        // Ids name folders and rows: what a file has of its own must not reach for those of another run.
        .refine(({ run }) => /^[\w-]{1,100}$/.test(run.id), 'The id of a run is of letters, digits and -')
        .refine(({ run }) => !isActive(run.status), 'A run that is on cannot be imported')
        .refine(
          ({ run, series }) => [...series.ticks, ...series.events].every(({ runId }) => runId === run.id),
          'The seconds of a run carry the id of another',
        ),
    )
    .min(1),
});
export type RunFile = z.infer<typeof runFileSchema>;
