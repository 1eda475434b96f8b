import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import {
  type Reference,
  referenceFileFormat,
  referenceFileSchema,
} from '../../../src-shared/model/reference.ts';
import { type RunFile, runFileFormat, runFileSchema } from '../../../src-shared/model/runFile.ts';
import { checkHistograms } from './checkHistograms.ts';
import { isPgbenchReport, readPgbenchReports } from './pgbenchReport.ts';
import type { ReadReport } from './report.ts';
import { isSysbenchReport, readSysbenchReport } from './sysbenchReport.ts';
import { isTsbsResults, readTsbsResults } from './tsbsResults.ts';

/** What a text that is to be imported holds. */
export type Imported =
  | { kind: 'runs'; runs: RunFile['runs'] }
  | { kind: 'reports'; reports: ReadReport[] }
  | { kind: 'references'; references: Reference[] };

/**
 * Finds out what a text is, and reads it: runs exported as JSON, a file of references, TSBS's results, a report of pgbench or of
 * sysbench.
 * @throws AppError `bad-input` that says what it is not, or what is wrong with it
 */
export function readImport(text: string, file: string | null): Imported {
  try {
    return read(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof AppError) || file === null) throw error;
    const { place, ...data } = error.toData();
    throw new AppError({ ...data, place: { ...place, file } }, { cause: error });
  }
}

/** Whether a text looks like something that holds runs, rather than a command line or a plan. */
export const holdsRuns = (text: string) => isJson(text) || isPgbenchReport(text) || isSysbenchReport(text);

const isJson = (text: string) => /^\uFEFF?\s*[{[]/.test(text);

function read(text: string): Imported {
  if (isJson(text)) return readJson(text);
  if (isPgbenchReport(text)) return { kind: 'reports', reports: readPgbenchReports(text) };
  if (isSysbenchReport(text)) return { kind: 'reports', reports: [readSysbenchReport(text)] };
  throw new AppError({
    code: 'bad-input',
    message: text.trim() === '' ? 'There is nothing to import' : 'This is nothing that can be imported',
    detail:
      'It is neither JSON, nor has it a line “transaction type” as a report of pgbench has, nor “SQL statistics” as one of sysbench',
    hint: importable,
  });
}

const importable =
  'Runs exported as JSON, a file of references, the results file of TSBS, and what pgbench or sysbench prints at the end can be imported.';

const markSchema = z.object({ format: z.string(), version: z.unknown() });

function readJson(text: string): Imported {
  const value = parseJson(text);
  const mark = markSchema.safeParse(value);
  if (mark.success && mark.data.format === runFileFormat) {
    refuseOther(mark.data.version, 'runs');
    const { runs } = parsed(runFileSchema, value, 'exported runs');
    checkHistograms(runs);
    return { kind: 'runs', runs };
  }
  if (mark.success && mark.data.format === referenceFileFormat) {
    refuseOther(mark.data.version, 'references');
    return {
      kind: 'references',
      references: parsed(referenceFileSchema, value, 'references').references,
    };
  }
  if (isTsbsResults(value)) return { kind: 'reports', reports: [readTsbsResults(value)] };
  throw new AppError({
    code: 'bad-input',
    message: 'This JSON is nothing that can be imported',
    detail: `It has neither a “format” of Benchberry's nor “ResultFormatVersion” and “Totals” as the results of TSBS`,
    hint: importable,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError({
      code: 'bad-input',
      message: 'This looks like JSON and is not: it cannot be read to its end',
      detail: error instanceof Error ? error.message : String(error),
      hint: 'The file may have been cut: export or copy it again.',
    });
  }
}

function refuseOther(version: unknown, what: string): void {
  if (version === 1) return;
  throw new AppError({
    code: 'bad-input',
    message: `This file of ${what} has version ${JSON.stringify(version)}; this Benchberry reads version 1`,
    hint: 'Import it into the version of Benchberry that wrote it, or a later one.',
  });
}

function parsed<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new AppError({
    code: 'bad-input',
    message: `This file of ${what} cannot be read`,
    place: { field: issue?.path.map(String).join('.') },
    detail: issue?.message,
    hint: 'It was changed or cut: take the file as it was written.',
  });
}
