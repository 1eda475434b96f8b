import type { QuerySourceSpec, Workload } from '../workload.ts';
import { tsbsCommandLines } from './interop/readLine.ts';
import { loadStep } from './load/loadStep.ts';
import { openTsbsRows } from './openRows.ts';
import { TsbsQueries } from './queries/openQueries.ts';
import { queriesStep } from './queries/queriesStep.ts';

/** The Time Series Benchmark Suite, its data and its queries the same to the bit. */
export const tsbs = {
  id: 'tsbs',
  label: 'TSBS',
  description:
    'Time Series Benchmark Suite: loads simulated measurements of many servers and asks what dashboards ask.',
  steps: [loadStep, queriesStep],
  commandLine: tsbsCommandLines,
  openRows: openTsbsRows,
  openQueries: (source: QuerySourceSpec, dialect: string) => new TsbsQueries(source, dialect),
} satisfies Workload;
