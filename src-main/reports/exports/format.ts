import type { Comparison } from '../../../src-shared/model/comparison.ts';
import type { Plan } from '../../../src-shared/model/plan.ts';
import type { Run } from '../../../src-shared/model/run.ts';
import type { RecordedHistogram } from '../../../src-shared/model/runFile.ts';
import type { TimeAxis } from '../../../src-shared/model/timeAxis.ts';

/** A run with all that is kept of it. */
export interface RunRecord {
  run: Run;
  series: TimeAxis;
  /** Read only by the formats that need them: they are the larger part of a run. In the order of phase, time, operation. */
  histograms(): readonly RecordedHistogram[];
}

/** What formats need beside the runs. */
export interface ExportTools {
  toolVersion: string;
  /** Of several sides where the format compares them; null where it does not, or of one side. */
  comparison: Comparison | null;
  /** Only this operation is wanted; null: all of them. Heeded by what writes latencies down. */
  operation: string | null;
  /** A plan as the text of its file. */
  planText(plan: Plan): string;
  /** What TSBS calls a query type on such a server (`ServerDescription.dialect`); null for one that it does not have. */
  queryLabel(type: string, dialect: string): string | null;
}

/** Runs in one comparison: eight sides, each repeated. */
export const mostCompared = 400;

/** A way to write runs down. Names and paths of this machine are taken out before a format sees a run. */
export interface ExportFormat {
  /** Of `--format`. */
  id: string;
  label: string;
  description: string;
  /** Of the file, without a dot. */
  extension: string;
  mediaType: string;
  /** How many runs one file may hold. */
  most: number;
  /** Several sides in it are compared with each other. */
  compares?: true;
  /** Only of runs that have steps of this workload. */
  workload?: string;
  /**
   * @param records 1 to `most`; the first is the base of a comparison
   * @throws AppError `unsupported` where a run has nothing that the format could say
   */
  write(records: readonly RunRecord[], tools: ExportTools): string;
}

/** The run of a format that takes only one. */
export function onlyRecord(records: readonly RunRecord[]): RunRecord {
  const [record] = records;
  if (record === undefined) throw new Error('an export without a run');
  return record;
}
