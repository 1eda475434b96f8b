import { z } from 'zod';
import { newSeed } from '../../seed.ts';
import { formatTimestamp, parseTimestamp } from '../../timestamp.ts';
import { countOf } from '../../words.ts';
import type { QueriesPhase, ResolvedStep, Step } from '../../workload.ts';
import { queryProblems } from '../fit.ts';
import { endOfData, loadStep } from '../load/loadStep.ts';
import { queryOptions } from './options.ts';
import { firstTypes } from './queryTypes.ts';

const schema = z.strictObject(queryOptions);
/** As it is once `inherit` has filled the gaps. */
const filledSchema = schema.required();

/** What holds where no load comes before: TSBS's defaults, and those of `tsbs.load` where it departs from them. */
const alone = {
  useCase: 'cpu-only',
  scale: 400,
  seed: 123,
  timestampStart: '2016-01-01T00:00:00Z',
  timestampEnd: '2016-01-02T00:00:00Z',
  dbName: 'benchmark',
};

/** `tsbs.queries`: TSBS's queries, type by type. */
export const queriesStep: Step = {
  id: 'tsbs.queries',
  label: 'Run queries',
  description: 'Runs TSBS’s queries over a loaded data set and measures each one.',
  parameters: schema,

  inherit(own, before) {
    const data = { ...alone, ...loaded(before), ...own };
    // The types of the schema's own default are about hosts.
    const filled = data.useCase === 'iot' ? { types: firstTypes('iot'), ...data } : data;
    return filled.seed === 0 ? { ...filled, seed: newSeed() } : filled;
  },

  check(parameters, before) {
    const own = filledSchema.parse(parameters);
    const problems: ReturnType<Step['check']> = own.types.flatMap((type) =>
      queryProblems(type, own).map((problem) => ({ path: 'types', ...problem })),
    );
    const run = executions(own);
    if (own.burnIn >= run)
      problems.push({
        path: 'burnIn',
        message: `A burn-in of ${own.burnIn} leaves nothing to count of ${countOf(run, 'query')} a type`,
        hint: null,
      });
    return [...problems, ...checkTags(own, before)];
  },

  phase(parameters): QueriesPhase {
    const own = filledSchema.parse(parameters);
    return {
      kind: 'queries',
      database: own.dbName,
      workers: own.workers,
      jobs: own.types.map((type) => ({
        name: type,
        queries: { workload: 'tsbs', parameters: querySpec(own, type) },
      })),
      ratePerSecond: own.maxRps,
      burnIn: own.burnIn,
      prewarm: own.prewarmQueries,
      seed: own.seed,
    };
  },

  rows: () => 0,

  summary(parameters, before) {
    const own = filledSchema.parse(parameters);
    const types = own.types.length === 1 ? own.types[0] : countOf(own.types.length, 'type');
    const where = before.at(-1)?.parameters.dbName === own.dbName ? '' : ` on ${own.dbName}`;
    return `run ${countOf(planned(own) * own.types.length, 'query')} of ${types}${where}`;
  },
};

type Own = z.output<typeof filledSchema>;

/** Queries of each type that are run. */
function planned(own: Own): number {
  return own.maxQueries > 0 ? Math.min(own.queries, own.maxQueries) : own.queries;
}
/** How often a query of each type is executed. */
function executions(own: Own): number {
  return planned(own) * (own.prewarmQueries ? 2 : 1);
}

function querySpec(own: Own, type: string): Record<string, unknown> {
  const { useCase, scale, seed, timestampStart, timestampEnd } = own;
  const { timescaleUseTags, timescaleUseJson, timescaleUseTimeBucket } = own;
  return {
    ...{ type, queries: planned(own), useCase, scale, seed, timestampStart, timestampEnd },
    ...{ timescaleUseTags, timescaleUseJson, timescaleUseTimeBucket },
  };
}

function lastLoad(before: readonly ResolvedStep[]): ResolvedStep | undefined {
  return before.findLast(({ id }) => id === loadStep.id || id === 'tsbs.file');
}

/** What the last load says of the data. One that could not be read says nothing of some: those keep their defaults. */
function loaded(before: readonly ResolvedStep[]): Record<string, unknown> {
  const load = lastLoad(before);
  if (load === undefined) return {};
  const { useCase, scale, seed, timestampStart, timestampEnd, dbName } = load.parameters;
  // Queries for times of which a limited load has nothing would be quick, and say nothing of the server.
  const limited = load.id === loadStep.id ? endOfData(load.parameters) : null;
  const end = limited ?? (typeof timestampEnd === 'string' ? parseTimestamp(timestampEnd) : null);
  const said = {
    ...{ useCase, scale, seed, timestampStart, dbName },
    ...(end !== null && { timestampEnd: formatTimestamp(end + 1_000_000_000n) }),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** Whether the form of the queries fits the way the tags were loaded. */
function checkTags(own: Own, before: readonly ResolvedStep[]): ReturnType<Step['check']> {
  const load = lastLoad(before)?.parameters;
  if (load === undefined || load.dbName !== own.dbName) return [];
  const problems: ReturnType<Step['check']> = [];
  if (load.useJsonbTags !== undefined && load.useJsonbTags !== own.timescaleUseJson)
    problems.push({
      path: 'timescaleUseJson',
      message: own.timescaleUseJson
        ? 'The load step keeps tags in columns, these queries look for them in JSON'
        : 'The load step keeps tags as JSON, these queries look for columns',
      hint: `Set timescaleUseJson: ${!own.timescaleUseJson}, or useJsonbTags: ${own.timescaleUseJson} in the load step.`,
    });
  if (own.useCase === 'iot' && load.useJsonbTags === true)
    problems.push({
      path: 'types',
      message: 'TSBS’s queries about trucks look for tags in columns, and the load step keeps them as JSON',
      hint: 'Set useJsonbTags: false in the load step.',
    });
  if (!own.timescaleUseTags && !own.timescaleUseJson && load.inTablePartitionTag === false)
    problems.push({
      path: 'timescaleUseTags',
      message: 'Queries without the tags table need the host’s name in every row',
      hint: 'Set inTablePartitionTag: true in the load step.',
    });
  return problems;
}
