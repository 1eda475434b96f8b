import { type ExportFormat, onlyRecord } from './format.ts';

/** The plan alone: what the terminal runs and another workbench imports. */
export const planFormat: ExportFormat = {
  id: 'plan',
  label: 'Plan (YAML)',
  description: 'The plan of the run, to run it again elsewhere',
  extension: 'yaml',
  mediaType: 'application/yaml',
  most: 1,
  write: (records, { planText }) => planText(onlyRecord(records).run.plan),
};
