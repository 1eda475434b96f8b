import { AppError } from '../../src-shared/errors.ts';
import type {
  Initialization,
  InitializationSpec,
  TransactionSource,
  TransactionSourceSpec,
} from './transactions.ts';
import type {
  QuerySource,
  QuerySourceSpec,
  RowShare,
  RowSource,
  RowSourceSpec,
  RowSurvey,
  SurveyOptions,
  Workload,
} from './workload.ts';

/** What a specification names, opened: each of these is only there in workloads with such a phase. */

type Find = (id: string) => Workload;

export function openRows(find: Find, source: RowSourceSpec, share?: RowShare): RowSource {
  return part(find, source, 'openRows')(source, share);
}

/** What is known of rows before they are loaded. @throws AppError of `Workload.surveyRows` */
export async function surveyRows(
  find: Find,
  source: RowSourceSpec,
  options: SurveyOptions,
): Promise<RowSurvey> {
  const read = await find(source.workload).surveyRows?.(source, options);
  if (read) return read;
  const { dataset, totalRows, estimated } = openRows(find, source);
  return { dataset, totalRows, ...(estimated && { estimated }), source, flaw: null, reading: null };
}

export function openQueries(find: Find, source: QuerySourceSpec, dialect: string): QuerySource {
  return part(find, source, 'openQueries')(source, dialect);
}

export function openInitialization(find: Find, source: InitializationSpec): Initialization {
  return part(find, source, 'openInitialization')(source);
}

export function openTransactions(find: Find, source: TransactionSourceSpec): TransactionSource {
  return part(find, source, 'openTransactions')(source);
}

function part<K extends 'openRows' | 'openQueries' | 'openInitialization' | 'openTransactions'>(
  find: Find,
  source: { workload: string },
  name: K,
): NonNullable<Workload[K]> {
  const opened = find(source.workload)[name];
  if (opened !== undefined) return opened;
  throw new AppError({ code: 'internal', message: `The workload ${source.workload} has no ${name}` });
}
