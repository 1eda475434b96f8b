import { z } from 'zod';
import type { FieldMeta } from '../../../../src-shared/model/form.ts';
import { count, timestamp, toggle } from '../../fields.ts';
import { useCaseLabels, useCases } from '../simulation.ts';
import { firstTypes, queryTypeNames, queryTypes } from './queryTypes.ts';

const queries = (meta: FieldMeta): FieldMeta => ({ group: 'Queries', ...meta });
const data = (meta: FieldMeta): FieldMeta => ({ group: 'Data', advanced: true, ...meta });
const form = (meta: FieldMeta): FieldMeta => ({ group: 'Form of the queries', advanced: true, ...meta });
const asLoaded = 'Left out: as in the load step before';

/** TSBS's options of the query generator and the query runner in camelCase, defaults TSBS's but for `types`. */
export const queryOptions = {
  types: z
    .array(z.enum(queryTypeNames))
    .min(1, 'Choose at least one query type')
    .refine((types) => new Set(types).size === types.length, 'Each query type once')
    .default(firstTypes('cpu-only'))
    .meta(
      queries({
        title: 'Query types',
        description:
          'Run one after the other, each begun with the same seed, as TSBS does with one type a process; those from last-loc on are about trucks (iot); for QuestDB TSBS has none of these, and they are Benchberry’s own. TSBS has no default.',
        optionLabels: Object.fromEntries(queryTypes.map((type) => [type.name, `${type.name}: ${type.help}`])),
      }),
    ),
  queries: count(
    1,
    null,
    1000,
    queries({ title: 'Queries a type', description: 'How many queries are made of each type.' }),
  ),
  maxQueries: count(
    0,
    null,
    0,
    queries({
      title: 'Most queries',
      description: 'Run only the first so many of each type; 0: all.',
      advanced: true,
    }),
  ),
  workers: count(
    1,
    1000,
    1,
    queries({ title: 'Workers', description: 'Connections that query at the same time.' }),
  ),
  maxRps: z
    .number()
    .min(0)
    .max(1_000_000)
    .default(0)
    .meta(
      queries({
        title: 'Rate',
        description:
          'Start so many queries a second over all workers, evenly spaced, and measure from the planned start, waiting included; 0: each worker starts its next query as soon as the one before has ended.',
        unit: 'queries/s',
      }),
    ),
  burnIn: count(
    0,
    null,
    0,
    queries({
      title: 'Burn-in',
      description: 'The first so many queries of each type are run and not counted.',
    }),
  ),
  prewarmQueries: toggle(
    false,
    queries({
      title: 'Each query twice',
      description: 'Run each query twice in a row and tell the first (cold) from the second (warm).',
      advanced: true,
    }),
  ),
  printInterval: count(
    0,
    null,
    100,
    queries({
      title: 'Print interval',
      description:
        'In the terminal, rates after every so many queries, but once a second at most; 0: only at the end.',
      advanced: true,
    }),
  ),
  dbName: z
    .string()
    .trim()
    .min(1, 'A database needs a name')
    .optional()
    .meta(data({ title: 'Database', description: `${asLoaded}, else benchmark.` })),
  useCase: z
    .enum(useCases)
    .optional()
    .meta(
      data({
        title: 'Use case',
        description: `${asLoaded}, else cpu-only.`,
        optionLabels: useCaseLabels,
      }),
    ),
  scale: z
    .int()
    .min(1)
    .max(10_000_000)
    .optional()
    .meta(
      data({
        title: 'Simulated hosts',
        description: `Queries ask for hosts out of so many. ${asLoaded}, else 400.`,
      }),
    ),
  seed: z
    .int()
    .optional()
    .meta(
      data({
        title: 'Seed',
        description: `The same seed makes the same queries for ever, to the bit those of TSBS. 0 takes a seed from the clock, and the run says which. ${asLoaded}, else 123.`,
      }),
    ),
  timestampStart: timestamp()
    .optional()
    .meta(
      data({
        title: 'Start',
        description: `Queries ask for times from here on. ${asLoaded}, else 2016-01-01T00:00:00Z.`,
        kind: 'timestamp',
      }),
    ),
  timestampEnd: timestamp()
    .optional()
    .meta(
      data({
        title: 'End',
        description:
          'Queries ask for times up to here. Left out: one second after the end of the data of the load step before, as TSBS advises, so that a query over the whole time is possible (where a limit ends the load, after its last rows); else 2016-01-02T00:00:00Z.',
        kind: 'timestamp',
      }),
    ),
  timescaleUseTags: toggle(
    true,
    form({
      title: 'Through the tags table',
      description:
        'Hosts are looked up in the tags table. Off: by the name in each row, which needs a load with inTablePartitionTag.',
    }),
  ),
  timescaleUseJson: toggle(
    false,
    form({ title: 'Tags as JSON', description: 'For data loaded with useJsonbTags.' }),
  ),
  timescaleUseTimeBucket: toggle(
    true,
    form({
      title: 'time_bucket',
      description:
        'TimescaleDB’s function. Off: plain arithmetic on seconds, which a PostgreSQL without TimescaleDB always gets.',
    }),
  ),
};
