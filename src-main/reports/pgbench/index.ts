import { z } from 'zod';
import type { Dialect } from '../dialect.ts';
import { createInitLines, initEnd } from './initialization.ts';
import { createProgressLines } from './progress.ts';
import { finalReport } from './report.ts';

/** What the lines need of `pgbench.run`, whose parameters have their defaults filled in. */
const runSchema = z.object({
  clients: z.number(),
  protocol: z.string(),
  seconds: z.number().optional(),
  transactions: z.number().optional(),
  progress: z.number(),
  progressTimestamp: z.boolean(),
  rate: z.number(),
  latencyLimit: z.number(),
  connect: z.boolean(),
  maxTries: z.number(),
  reportPerCommand: z.boolean(),
  failuresDetailed: z.boolean(),
  continueOnError: z.boolean(),
  noVacuum: z.boolean(),
  vacuumAll: z.boolean(),
  scripts: z.array(z.object({ weight: z.number() })),
});

/** A run in the words of pgbench 15. */
export const pgbenchRun: Dialect = {
  head({ parameters, toolVersion }) {
    const { noVacuum, vacuumAll } = runSchema.parse(parameters);
    return [
      `pgbench (15, as measured by Benchberry ${toolVersion})`,
      ...(noVacuum ? [] : ['starting vacuum...end.']),
      ...(vacuumAll && !noVacuum ? ['starting vacuum pgbench_accounts...end.'] : []),
    ];
  },
  progress({ parameters, startedAt }) {
    const begun = Date.parse(startedAt);
    return createProgressLines(runSchema.parse(parameters), (tick) => begun + tick.atMs);
  },
  end: ({ parameters }, phase) => finalReport(runSchema.parse(parameters), phase),
};

const initSchema = z.object({ scale: z.number(), partitions: z.number(), quiet: z.boolean() });

export const pgbenchInit: Dialect = {
  head: () => [],
  progress: ({ parameters }) => createInitLines(initSchema.parse(parameters)),
  end: ({ parameters }, phase, ticks) => initEnd(initSchema.parse(parameters), phase, ticks),
};
