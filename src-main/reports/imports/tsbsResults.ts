import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import { allQueries, coldQueries, warmQueries } from '../../../src-shared/model/wholeOperation.ts';
import { facts, latencyOf, msToUs, operationOf, phaseOf, type ReadReport, told } from './report.ts';

const figure = z.number().nonnegative().nullable().catch(null).default(null);
const count = z.int().nonnegative().nullable().catch(null).default(null);
const texts = z.string().nullable().catch(null).default(null);

/** What TSBS writes with `--results-file`; only `Totals` is asked for, the rest may be missing. */
const resultsSchema = z.object({
  ResultFormatVersion: z.string(),
  RunnerConfig: z.record(z.string(), z.unknown()).catch({}).default({}),
  /** Unix time: seconds of a load, milliseconds of queries. */
  StartTime: figure,
  EndTime: figure,
  DurationMillis: figure,
  Totals: z.record(z.string(), z.unknown()),
});

const loadSchema = z.object({ metricRate: z.number().nonnegative(), rowRate: figure });
const loaderSchema = z.object({
  workers: count,
  'batch-size': count,
  limit: count,
  'hash-workers': z.boolean().nullable().catch(null).default(null),
});
const runnerSchema = z.object({ Workers: count, Limit: count, BurnIn: count, DBName: texts });
const quantiles = z.object({ q50: figure, q95: figure, q99: figure, q999: figure, q100: figure });
const queriesSchema = z.object({
  overallQueryRates: z.record(z.string(), figure),
  overallQuantiles: z
    .record(z.string(), quantiles.catch({ q50: null, q95: null, q99: null, q999: null, q100: null }))
    .default({}),
});

/** Whether a JSON value looks like what TSBS writes with `--results-file`. */
export const isTsbsResults = (value: unknown) =>
  z.object({ ResultFormatVersion: z.unknown(), Totals: z.unknown() }).safeParse(value).success;

/**
 * The run whose results TSBS has written, a load or queries.
 * @throws AppError `bad-input` where the totals are neither's
 */
export function readTsbsResults(value: unknown): ReadReport {
  const parsed = resultsSchema.safeParse(value);
  if (!parsed.success) throw noResults(parsed.error.issues[0]?.message ?? 'its shape is another');
  const { Totals: totals, RunnerConfig: config, ResultFormatVersion: version } = parsed.data;
  const load = loadSchema.safeParse(totals);
  if (load.success) return loadReport(parsed.data, load.data, loaderSchema.parse(config));
  const queries = queriesSchema.safeParse(totals);
  if (queries.success) return queriesReport(parsed.data, queries.data, runnerSchema.parse(config));
  throw noResults(`its Totals (version ${version}) are neither those of a load nor those of queries`);
}

type Results = z.infer<typeof resultsSchema>;

function loadReport(
  results: Results,
  { metricRate, rowRate }: z.infer<typeof loadSchema>,
  config: z.infer<typeof loaderSchema>,
): ReadReport {
  const seconds = secondsOf(results);
  const { workers, limit } = config;
  return {
    name: ['TSBS load', workers === null ? null : `${workers} workers`].filter(Boolean).join(', '),
    engine: '',
    steps: [
      {
        'tsbs.load': {
          ...told({ workers, batchSize: config['batch-size'], limit: limit === 0 ? null : limit }),
          ...(config['hash-workers'] === null ? {} : { hashWorkers: config['hash-workers'] }),
        },
      },
    ],
    printed: printedOf(
      results,
      results.StartTime === null ? null : results.StartTime * 1000,
      [
        phaseOf('tsbs.load', 'load', {
          workers,
          seconds,
          rowsPerSecond: rowRate,
          metricsPerSecond: metricRate,
        }),
      ],
      ['How many rows there were'],
    ),
  };
}

function queriesReport(
  results: Results,
  { overallQueryRates, overallQuantiles }: z.infer<typeof queriesSchema>,
  config: z.infer<typeof runnerSchema>,
): ReadReport {
  const seconds = secondsOf(results);
  const names = Object.keys({ ...overallQueryRates, ...overallQuantiles });
  const queries = config.Limit === 0 ? null : config.Limit;
  return {
    name: ['TSBS queries', config.Workers === null ? null : `${config.Workers} workers`]
      .filter(Boolean)
      .join(', '),
    engine: '',
    steps: [{ 'tsbs.queries': told({ workers: config.Workers, queries }) }],
    printed: printedOf(
      results,
      results.StartTime,
      [
        phaseOf('tsbs.queries', 'queries', {
          workers: config.Workers,
          seconds,
          operations: names.map((name) => {
            const of = overallQuantiles[name];
            return operationOf(groupName(name), {
              perSecond: overallQueryRates[name] ?? null,
              latencyUs: latencyOf({
                // q0 is always written as 0, whatever the least latency was: it says nothing.
                p50: msToUs(of?.q50 ?? null),
                p95: msToUs(of?.q95 ?? null),
                p99: msToUs(of?.q99 ?? null),
                p999: msToUs(of?.q999 ?? null),
                max: msToUs(of?.q100 ?? null),
              }),
            });
          }),
        }),
      ],
      ['How many queries there were of each type', 'Least and mean latencies'],
    ),
  };
}

/** In its keys TSBS puts `_` for all that is no letter or digit. */
function groupName(key: string): string {
  return [allQueries, coldQueries, warmQueries].find((name) => name.replace(' ', '_') === key) ?? key;
}

const secondsOf = ({ DurationMillis: ms }: Results) => (ms === null ? null : ms / 1000);

/** End of the year 9999: later days have no form that dates are written in. */
const latestMs = Date.UTC(9999, 11, 31);

function printedOf(
  results: Results,
  startedMs: number | null,
  phases: ReadReport['printed']['phases'],
  missing: readonly string[],
): ReadReport['printed'] {
  const started = startedMs === null || startedMs > latestMs ? null : new Date(startedMs).toISOString();
  const database = z.string().safeParse(results.RunnerConfig['db-name'] ?? results.RunnerConfig.DBName);
  return {
    source: {
      title: `Results of TSBS, format ${results.ResultFormatVersion}`,
      date: started?.slice(0, 10) ?? null,
      url: null,
      program: 'TSBS',
    },
    hardware: null,
    server: null,
    loader: null,
    phases,
    series: [],
    facts: facts({ Started: started, Database: database.success ? database.data : null }),
    missing: [
      'Which database it was, its machine and settings',
      'The data set: use case, scale, seed',
      ...missing,
    ],
  };
}

function noResults(why: string): AppError {
  return new AppError({
    code: 'bad-input',
    message: `These are no results of TSBS: ${why}`,
    hint: 'Take the file that --results-file of its loader or of its query runner names.',
  });
}
