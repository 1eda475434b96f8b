import { z } from 'zod';

/**
 * Figures that something else than this workbench has printed: another program's report, an article. What is not printed is
 * null, never a guess; a file may leave it out. `Phase` has all that `PrintedPhase` has, so that what reads one reads both.
 */

const figure = z.number().nonnegative().nullable().default(null);
const count = z.int().nonnegative().nullable().default(null);
const text = z.string().nullable().default(null);

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
  latencyUs: printedLatencySchema.nullable().default(null),
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
  operations: z.array(printedOperationSchema).default([]),
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
    /** Of the article, or of the run where the report tells it: a year, a month `2021-05` or a day `2021-05-24`. */
    date: z
      .string()
      .regex(/^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/)
      .nullable()
      .default(null),
    url: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null),
    /** The program that printed it, with its version where that is told. */
    program: text,
  }),
  /** The machine of the database; null where it is not told. */
  hardware: text,
  /** Product and version of the database; null where it is not told. */
  server: text,
  /** Where the loader ran; null where it is not told. */
  loader: text,
  phases: z.array(printedPhaseSchema),
  /** Figures over time. Points are seconds since the phase's start, and the value of the interval that ends there. */
  series: z
    .array(
      z.object({
        phase: z.string(),
        label: z.string(),
        unit: z.string(),
        points: z.array(z.tuple([z.number().nonnegative(), z.number()])),
      }),
    )
    .default([]),
  /** What else is told, in words: settings, observations. */
  facts: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  /** What one would want to know and is not told. */
  missing: z.array(z.string()).default([]),
});
export type Printed = z.infer<typeof printedSchema>;

/** The figures of a run's phases, measured here or printed elsewhere. */
export function knownPhases<P extends PrintedPhase>(run: {
  phases: readonly P[];
  printed?: Printed;
}): readonly PrintedPhase[] {
  return run.printed?.phases ?? run.phases;
}
