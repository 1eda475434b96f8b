import { z } from 'zod';

/**
 * Figures that something else than this workbench has printed: another program's report, an article. What is not printed is
 * null, never a guess. `Phase` has all that `PrintedPhase` has, so that what reads one reads both.
 */

const figure = z.number().nonnegative().nullable();
const count = z.int().nonnegative().nullable();

/** Latencies in µs. */
const printedLatencySchema = z.object({
  min: figure,
  mean: figure,
  p50: figure,
  p90: figure,
  p95: figure,
  p99: figure,
  p999: figure,
  max: figure,
  /** Population standard deviation. */
  stddev: figure,
});
export type PrintedLatency = z.infer<typeof printedLatencySchema>;

const printedOperationSchema = z.object({
  name: z.string(),
  count,
  errors: count,
  perSecond: figure,
  seconds: figure,
  latencyUs: printedLatencySchema.nullable(),
});
export type PrintedOperation = z.infer<typeof printedOperationSchema>;

const printedPhaseSchema = z.object({
  /** The step's id, with a number where it is there twice, as phases are named. */
  name: z.string(),
  kind: z.enum(['load', 'queries', 'initialize', 'transactions']),
  workers: count,
  rows: count,
  metrics: count,
  seconds: figure,
  rowsPerSecond: figure,
  metricsPerSecond: figure,
  operations: z.array(printedOperationSchema),
  /** Only of transactions. */
  transactions: z
    .object({ tps: figure, failed: figure, retried: figure, retries: figure, skipped: figure, late: figure })
    .optional(),
});
export type PrintedPhase = z.infer<typeof printedPhaseSchema>;

/** A run whose figures were printed elsewhere: where, of what, and what was not told. */
export const printedSchema = z.object({
  source: z.object({
    /** The article's title, or the report's first words. */
    title: z.string(),
    /** Day of the article, or of the run where the report tells it. */
    date: z.iso.date().nullable(),
    url: z.url({ protocol: /^https?$/ }).nullable(),
    /** The program that printed it, with its version where that is told. */
    program: z.string().nullable(),
  }),
  /** The machine of the database; null where it is not told. */
  hardware: z.string().nullable(),
  /** Product and version of the database; null where it is not told. */
  server: z.string().nullable(),
  /** Where the loader ran; null where it is not told. */
  loader: z.string().nullable(),
  phases: z.array(printedPhaseSchema),
  /** Figures over time. Points are seconds since the phase's start, and the value of the interval that ends there. */
  series: z.array(
    z.object({
      phase: z.string(),
      label: z.string(),
      unit: z.string(),
      points: z.array(z.tuple([z.number().nonnegative(), z.number()])),
    }),
  ),
  /** What else is told, in words: settings, observations. */
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
  /** What one would want to know and is not told. */
  missing: z.array(z.string()),
});
export type Printed = z.infer<typeof printedSchema>;

/** The figures of a run's phases, measured here or printed elsewhere. */
export function knownPhases<P extends PrintedPhase>(run: {
  phases: readonly P[];
  printed?: Printed;
}): readonly PrintedPhase[] {
  return run.printed?.phases ?? run.phases;
}
