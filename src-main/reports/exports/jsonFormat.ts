import { type RunFile, runFileFormat } from '../../../src-shared/model/runFile.ts';
import type { ExportFormat } from './format.ts';

/** Everything that is kept of runs: what is imported from it is the same again. */
export const jsonFormat: ExportFormat = {
  id: 'json',
  label: 'JSON, everything',
  description: 'All that is kept of the run, second by second, to be imported into another workbench',
  extension: 'json',
  mediaType: 'application/json',
  most: 50, // an hour is some 20 MB
  write(records) {
    const file: RunFile = {
      format: runFileFormat,
      version: 1,
      runs: records.map(({ run: { archived, ...run }, series, histograms }) => ({
        run, // whether it is archived is a matter of this workbench's list
        series,
        histograms: [...histograms()],
      })),
    };
    return `${JSON.stringify(file)}\n`;
  },
};
