import { z } from 'zod';
import { drivers } from '../../../databases/registry.ts';
import { mergeEngineOptions } from '../../engineOptions.ts';
import { nanosOf } from '../../fields.ts';
import { newSeed } from '../../seed.ts';
import { countOf } from '../../words.ts';
import type { LoadPhase, RowSourceSpec, Step } from '../../workload.ts';
import { measurements } from '../devops/measurements.ts';
import { dataProblems } from '../fit.ts';
import { arriving } from '../iot/rows.ts';
import { Schedule, simulationSchema } from '../simulation.ts';
import { dataOptions } from './dataOptions.ts';
import { parseIntervals } from './intervals.ts';
import { runnerOptions } from './runnerOptions.ts';

const ownOptions = { ...dataOptions, ...runnerOptions };
const ownSchema = z.object(ownOptions);
const engineOptions = mergeEngineOptions(drivers, ownOptions);
const engineSchema = z.object(engineOptions);

/** `tsbs.load`: a simulated data set into a database. */
export const loadStep: Step = {
  id: 'tsbs.load',
  label: 'Load a data set',
  description: 'Makes TSBS’s simulated measurements and loads them, as fast as the server takes them.',
  parameters: z.strictObject({ ...ownOptions, ...engineOptions }),

  inherit(own) {
    const { seed, insertIntervals } = own;
    return {
      ...own,
      ...(seed === 0 && { seed: newSeed() }),
      // `insertIntervals: 5` is a number to YAML.
      ...(typeof insertIntervals === 'number' && { insertIntervals: String(insertIntervals) }),
    };
  },

  check: (parameters) => dataProblems(ownSchema.parse(parameters)),

  phase(parameters): LoadPhase {
    const own = ownSchema.parse(parameters);
    return {
      kind: 'load',
      rows: rowsOf(own),
      doLoad: own.doLoad,
      database: own.dbName,
      doCreateDb: own.doCreateDb,
      doAbortOnExist: own.doAbortOnExist,
      engineOptions: engineSchema.parse(parameters),
      workers: own.workers,
      batchSize: own.batchSize,
      hashWorkers: own.hashWorkers,
      insertIntervals: parseIntervals(own.insertIntervals) ?? [],
      reportingPeriodSeconds: Number(nanosOf(own.reportingPeriod)) / 1e9,
      logBatches: own.logBatches,
      seed: own.seed,
    };
  },

  rows: (parameters) => countRows(ownSchema.parse(parameters)),

  summary(parameters) {
    const own = ownSchema.parse(parameters);
    const about = own.useCase === 'iot' && own.limit === 0 ? 'about ' : '';
    const rows = `${about}${countOf(countRows(own), 'row')}`;
    return own.doLoad ? `load ${rows} into ${own.dbName}` : `make ${rows} without loading them`;
  },
};

type Own = z.output<typeof ownSchema>;

function rowsOf(own: Own): RowSourceSpec {
  const { useCase, seed, scale, initialScale, maxDataPoints, limit } = own;
  const { timestampStart, timestampEnd, logInterval } = own;
  return {
    workload: 'tsbs',
    parameters: {
      ...{ useCase, seed, scale, initialScale, maxDataPoints, limit },
      ...{ timestampStart, timestampEnd, logInterval },
    },
  };
}

function countRows(own: Own): number {
  const simulation = simulationSchema.parse(rowsOf(own).parameters);
  if (simulation.useCase === 'iot') return arriving(simulation);
  const tables = simulation.useCase === 'devops' ? measurements.length : 1;
  return new Schedule(simulation, tables).countRows();
}
