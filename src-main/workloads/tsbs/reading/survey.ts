import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cancelled } from '../../../../src-shared/errors.ts';
import type { DataFile } from '../../../../src-shared/model/dataFile.ts';
import { formatBytes } from '../../../../src-shared/units.ts';
import { formatTimestamp } from '../../timestamp.ts';
import type { RowSurvey, SurveyOptions } from '../../workload.ts';
import { datasetOf } from './catalogue.ts';
import type { FileSpec } from './fileRows.ts';
import { findUseCase } from './known.ts';
import { RowFile } from './rowFile.ts';

/**
 * Looks through a data file, since its devices are made before its rows are loaded.
 * @throws AppError where there is not one good row, or the file cannot be read; `cancelled`
 */
export async function surveyFile(spec: FileSpec, options: SurveyOptions): Promise<RowSurvey> {
  const { signal, tell, atMost = Number.POSITIVE_INFINITY } = options;
  const file = new RowFile(spec.file, spec.anyOrder);
  const name = path.basename(spec.file);
  const wanted = Math.min(atMost, spec.limit || Number.POSITIVE_INFINITY);
  try {
    await lookThrough(file, wanted, signal, () =>
      tell?.(`Looking through ${name}`, `${formatBytes(file.consumed)} of ${formatBytes(file.size)}`),
    );
    if (file.flaw !== null && file.rows === 0) throw file.flaw;
    const catalogue = file.catalogue.data();
    const dataset = datasetOf(catalogue);
    const part = file.rows === wanted && wanted === atMost;
    return {
      dataset,
      totalRows: part ? estimatedRows(file) : file.rows,
      ...(part && { estimated: true }),
      source: {
        workload: 'tsbs',
        parameters: { ...spec, contents: { catalogue, rows: file.rows } },
      },
      flaw: file.flaw,
      reading: { name, bytes: file.size },
    };
  } finally {
    file.close();
  }
}

const inspectedRows = 2000;

/** What a data file seems to be, by its first rows. @throws AppError as `surveyFile` */
export async function inspectFile(path: string, signal: AbortSignal): Promise<DataFile> {
  const file = new RowFile(path, true);
  try {
    let first: bigint | null = null;
    await lookThrough(
      file,
      inspectedRows,
      signal,
      () => undefined,
      () => {
        first ??= BigInt(file.reader.ms) * 1_000_000n + BigInt(file.reader.nanos);
      },
    );
    if (file.flaw !== null && file.rows === 0) throw file.flaw;
    const catalogue = file.catalogue.data();
    const whole = file.rows < inspectedRows;
    return {
      format: file.reader.format,
      compression: file.compression,
      bytes: file.size,
      useCase: findUseCase(catalogue.tables.map(({ name, fields }) => ({ name, fields }))),
      tables: catalogue.tables.map(({ name, fields }) => ({ name, fields: fields.length })),
      devices: { count: catalogue.devices.length, atLeast: !whole },
      rows: { count: whole ? file.rows : estimatedRows(file), exact: whole },
      firstTime: first === null ? null : formatTimestamp(first),
      flaw: file.flaw === null ? null : file.flaw.toData(),
    };
  } finally {
    file.close();
  }
}

async function lookThrough(
  file: RowFile,
  rows: number,
  signal: AbortSignal,
  afterBlock: () => void,
  afterRow: () => void = () => undefined,
): Promise<void> {
  while (file.rows < rows && (await file.more())) {
    if (signal.aborted) throw cancelled();
    while (file.rows < rows && file.next()) afterRow();
    afterBlock();
    await nextTurn();
  }
}

/** From how many rows there were in the text up to there, and how much of the file that text was. */
function estimatedRows(file: RowFile): number {
  const text = (file.unpackedBytes / Math.max(1, file.consumed)) * file.size;
  return Number(((text / Math.max(1, file.textBytes)) * file.rows).toPrecision(3));
}
