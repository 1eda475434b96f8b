import { AppError } from '../../../src-shared/errors.ts';
import { runText } from '../runText.ts';
import { type ExportFormat, onlyRecord } from './format.ts';

/** What the tools print themselves, of those phases that are theirs. */
export const dialectFormats: readonly ExportFormat[] = (
  [
    ['tsbs', 'TSBS'],
    ['pgbench', 'pgbench'],
    ['sysbench', 'sysbench'],
  ] as const
).map(([id, label]) => ({
  id,
  label: `${label} text`,
  description: `What ${label} prints of such a run, for scripts that read it`,
  extension: 'txt',
  mediaType: 'text/plain',
  most: 1,
  workload: id,
  write(records, { queryLabel }) {
    const { run, series } = onlyRecord(records);
    const own = run.phases.filter(({ index }) => run.resolvedSteps[index]?.id.startsWith(`${id}.`));
    // As TSBS's own scripts look for them; on screens a type goes by its name.
    const named = own.map((phase) => ({
      ...phase,
      operations: phase.operations.map((operation) => ({
        ...operation,
        name: queryLabel(operation.name, run.server?.dialect ?? '') ?? operation.name,
      })),
    }));
    if (own.length > 0) return runText({ ...run, phases: named }, series.ticks);
    throw new AppError({
      code: 'unsupported',
      message: `${run.name} has no step of ${label}`,
      hint: 'Choose the format of the program whose steps it has.',
    });
  },
}));
