import { z } from 'zod';
import { drivers } from '../../databases/registry.ts';
import { mergeEngineOptions } from '../engineOptions.ts';
import { nanosOf } from '../fields.ts';
import { newSeed } from '../seed.ts';
import { runnerOptions } from '../tsbs/load/runnerOptions.ts';
import { countOf } from '../words.ts';
import type { LoadPhase, Step } from '../workload.ts';
import { dataOptions, dataSchema } from './dataOptions.ts';

const { dbName, workers, batchSize, reportingPeriod, doCreateDb, doAbortOnExist } = runnerOptions;
const ownOptions = {
  ...dataOptions,
  dbName,
  workers,
  batchSize,
  reportingPeriod,
  doCreateDb,
  doAbortOnExist,
};
const ownSchema = z.object(ownOptions);
// The statements of a fetch look for the tag in a column.
const engineOptions = Object.fromEntries(
  Object.entries(mergeEngineOptions(drivers, ownOptions)).filter(([name]) => name !== 'useJsonbTags'),
);
const engineSchema = z.object(engineOptions);

/** `fetch.load`: the points that are fetched later. */
export const loadStep: Step = {
  id: 'fetch.load',
  label: 'Insert points',
  description: 'Inserts points, a few of which belong to selections that are spread over all of them.',
  parameters: z.strictObject({ ...ownOptions, ...engineOptions }),

  inherit: (own) => (own.seed === 0 ? { ...own, seed: newSeed() } : own),

  check: (parameters) => dataProblems(dataSchema.parse(parameters)),

  phase(parameters): LoadPhase {
    const own = ownSchema.parse(parameters);
    return {
      kind: 'load',
      rows: { workload: 'fetch', parameters: dataSchema.parse(parameters) },
      doLoad: true,
      database: own.dbName,
      doCreateDb: own.doCreateDb,
      doAbortOnExist: own.doAbortOnExist,
      engineOptions: engineSchema.parse(parameters),
      workers: own.workers,
      batchSize: own.batchSize,
      hashWorkers: false,
      insertIntervals: [],
      reportingPeriodSeconds: Number(nanosOf(own.reportingPeriod)) / 1e9,
      logBatches: false,
      seed: own.seed,
    };
  },

  rows: (parameters) => dataSchema.parse(parameters).points,

  summary(parameters) {
    const own = ownSchema.parse(parameters);
    return `insert ${countOf(own.points, 'point')} into ${own.dbName}`;
  },
};

/** What only several fields together have. */
export function dataProblems(data: z.output<typeof dataSchema>): ReturnType<Step['check']> {
  const problems: ReturnType<Step['check']> = [];
  if (data.selected * data.selections > data.points)
    problems.push({
      path: 'selections',
      message: `${countOf(data.selections, 'selection')} of ${countOf(data.selected, 'point')} are more than ${countOf(data.points, 'point')}`,
      hint: 'Insert more points, or make fewer or smaller selections.',
    });
  if (nanosOf(data.interval) % 1_000_000n !== 0n)
    problems.push({ path: 'interval', message: 'The interval is whole milliseconds', hint: null });
  return problems;
}
