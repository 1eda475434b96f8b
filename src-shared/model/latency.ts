import { z } from 'zod';

/**
 * What is shown of one latency histogram, microseconds throughout. Made from an HDR histogram by one function in
 * `src-main/load`, never by averaging other summaries.
 */
export const latencySchema = z.object({
  count: z.int().nonnegative(),
  min: z.number(),
  mean: z.number(),
  p50: z.number(),
  p90: z.number(),
  p95: z.number(),
  p99: z.number(),
  p999: z.number(),
  max: z.number(),
  /** Population standard deviation. */
  stddev: z.number(),
  /** Exact running sum of the recorded values. */
  sum: z.number(),
});
export type Latency = z.infer<typeof latencySchema>;
