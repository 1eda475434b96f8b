import { z } from 'zod';
import { drivers } from '../../../databases/registry.ts';
import { mergeEngineOptions } from '../../engineOptions.ts';
import { newSeed } from '../../seed.ts';
import { countOf } from '../../words.ts';
import type { LoadPhase, RowSourceSpec, Step } from '../../workload.ts';
import { measurements } from '../devops/measurements.ts';
import { dataProblems } from '../fit.ts';
import { genericRows } from '../generic/presence.ts';
import { arriving } from '../iot/rows.ts';
import { Schedule, type Simulation, simulationSchema } from '../simulation.ts';
import { dataOptions } from './dataOptions.ts';
import { runnerOptions, runnerPhase, withTexts } from './runnerOptions.ts';

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
    return { ...withTexts(own), ...(own.seed === 0 && { seed: newSeed() }) };
  },

  check: (parameters) => dataProblems(ownSchema.parse(parameters)),

  phase(parameters): LoadPhase {
    const own = ownSchema.parse(parameters);
    const { seed } = own;
    return { ...runnerPhase(own), rows: rowsOf(own), engineOptions: engineSchema.parse(parameters), seed };
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
  const { useCase, seed, scale, initialScale, maxDataPoints, maxMetricCount, limit } = own;
  const { timestampStart, timestampEnd, logInterval } = own;
  return {
    workload: 'tsbs',
    parameters: {
      ...{ useCase, seed, scale, initialScale, maxDataPoints, maxMetricCount, limit },
      ...{ timestampStart, timestampEnd, logInterval },
    },
  };
}

function countRows(own: Own): number {
  const simulation = simulationSchema.parse(rowsOf(own).parameters);
  switch (simulation.useCase) {
    case 'iot':
      return arriving(simulation);
    case 'devops-generic':
      return genericRows(simulation);
    default:
      return scheduleOf(simulation).countRows();
  }
}

function scheduleOf(simulation: Simulation): Schedule {
  return new Schedule(simulation, simulation.useCase === 'devops' ? measurements.length : 1);
}

/**
 * Where the data of a checked step ends in time, in nanoseconds since 1970: before its `timestampEnd` where a limit ends
 * the load. Trucks, whose rows come late or never, and servers that come and go are taken by their `timestampEnd`.
 */
export function endOfData(parameters: Record<string, unknown>): bigint | null {
  const own = ownSchema.safeParse(parameters);
  if (!own.success) return null;
  const simulation = simulationSchema.parse(rowsOf(own.data).parameters);
  const { useCase, timestampStart, timestampEnd, logInterval } = simulation;
  if (useCase === 'iot' || useCase === 'devops-generic') return timestampEnd;
  const schedule = scheduleOf(simulation);
  const written = schedule.epochsWritten();
  return written < schedule.epochs ? timestampStart + BigInt(written) * logInterval : timestampEnd;
}
