import { z } from 'zod';
import { addBuckets, noBuckets } from '../../../src-shared/stats/logBuckets.ts';
import type { Dialect } from '../dialect.ts';
import { createIntervalLines } from './interval.ts';
import { finalReport, histogramLines } from './report.ts';

/** What the lines need of `sysbench.run`, whose parameters have their defaults filled in. */
const runSchema = z.object({
  threads: z.number(),
  rate: z.number(),
  reportInterval: z.number(),
  percentile: z.number(),
  histogram: z.boolean(),
});

/** A run in the words of sysbench 1.0.20. */
export const sysbenchRun: Dialect = {
  head({ parameters, plannedParameters, toolVersion }) {
    const { threads, rate, reportInterval } = runSchema.parse(parameters);
    const seed = plannedParameters.randSeed ?? 0;
    return [
      ...banner(toolVersion),
      'Running the test with following options:',
      `Number of threads: ${threads}`,
      ...(rate > 0 ? [`Target transaction rate: ${rate}/sec`] : []),
      ...(reportInterval > 0 ? [`Report intermediate results every ${reportInterval} second(s)`] : []),
      `Initializing random number generator from ${seed === 0 ? 'current time' : `seed (${String(seed)}).`}`,
      '',
      '',
      'Initializing worker threads...',
      '',
      'Threads started!',
      '',
    ];
  },
  progress({ parameters }) {
    const { rate, reportInterval, percentile } = runSchema.parse(parameters);
    return createIntervalLines(reportInterval, percentile, rate > 0);
  },
  end({ parameters }, phase, ticks) {
    const { percentile, histogram } = runSchema.parse(parameters);
    const buckets = addBuckets(ticks.map((tick) => tick.transactions?.buckets ?? noBuckets));
    return [...(histogram ? histogramLines(buckets) : []), ...finalReport(phase, buckets, percentile)];
  },
};

const prepareSchema = z.object({
  tables: z.number(),
  tableSize: z.number().optional(),
  createSecondary: z.boolean().optional(),
  sysbenchVersion: z.string(),
});

function tableNames({ tables, sysbenchVersion }: z.infer<typeof prepareSchema>): string[] {
  return Array.from({ length: tables }, (_, i) => (sysbenchVersion === '0.4' ? 'sbtest' : `sbtest${i + 1}`));
}

/** sysbench tells each part as it begins it; how long it took it does not tell. */
export const sysbenchPrepare: Dialect = {
  head({ parameters, toolVersion }) {
    const own = prepareSchema.parse(parameters);
    const lines = tableNames(own).flatMap((table) => [
      `Creating table '${table}'...`,
      ...(own.tableSize ? [`Inserting ${own.tableSize} records into '${table}'`] : []),
      ...(own.createSecondary ? [`Creating a secondary index on '${table}'...`] : []),
    ]);
    return [...banner(toolVersion), ...lines];
  },
  progress: () => () => [],
  end: () => [],
};

export const sysbenchCleanup: Dialect = {
  head: ({ parameters, toolVersion }) => [
    ...banner(toolVersion),
    ...tableNames(prepareSchema.parse(parameters)).map((table) => `Dropping table '${table}'...`),
  ],
  progress: () => () => [],
  end: () => [],
};

function banner(toolVersion: string): string[] {
  return [`sysbench 1.0.20 (as measured by Benchberry ${toolVersion})`, ''];
}
