import type { QuerySourceSpec, RowShare, RowSourceSpec, SurveyOptions, Workload } from '../workload.ts';
import { tsbsCommandLines } from './interop/readLine.ts';
import { fileStep } from './load/fileStep.ts';
import { loadStep } from './load/loadStep.ts';
import { openTsbsRows } from './openRows.ts';
import { TsbsQueries } from './queries/openQueries.ts';
import { queriesStep } from './queries/queriesStep.ts';
import { FileRows, fileSchema } from './reading/fileRows.ts';
import { surveyFile } from './reading/survey.ts';

/** The Time Series Benchmark Suite, its data and its queries the same to the bit. */
export const tsbs = {
  id: 'tsbs',
  label: 'TSBS',
  description:
    'Time Series Benchmark Suite: loads simulated measurements of many servers and asks what dashboards ask.',
  steps: [loadStep, queriesStep, fileStep],
  commandLine: tsbsCommandLines,
  openRows: (source: RowSourceSpec, share?: RowShare) =>
    isFile(source) ? new FileRows(fileSchema.parse(source.parameters), share) : openTsbsRows(source, share),
  surveyRows: async (source: RowSourceSpec, options: SurveyOptions) =>
    isFile(source) ? surveyFile(fileSchema.parse(source.parameters), options) : null,
  openQueries: (source: QuerySourceSpec, dialect: string) => new TsbsQueries(source, dialect),
} satisfies Workload;

function isFile(source: RowSourceSpec): boolean {
  return 'file' in source.parameters;
}
