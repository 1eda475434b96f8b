import { AppError } from '../../../src-shared/errors.ts';
import { nearest } from '../../../src-shared/nearest.ts';
import { csvFormat } from './csvFormat.ts';
import { dialectFormats } from './dialectFormats.ts';
import type { ExportFormat } from './format.ts';
import { hdrFormats } from './hdrFormats.ts';
import { htmlFormat } from './htmlFormat.ts';
import { jsonFormat } from './jsonFormat.ts';
import { markdownFormat } from './markdownFormat.ts';
import { planFormat } from './planFormat.ts';
import { referenceFormat } from './referenceFormat.ts';
import { tsbsFormats } from './tsbsFormats.ts';

/** Every format that runs are exported in, in the order in which they are offered. A new one is a line here. */
export const exportFormats: readonly ExportFormat[] = [
  htmlFormat,
  markdownFormat,
  jsonFormat,
  csvFormat,
  ...hdrFormats,
  planFormat,
  referenceFormat,
  ...dialectFormats,
  ...tsbsFormats,
];

/** @throws AppError `not-found` with the nearest name */
export function findExportFormat(id: string): ExportFormat {
  const format = exportFormats.find((candidate) => candidate.id === id);
  if (format) return format;
  const known = exportFormats.map((candidate) => candidate.id);
  const near = nearest(id, known);
  throw new AppError({
    code: 'not-found',
    message: `There is no export format ${JSON.stringify(id)}`,
    hint: near === null ? `Known: ${known.join(', ')}.` : `Did you mean ${near}?`,
  });
}
