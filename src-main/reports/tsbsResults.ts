import { parseDuration } from '../../src-shared/duration.ts';
import type { Phase, Run } from '../../src-shared/model/run.ts';
import { groupsOf } from './tsbsQueries.ts';

type Parameters = Readonly<Record<string, unknown>>;

const formatVersion = '0.1';

/**
 * What TSBS's loaders write with `--results-file`. Times are in seconds since 1970.
 * @param parameters of the step as executed
 */
export function loaderResults(
  run: Pick<Run, 'startedAt' | 'seed'>,
  phase: Phase,
  parameters: Parameters,
): string {
  const at = timesOf(run, phase);
  const rates = {
    metricRate: phase.metricsPerSecond,
    ...(phase.rows > 0 && { rowRate: phase.rowsPerSecond }),
  };
  return json({
    ResultFormatVersion: formatVersion,
    RunnerConfig: {
      'db-name': text(parameters.dbName),
      'batch-size': whole(parameters.batchSize),
      workers: phase.workers,
      limit: whole(parameters.limit),
      'do-load': parameters.doLoad !== false,
      'do-create-db': parameters.doCreateDb !== false,
      'do-abort-on-exist': parameters.doAbortOnExist === true,
      'reporting-period': Number(parseDuration(text(parameters.reportingPeriod)) ?? 0n),
      'hash-workers': parameters.hashWorkers === true,
      'no-flow-control': parameters.flowControl !== true,
      'channel-capacity': whole(parameters.channelCapacity),
      'insert-intervals': text(parameters.insertIntervals),
      'results-file': '',
      file: text(parameters.file),
      seed: run.seed ?? 0,
    },
    StartTime: at.start,
    EndTime: at.end,
    DurationMillis: at.millis,
    Totals: rates,
  });
}

/**
 * What TSBS's query runners write with `--results-file`. Times are whole seconds in milliseconds since 1970. The quantiles
 * are those of the run; the lowest is 0, as TSBS's own rule has it.
 * @param label TSBS's name of a query type
 */
export function queryResults(
  run: Pick<Run, 'startedAt'>,
  phase: Phase,
  parameters: Parameters,
  label: (name: string) => string,
): string {
  const at = timesOf(run, phase);
  const groups = groupsOf(phase.operations).map((operation) => ({
    key: label(operation.name).replace(/[^A-Za-z0-9]+/g, '_'),
    operation,
  }));
  return json({
    ResultFormatVersion: formatVersion,
    RunnerConfig: {
      DBName: text(parameters.dbName),
      Limit: whole(parameters.maxQueries),
      LimitRPS: whole(parameters.maxRps),
      MemProfile: '',
      HDRLatenciesFile: '',
      Workers: phase.workers,
      PrintResponses: false,
      Debug: 0,
      FileName: '',
      BurnIn: whole(parameters.burnIn),
      PrintInterval: whole(parameters.printInterval),
      PrewarmQueries: parameters.prewarmQueries === true,
      ResultsFile: '',
    },
    StartTime: at.start * 1000,
    EndTime: at.end * 1000,
    DurationMillis: at.millis,
    Totals: sorted({
      prewarmQueries: parameters.prewarmQueries === true,
      limit: whole(parameters.maxQueries),
      burnIn: whole(parameters.burnIn),
      overallQueryRates: sorted(
        Object.fromEntries(groups.map(({ key, operation }) => [key, operation.perSecond])),
      ),
      overallQuantiles: sorted(
        Object.fromEntries(
          groups.flatMap(({ key, operation: { latencyUs: us } }) => {
            if (us === null) return [];
            const ms = { q50: us.p50, q95: us.p95, q99: us.p99, q999: us.p999, q100: us.max };
            const quantiles = Object.entries(ms).map(([name, value]) => [name, value / 1000] as const);
            return [[key, sorted({ q0: 0, ...Object.fromEntries(quantiles) })]];
          }),
        ),
      ),
    }),
  });
}

/** Start and end in whole seconds since 1970, and how long it took in whole milliseconds. */
function timesOf(
  { startedAt }: Pick<Run, 'startedAt'>,
  phase: Phase,
): { start: number; end: number; millis: number } {
  const startMs = Date.parse(startedAt) + phase.startedMs;
  const millis = Math.trunc(phase.seconds * 1000);
  return { start: Math.floor(startMs / 1000), end: Math.floor((startMs + millis) / 1000), millis };
}

/** As Go writes JSON of a map: keys in the order of their bytes. */
function sorted(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** As Go indents it with one blank, with its way of writing three characters. */
function json(value: unknown): string {
  const plain = JSON.stringify(value, null, 1);
  return plain.replace(/[<>&]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
function whole(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
