import { z } from 'zod';
import { formatCount, formatCounted } from '../../../src-shared/units.ts';
import { newSeed } from '../seed.ts';
import { countOf } from '../words.ts';
import type { QueriesJob, QueriesPhase, ResolvedStep, Step } from '../workload.ts';
import { dataOptions, dataSchema } from './dataOptions.ts';
import { dataProblems } from './loadStep.ts';
import type { FetchesSpec } from './openFetches.ts';
import { inheritedOptions, readOptions } from './readOptions.ts';

const ownSchema = z.object(readOptions);

/** `fetch.read`: selections fetched by more and more readers, first cold and then again. */
export const readStep: Step = {
  id: 'fetch.read',
  label: 'Fetch selections',
  description:
    'Selects and fetches, cold and again, with more and more readers; what comes back is compared with what was inserted.',
  parameters: z.strictObject({ ...readOptions, ...inheritedOptions }),

  inherit(own, before) {
    const { readers, seed } = own;
    return {
      ...loaded(before),
      ...own,
      // `[1, 2]` are numbers to YAML.
      ...(Array.isArray(readers) && { readers: readers.map(String) }),
      ...(seed === 0 && { seed: newSeed() }),
    };
  },

  check(parameters, before) {
    const own = ownSchema.parse(parameters);
    const data = dataSchema.parse(parameters);
    const problems = [...dataProblems(data), ...coldProblems(own, before)];
    const needed = own.cold === 'none' ? own.coldFetches : coldInAll(own);
    if (needed > data.selections)
      problems.push({
        path: 'coldFetches',
        message: `${formatCounted(needed, 'cold fetch', 'cold fetches')} need as many selections, and there are ${formatCount(data.selections)}`,
        hint: `Set selections: ${needed} in the load step, or fewer cold fetches or readers.`,
      });
    return problems;
  },

  phase(parameters): QueriesPhase {
    const own = ownSchema.parse(parameters);
    const data = dataSchema.parse(parameters);
    const jobs = jobsOf(own, data);
    return {
      kind: 'queries',
      database: databaseOf(own),
      workers: Math.max(...jobs.map(({ fetch }) => fetch?.readers ?? 1)),
      jobs,
      ratePerSecond: 0,
      burnIn: own.cold === 'none' ? own.coldFetches : 0,
      prewarm: false,
      seed: data.seed,
    };
  },

  rows: () => 0,

  summary(parameters, before) {
    const own = ownSchema.parse(parameters);
    const { selected } = dataSchema.parse(parameters);
    const where = before.at(-1)?.parameters.dbName === databaseOf(own) ? '' : ` from ${databaseOf(own)}`;
    return `fetch ${countOf(selected, 'point')} at a time by ${own.select === 'tag' ? 'tag' : 'date range'}${where} with ${own.readers.join(', ')} readers`;
  },
};

type Own = z.output<typeof ownSchema>;

function databaseOf({ dbName = 'benchmark' }: Own): string {
  return dbName;
}

function coldInAll({ readers, coldFetches }: Own): number {
  return readers.reduce((all, each) => all + Number(each) * coldFetches, 0);
}

/** For each number of readers the cold fetches, each of another selection, and the warm ones of the same selections. */
function jobsOf(own: Own, data: FetchesSpec['data']): QueriesJob[] {
  const restart = own.cold === 'restart';
  let next = 0;
  return own.readers.flatMap((text): QueriesJob[] => {
    const readers = Number(text);
    const who = formatCounted(readers, 'reader');
    const distinct = own.cold === 'none' ? own.coldFetches : own.coldFetches * readers;
    const first = next;
    const fetches = own.fetches * readers;
    const queries = (spec: Pick<FetchesSpec, 'fetches'>) => ({
      workload: 'fetch',
      parameters: { data, select: own.select, first, distinct, ...spec },
    });
    if (own.cold === 'none') {
      const warm = queries({ fetches: distinct + fetches });
      return [{ name: `${who}, warm`, queries: warm, fetch: { readers, cache: 'warm', restart } }];
    }
    next += distinct;
    const cache = restart ? 'restarted' : 'first';
    return [
      {
        name: `${who}, ${restart ? 'after a restart' : 'first read'}`,
        queries: queries({ fetches: distinct }),
        fetch: { readers, cache, restart },
      },
      {
        name: `${who}, warm`,
        queries: queries({ fetches }),
        fetch: { readers, cache: 'warm', restart: false },
      },
    ];
  });
}

/** What the last load says of the data. One that could not be read says nothing of some: those keep their defaults. */
function loaded(before: readonly ResolvedStep[]): Record<string, unknown> {
  const load = before.findLast(({ id }) => id === 'fetch.load')?.parameters ?? {};
  return Object.fromEntries(
    [...Object.keys(dataOptions), 'dbName'].flatMap((key) =>
      load[key] === undefined ? [] : [[key, load[key]]],
    ),
  );
}

/** Points are unread only after a load of the same plan, and until the first step that reads them. */
function coldProblems(own: Own, before: readonly ResolvedStep[]): ReturnType<Step['check']> {
  if (own.cold !== 'never-read') return [];
  const last = before.findLast(
    ({ id, parameters }) =>
      ['fetch.load', 'fetch.read'].includes(id) && (parameters.dbName ?? 'benchmark') === databaseOf(own),
  );
  if (last?.id === 'fetch.load') return [];
  return [
    {
      path: 'cold',
      message:
        last === undefined
          ? 'Nobody knows which points have been read already: no step before inserts them'
          : 'The fetches before have read these points already',
      hint: 'Put a fetch.load step before it, or set cold: none, or cold: restart where Benchberry runs the server.',
    },
  ];
}
