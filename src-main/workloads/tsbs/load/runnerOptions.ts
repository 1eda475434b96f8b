import { z } from 'zod';
import type { FieldMeta } from '../../../../src-shared/model/form.ts';
import { count, duration, nanosOf, toggle } from '../../fields.ts';
import type { LoadPhase } from '../../workload.ts';
import { intervalsHelp, parseIntervals } from './intervals.ts';

const loading = (meta: FieldMeta): FieldMeta => ({ group: 'Loading', ...meta });
const rarely = (meta: FieldMeta): FieldMeta => loading({ advanced: true, ...meta });

/** TSBS's options of the loader (`loader.runner`), in camelCase with TSBS's defaults. */
export const runnerOptions = {
  dbName: z
    .string()
    .trim()
    .min(1, 'A database needs a name')
    .default('benchmark')
    .meta(
      loading({
        title: 'Database',
        description:
          'Made by Benchberry and marked as its own. A database of that name without the mark is never touched.',
      }),
    ),
  workers: count(
    1,
    1000,
    1,
    loading({
      title: 'Workers',
      description: 'Connections that load at the same time. As many as the server has cores is a good start.',
    }),
  ),
  batchSize: count(
    1,
    1_000_000,
    10_000,
    loading({
      title: 'Batch size',
      description: 'Rows that are sent and acknowledged together.',
      unit: 'rows',
    }),
  ),
  limit: count(
    0,
    null,
    0,
    loading({
      title: 'Most rows',
      description: 'Loading ends after so many rows; 0: no limit.',
      unit: 'rows',
    }),
  ),
  reportingPeriod: duration(0n)
    .default('10s')
    .meta(
      loading({
        title: 'Reporting period',
        description:
          'Time between two progress lines in the terminal and in the text of a run; 0s: none. Charts have a point a second anyway.',
        kind: 'duration',
      }),
    ),
  doLoad: toggle(
    true,
    rarely({ title: 'Load', description: 'Off: rows are made and counted, and nothing is sent.' }),
  ),
  doCreateDb: toggle(
    true,
    rarely({
      title: 'Create the database',
      description:
        'On: the database is made anew; an earlier one of Benchberry’s is dropped, any other refused. Off: one that exists is used, and tables in it are never dropped.',
    }),
  ),
  doAbortOnExist: toggle(
    false,
    rarely({
      title: 'Refuse an existing database',
      description: 'Load only where there is no database of that name yet, not even one of Benchberry’s.',
    }),
  ),
  hashWorkers: toggle(
    false,
    rarely({
      title: 'Same worker for a host',
      description: 'All rows of a host go through one worker, chosen by TSBS’s hash of the host’s name.',
    }),
  ),
  insertIntervals: z
    .string()
    .refine((text) => parseIntervals(text) !== null, intervalsHelp)
    .default('')
    .meta(
      rarely({
        title: 'Pauses between batches',
        description: `Least time from the start of a worker’s batch to the start of its next one. ${intervalsHelp}. The first entry is for the first worker and so on, the last one for all further workers. Empty: no pauses.`,
        unit: 's',
      }),
    ),
  flowControl: toggle(
    false,
    rarely({
      title: 'Flow control',
      description:
        'Accepted from TSBS’s plans, without effect: TSBS queues batches between one reader and its workers. Here every worker makes its next batch while the server is busy with the one before, so there is no queue.',
    }),
  ),
  channelCapacity: count(
    0,
    null,
    0,
    rarely({
      title: 'Queue length',
      description: 'Accepted from TSBS’s plans, without effect: there is no queue, see “Flow control”.',
    }),
  ),
  logBatches: toggle(
    false,
    rarely({ title: 'Log batches', description: 'A line for each batch: rows, rows a second, duration.' }),
  ),
};

type Runner = z.output<z.ZodObject<typeof runnerOptions>>;

/** What these options make of a phase. */
export function runnerPhase(own: Runner): Omit<LoadPhase, 'rows' | 'engineOptions' | 'seed'> {
  const { doLoad, doCreateDb, doAbortOnExist, workers, batchSize, hashWorkers, logBatches } = own;
  return {
    ...{ kind: 'load', database: own.dbName },
    ...{ doLoad, doCreateDb, doAbortOnExist, workers, batchSize, hashWorkers, logBatches },
    insertIntervals: parseIntervals(own.insertIntervals) ?? [],
    reportingPeriodSeconds: Number(nanosOf(own.reportingPeriod)) / 1e9,
  };
}

/** `insertIntervals: 5` is a number to YAML. */
export function withTexts(own: Record<string, unknown>): Record<string, unknown> {
  const { insertIntervals } = own;
  return typeof insertIntervals === 'number' ? { ...own, insertIntervals: String(insertIntervals) } : own;
}
