import { z } from 'zod';
import type { FieldMeta } from '../../../src-shared/model/form.ts';
import { count, duration, timestamp, toggle } from '../fields.ts';
import { newSeed } from '../seed.ts';
import { dataFile, formatNames, type Interleaving, queryList } from './files.ts';
import { dataProblems, queryProblems } from './fit.ts';
import { queryTypeNames } from './queries/queryTypes.ts';
import { useCases } from './simulation.ts';

const words = (title: string, description: string, more: Partial<FieldMeta> = {}): FieldMeta => ({
  title,
  description,
  group: 'Generate',
  ...more,
});

/** What TSBS's two generators have in common, with TSBS's defaults (`useCase` has none there). */
const common = {
  useCase: z
    .enum(useCases)
    .default('cpu-only')
    .meta(words('Use case', `What is simulated: ${useCases.join(', ')}.`)),
  scale: count(1, 10_000_000, 1, words('Scale', 'Number of simulated hosts.')),
  seed: z
    .int()
    .default(0)
    .meta(words('Seed', 'The same seed makes the same bytes for ever; 0 takes one from the clock.')),
  timestampStart: timestamp()
    .default('2016-01-01T00:00:00Z')
    .meta(words('Start', 'Beginning of the simulated time, RFC 3339.', { kind: 'timestamp' })),
  timestampEnd: timestamp()
    .default('2016-01-02T00:00:00Z')
    .meta(words('End', 'End of the simulated time, RFC 3339, not included.', { kind: 'timestamp' })),
  interleavedGenerationGroups: count(
    1,
    null,
    1,
    words('Groups', 'Write only every so many-th row or query, so that several processes share the work.'),
  ),
  interleavedGenerationGroupId: count(0, null, 0, words('Group', 'Which of the groups to write, from 0.')),
};

function checkGroup(options: z.output<z.ZodObject<typeof common>>, refuse: Refuse): void {
  const { interleavedGenerationGroups: groups, interleavedGenerationGroupId: group } = options;
  if (group >= groups)
    refuse('interleavedGenerationGroupId', `Group ${group} is not there: groups are 0 to ${groups - 1}`);
}

/** Takes a field and what is wrong with it. */
type Refuse = (path: string, message: string) => void;
const refuseTo =
  (context: z.core.$RefinementCtx): Refuse =>
  (path, message) =>
    context.addIssue({ code: 'custom', path: [path], message });

/** Options of `generate data`: those of `tsbs_generate_data`, in camelCase. */
export const generateDataSchema = z
  .strictObject({
    ...common,
    format: z
      .enum(formatNames)
      .meta(
        words(
          'Format',
          'File format: timescaledb, or questdb and influx (both line protocol, the same bytes).',
        ),
      ),
    initialScale: count(
      0,
      10_000_000,
      0,
      words('Initial scale', 'Hosts at the start; they grow to the full number. 0: all at once.'),
    ),
    maxDataPoints: count(0, null, 0, words('Most points', 'End after so many points; 0: no limit.')),
    maxMetricCount: count(
      1,
      10_000,
      100,
      words('Most metrics', 'Only of the use case devops-generic: most metrics of a host.'),
    ),
    logInterval: duration(1n)
      .default('10s')
      .meta(words('Interval', 'Time between two rows of a host.', { kind: 'duration' })),
  })
  .superRefine((options, context) => {
    const refuse = refuseTo(context);
    checkGroup(options, refuse);
    for (const { path, message } of dataProblems(options)) refuse(path, message);
  });

/** Options of `generate queries`: those of `tsbs_generate_queries`, in camelCase. */
export const generateQueriesSchema = z
  .strictObject({
    ...common,
    format: z
      .enum(['timescaledb', 'postgresql', 'questdb'])
      .meta(words('Format', 'Database the statements are for; postgresql is one without TimescaleDB.')),
    queryType: z
      .enum(queryTypeNames)
      .meta(
        words(
          'Query type',
          `One of ${queryTypeNames.join(', ')}. Those about trucks, from last-loc on, are Benchberry’s own in the format questdb.`,
        ),
      ),
    queries: count(0, null, 1000, words('Queries', 'How many.')),
    timescaleUseTags: toggle(true, words('Tags table', 'Find hosts through the tags table.')),
    timescaleUseJson: toggle(false, words('JSON tags', 'Find hosts in tags kept as JSON.')),
    timescaleUseTimeBucket: toggle(
      true,
      words('time_bucket', 'Use TimescaleDB’s function; false: plain arithmetic.'),
    ),
  })
  .superRefine((options, context) => {
    const refuse = refuseTo(context);
    checkGroup(options, refuse);
    for (const { message } of queryProblems(options.queryType, options)) refuse('queryType', message);
  });

export type GenerateData = z.output<typeof generateDataSchema>;
export type GenerateQueries = z.output<typeof generateQueriesSchema>;

/** Bytes to write and the seed they come from. */
export interface Generated {
  seed: number;
  blocks: Generator<Buffer>;
}

export function dataOf(options: GenerateData): Generated {
  const {
    format,
    interleavedGenerationGroups,
    interleavedGenerationGroupId,
    seed: asked,
    ...simulation
  } = options;
  const seed = asked === 0 ? newSeed() : asked;
  const rows = { workload: 'tsbs', parameters: { ...simulation, seed } };
  return { seed, blocks: dataFile(rows, format, interleavingOf(options)) };
}

export function queriesOf(options: GenerateQueries): Generated {
  const { format, queryType, seed: asked, ...rest } = options;
  const seed = asked === 0 ? newSeed() : asked;
  const queries = { workload: 'tsbs', parameters: { ...rest, type: queryType, seed } };
  return { seed, blocks: queryList(queries, format, interleavingOf(options)) };
}

function interleavingOf(options: GenerateData | GenerateQueries): Interleaving {
  return { groups: options.interleavedGenerationGroups, group: options.interleavedGenerationGroupId };
}
