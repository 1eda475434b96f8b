import { z } from 'zod';
import { healthSampleSchema } from './host.ts';
import { runEventSchema } from './run.ts';
import { serverSampleSchema, serverWatchSchema } from './telemetry.ts';
import { tickSchema } from './tick.ts';

/** Everything that lies on a run's time axis. */
export const timeAxisSchema = z.object({
  ticks: z.array(tickSchema),
  events: z.array(runEventSchema),
  /** Of the run's host; empty without one. A gap in time is one in what is known. */
  health: z.array(healthSampleSchema),
  /** What the database server did meanwhile; empty where it does not tell or was not asked. */
  server: z.array(serverSampleSchema),
  serverWatch: serverWatchSchema.nullable(),
});
export type TimeAxis = z.infer<typeof timeAxisSchema>;
