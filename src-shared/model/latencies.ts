import { z } from 'zod';

/**
 * The cells in use of an HDR histogram, ascending: the upper end of each, µs, and how many values it has. Histograms of
 * Benchberry have the same cells, so several are merged by adding up equal ends.
 */
export const latencyCellsSchema = z.object({
  us: z.array(z.number().positive()),
  counts: z.array(z.int().positive()),
});
export type LatencyCells = z.infer<typeof latencyCellsSchema>;

/** Bands of a heat map: ten to a factor of ten, so that each is 26 % higher than the one below. */
export const heatBandsPerDecade = 10;

/** How often latencies of each band were measured in each stretch of time. */
export const latencyHeatSchema = z.object({
  /** Length of a stretch, ms. */
  stepMs: z.number().positive(),
  /** Those in which anything was measured, in the order of time. */
  columns: z.array(
    z.object({
      /** From the start of the phase, in stretches. */
      at: z.int().nonnegative(),
      /** Band b holds the latencies with ⌊10 · log₁₀ µs⌋ = b. */
      bands: z.array(z.object({ band: z.int().nonnegative(), count: z.int().positive() })),
    }),
  ),
});
export type LatencyHeat = z.infer<typeof latencyHeatSchema>;

/** The latencies of one operation of a run, from the histograms of its seconds. */
export const runLatenciesSchema = z.object({
  id: z.string(),
  /** null where no histogram of it was kept: a run that was printed elsewhere, or another phase. */
  cells: latencyCellsSchema.nullable(),
  heat: latencyHeatSchema.nullable(),
});
export type RunLatencies = z.infer<typeof runLatenciesSchema>;
