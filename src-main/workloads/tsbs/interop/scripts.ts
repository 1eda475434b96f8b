import { entryOf } from '../../../../src-shared/entryOf.ts';
import { hostQueryTypes } from '../queries/queryTypes.ts';

/** A program of TSBS as one of its scripts starts it: flags with their values. */
export interface Started {
  program: string;
  flags: Readonly<Record<string, string>>;
}

/** A script: its variables with what they stand for when they are not set, and the programs that it starts. */
interface Script {
  /** What it stands for among lines that are joined. */
  kind: 'data' | 'queries' | 'load' | 'run-all' | 'whole';
  /** Variables → their values; null: not said in the script, or worked out there. */
  variables: Readonly<Record<string, string | null>>;
  starts(value: (variable: string) => string | null): Started[];
}

/** Passed over without a word: where files and programs lie, which the workbench has no use for. */
const places = {
  ...{ EXE_FILE_NAME: null, EXE_DIR: null, BULK_DATA_DIR: null, DATA_FILE_NAME: null, DATA_FILE: null },
  ...{ FORMATS: null, FORMAT: null, BACKOFF_SECS: null, TARGET: null, TARGET_DATA_FOLDER: null },
  ...{ CONTAINER_NAME: null, DATABASE_HEALTH_PORT: null },
};
/** Flags, without those that no variable gives a value. */
const flagsOf = (values: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );

const data = {
  ...{ SCALE: '4000', SEED: '123', USE_CASE: 'cpu-only', LOG_INTERVAL: '10s', MAX_DATA_POINTS: '0' },
  ...{ TS_START: '2016-01-01T00:00:00Z' },
};
const dataFlags = (value: (variable: string) => string | null) => ({
  'use-case': value('USE_CASE'),
  scale: value('SCALE'),
  seed: value('SEED'),
  'timestamp-start': value('TS_START') ?? value('START_TIME'),
  'timestamp-end': value('TS_END') ?? value('END_TIME'),
});

const generateData: Script = {
  kind: 'data',
  variables: { ...places, ...data, TS_END: '2016-01-04T00:00:00Z' },
  starts: (value) => [
    {
      program: 'tsbs_generate_data',
      flags: flagsOf({
        ...dataFlags(value),
        'log-interval': value('LOG_INTERVAL'),
        'max-data-points': value('MAX_DATA_POINTS'),
      }),
    },
  ],
};

/** What the scripts ask for by themselves: all types about hosts but the one with 32 of them. */
const allTypes = hostQueryTypes.map(({ name }) => name).filter((name) => name !== 'cpu-max-all-32-24');

const generateQueries: Script = {
  kind: 'queries',
  variables: {
    ...places,
    ...data,
    ...{ TS_END: '2016-01-04T00:00:01Z', QUERIES: '1000', QUERY_TYPES: allTypes.join(' ') },
    ...{ USE_JSON: 'false', USE_TAGS: 'true', USE_TIME_BUCKET: 'true', QUERY_TYPE: null },
  },
  starts: (value) =>
    queriesOf(value('QUERY_TYPES'), {
      ...dataFlags(value),
      queries: value('QUERIES'),
      'timescale-use-json': value('USE_JSON'),
      'timescale-use-tags': value('USE_TAGS'),
      'timescale-use-time-bucket': value('USE_TIME_BUCKET'),
    }),
};

function queriesOf(types: string | null, flags: Record<string, string | null>): Started[] {
  return (types ?? '')
    .split(/[\s,]+/)
    .filter((type) => type !== '')
    .map((type) => ({ program: 'tsbs_generate_queries', flags: flagsOf({ ...flags, 'query-type': type }) }));
}

const load = {
  ...{ DATABASE_HOST: null, DATABASE_NAME: 'benchmark', BATCH_SIZE: '10000', NUM_WORKERS: null },
  ...{ REPORTING_PERIOD: '10s' },
};
const loadFlags = (value: (variable: string) => string | null) => ({
  'db-name': value('DATABASE_NAME'),
  workers: value('NUM_WORKERS'),
  'batch-size': value('BATCH_SIZE'),
  'reporting-period': value('REPORTING_PERIOD'),
});

const loadTimescale: Script = {
  kind: 'load',
  variables: {
    ...places,
    ...load,
    ...{ DATABASE_USER: null, CHUNK_TIME: '8h', PARTITIONS: '0', HASH_WORKERS: 'false', PERF_OUTPUT: null },
    ...{ TIME_PARTITION_INDEX: 'false', JSON_TAGS: 'false', IN_TABLE_PARTITION_TAG: 'true' },
    ...{ USE_HYPERTABLE: 'true', DO_CREATE_DB: 'true', FORCE_TEXT_FORMAT: 'false' },
  },
  starts: (value) => [
    {
      program: 'tsbs_load_timescaledb',
      flags: flagsOf({
        ...loadFlags(value),
        host: value('DATABASE_HOST'),
        user: value('DATABASE_USER'),
        'chunk-time': value('CHUNK_TIME'),
        partitions: value('PARTITIONS'),
        'hash-workers': value('HASH_WORKERS'),
        'time-partition-index': value('TIME_PARTITION_INDEX'),
        'use-jsonb-tags': value('JSON_TAGS'),
        'in-table-partition-tag': value('IN_TABLE_PARTITION_TAG'),
        'use-hypertable': value('USE_HYPERTABLE'),
        'field-index-count': '1',
        'do-create-db': value('DO_CREATE_DB'),
        'force-text-format': value('FORCE_TEXT_FORMAT'),
        'write-profile': value('PERF_OUTPUT'),
      }),
    },
  ],
};

const loadQuestdb: Script = {
  kind: 'load',
  variables: { ...places, ...load, DATABASE_PORT: '9000', ILP_PORT: '9009' },
  starts(value) {
    const host = value('DATABASE_HOST') ?? 'localhost';
    return [
      {
        program: 'tsbs_load_questdb',
        flags: flagsOf({
          ...loadFlags(value),
          url: `http://${host}:${value('DATABASE_PORT')}`,
          'ilp-bind-to': `${host}:${value('ILP_PORT')}`,
        }),
      },
    ];
  },
};

const runQueries = (program: string): Script => ({
  kind: 'run-all',
  variables: { ...places, MAX_QUERIES: '0', NUM_WORKERS: null },
  starts: (value) => [
    { program, flags: flagsOf({ 'max-queries': value('MAX_QUERIES'), workers: value('NUM_WORKERS') }) },
  ],
});

const cycleTypes = ['lastpoint', 'cpu-max-all-1', 'high-cpu-1'];

/** Data, load, and each query type, one after the other, with a few hosts. */
const cycleTimescale: Script = {
  kind: 'whole',
  variables: {
    ...places,
    ...{ MAX_RPS: '0', MAX_QUERIES: '1000', PASSWORD: null, HOST: null, PORT: null, USER: null },
    ...{ DATABASE_NAME: 'benchmark', SCALE: '10', SEED: '123', USE_CASE: 'cpu-only', LOG_INTERVAL: '10s' },
    ...{ WORKERS: '1', QUERY_TYPES: cycleTypes.join(' '), START_TIME: null, END_TIME: null },
    ...{ TS_START: null, TS_END: null },
  },
  starts(value) {
    const common = { 'db-name': value('DATABASE_NAME'), user: value('USER'), port: value('PORT') };
    const more = { pass: value('PASSWORD'), workers: value('WORKERS') };
    const queries = queriesOf(value('QUERY_TYPES'), { ...dataFlags(value), queries: value('MAX_QUERIES') });
    const run: Started = {
      program: 'tsbs_run_queries_timescaledb',
      flags: flagsOf({
        ...{ ...common, ...more, hosts: value('HOST') },
        ...{ 'max-rps': value('MAX_RPS'), 'max-queries': value('MAX_QUERIES') },
      }),
    };
    return [
      {
        program: 'tsbs_generate_data',
        flags: flagsOf({ ...dataFlags(value), 'log-interval': value('LOG_INTERVAL') }),
      },
      { program: 'tsbs_load_timescaledb', flags: flagsOf({ ...common, ...more, host: value('HOST') }) },
      ...queries.flatMap((query) => [query, run]),
    ];
  },
};

const cycleQuestdb: Script = {
  kind: 'whole',
  variables: {
    ...places,
    ...{ SCALE: '10', SEED: '123', USE_CASE: 'cpu-only', LOG_INTERVAL: '10s', MAX_QUERIES: '10' },
    ...{ HOST: null, START_TIME: null, END_TIME: null, TS_START: null, TS_END: null, QUERIES: '1000' },
    QUERY_TYPES: [...cycleTypes, 'single-groupby-5-1-1', 'groupby-orderby-limit'].join(' '),
  },
  starts(value) {
    const host = value('HOST') ?? 'localhost';
    const queries = queriesOf(value('QUERY_TYPES'), { ...dataFlags(value), queries: value('QUERIES') });
    const run: Started = {
      program: 'tsbs_run_queries_questdb',
      flags: flagsOf({ 'max-queries': value('MAX_QUERIES'), 'pg-host': value('HOST') }),
    };
    return [
      {
        program: 'tsbs_generate_data',
        flags: flagsOf({ ...dataFlags(value), 'log-interval': value('LOG_INTERVAL') }),
      },
      {
        program: 'tsbs_load_questdb',
        flags: { url: `http://${host}:9000/`, 'ilp-bind-to': `${host}:9009` },
      },
      ...queries.flatMap((query) => [query, run]),
    ];
  },
};

const scripts: Readonly<Record<string, Script>> = {
  'generate_data.sh': generateData,
  'generate_queries.sh': generateQueries,
  'load_timescaledb.sh': loadTimescale,
  'load_questdb.sh': loadQuestdb,
  'run_queries_timescaledb.sh': runQueries('tsbs_run_queries_timescaledb'),
  'run_queries_questdb.sh': runQueries('tsbs_run_queries_questdb'),
  'full_cycle_minitest_timescaledb.sh': cycleTimescale,
  'full_cycle_timescaledb.sh': cycleTimescale,
  'full_cycle_minitest_questdb.sh': cycleQuestdb,
};

export function isScript(program: string): boolean {
  return entryOf(scripts, program) !== undefined;
}

/** Whether any of the scripts has such a variable. */
export function isVariable(name: string): boolean {
  return Object.values(scripts).some(({ variables }) => Object.hasOwn(variables, name));
}

/** What a script starts with these variables set. */
export function startedBy(
  program: string,
  environment: ReadonlyMap<string, string>,
): { started: Started[]; kind: Script['kind']; workersOfMachine: boolean } {
  const script = entryOf(scripts, program);
  if (script === undefined) throw new Error(`${program} is no script of TSBS`);
  const { variables, kind } = script;
  const value = (name: string) => environment.get(name) ?? entryOf(variables, name) ?? null;
  return {
    started: script.starts(value),
    kind,
    workersOfMachine: Object.hasOwn(variables, 'NUM_WORKERS') && value('NUM_WORKERS') === null,
  };
}
