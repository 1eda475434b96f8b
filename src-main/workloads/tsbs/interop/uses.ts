import type { ServerParts } from '../../commandLine/server.ts';

/** What becomes of an option of TSBS: a flag, a key of its configuration, or a variable of its scripts. */
export type Use =
  /** A parameter of the step; `note` says what is different about it here. */
  | { kind: 'parameter'; key: string; value: ValueKind; note?: string }
  | { kind: 'server'; part: keyof ServerParts; value: 'text' }
  /** Read by itself. */
  | { kind: 'special'; name: SpecialName; value: ValueKind }
  | { kind: 'secret' }
  /** `anyway`: values that say what is so in any case. */
  | { kind: 'left-out'; value: ValueKind; reason: string; anyway: readonly string[] };

/** How a value is written. */
export type ValueKind = 'whole' | 'number' | 'switch' | 'duration' | 'text';

export type SpecialName =
  | 'file'
  | 'query-type'
  /** `host` or `host,host`. */
  | 'hosts'
  /** libpq's `key=value key=value`. */
  | 'postgres'
  /** QuestDB's addresses. */
  | 'url'
  | 'ilp'
  /** Configuration of `tsbs_load`. */
  | 'config'
  | 'source';

export type Uses = Readonly<Record<string, Use>>;

const parameter = (key: string, value: ValueKind, note?: string): Use => ({
  ...{ kind: 'parameter', key, value },
  ...(note !== undefined && { note }),
});
const special = (name: SpecialName, value: ValueKind = 'text'): Use => ({ kind: 'special', name, value });
const server = (part: keyof ServerParts): Use => ({ kind: 'server', part, value: 'text' });
const secret: Use = { kind: 'secret' };
const leftOut = (reason: string, value: ValueKind = 'text', anyway: readonly string[] = []): Use => ({
  ...{ kind: 'left-out', value, reason, anyway },
});

const profiles = 'Benchberry has no profiler of its own; a run says how busy its loader was';
const noDebug = 'nothing more is printed: a run keeps its plan, its queries and its events';
const wholeSet = 'the whole data set is made by one plan, its workers share it';
const ownFile = 'rows and queries go to the server as they are made: no file lies between';
const target = 'the target decides in which form rows and queries are sent';
/** Databases of TSBS that are targets here. */
const targets = ['timescaledb', 'postgresql', 'questdb'];
const noQueue =
  'kept for the way back to TSBS and without effect here: each worker makes its next batch while the server has the one before, so that there is no queue';

/** Of `tsbs_generate_data`, and below `data-source.simulator` of a configuration. */
export const simulatorUses: Uses = {
  'use-case': parameter('useCase', 'text'),
  scale: parameter('scale', 'whole'),
  'timestamp-start': parameter('timestampStart', 'text'),
  'timestamp-end': parameter('timestampEnd', 'text'),
  'log-interval': parameter('logInterval', 'duration'),
  seed: parameter('seed', 'whole'),
  'max-data-points': parameter('maxDataPoints', 'whole'),
  'initial-scale': parameter('initialScale', 'whole'),
  'max-metric-count': parameter('maxMetricCount', 'whole'),
  'interleaved-generation-groups': leftOut(wholeSet, 'whole', ['1']),
  'interleaved-generation-group-id': leftOut(wholeSet, 'whole', ['0']),
  debug: leftOut(noDebug, 'whole', ['0']),
};

/** `initial-scale` of a configuration: `tsbs_load` reads it and never uses it. */
export const forgottenInitialScale = leftOut(
  'tsbs_load reads this key and forgets it: all hosts are there from the start, and so they are in this plan (initialScale would be followed)',
  'whole',
  ['0'],
);

/** `loader.target` of a configuration. */
export const configTarget = leftOut(target, 'text', targets);

export const generateDataUses: Uses = {
  ...simulatorUses,
  'scale-var': parameter('scale', 'whole'),
  format: leftOut(target, 'text', targets),
  file: special('file'),
  'profile-file': leftOut(profiles),
};

/** Of all loaders, and below `loader.runner` of a configuration. */
export const runnerUses: Uses = {
  'db-name': parameter('dbName', 'text'),
  'batch-size': parameter('batchSize', 'whole'),
  workers: parameter('workers', 'whole'),
  limit: parameter('limit', 'whole'),
  'do-load': parameter('doLoad', 'switch'),
  'do-create-db': parameter('doCreateDb', 'switch'),
  'do-abort-on-exist': parameter('doAbortOnExist', 'switch'),
  'reporting-period': parameter('reportingPeriod', 'duration'),
  'hash-workers': parameter('hashWorkers', 'switch'),
  'insert-intervals': parameter('insertIntervals', 'text'),
  'flow-control': parameter('flowControl', 'switch', noQueue),
  'channel-capacity': parameter('channelCapacity', 'whole', noQueue),
  'no-flow-control': leftOut(noQueue, 'switch'),
  seed: leftOut(
    'it draws the pauses between batches only; here the seed of the data draws them too',
    'whole',
  ),
};

const loaderUses: Uses = {
  ...runnerUses,
  file: special('file'),
  'results-file': leftOut('results are kept with the run: benchberry export ID --format tsbs-json'),
  config: special('config'),
};

const tables: Uses = {
  'use-hypertable': parameter('useHypertable', 'switch'),
  'use-jsonb-tags': parameter('useJsonbTags', 'switch'),
  'in-table-partition-tag': parameter('inTablePartitionTag', 'switch'),
  partitions: parameter('partitions', 'whole'),
  'replication-factor': parameter('replicationFactor', 'whole'),
  'chunk-time': parameter('chunkTime', 'text'),
  'partition-index': parameter('partitionIndex', 'switch'),
  'time-index': parameter('timeIndex', 'switch'),
  'time-partition-index': parameter('timePartitionIndex', 'switch'),
  'field-index': parameter('fieldIndex', 'text'),
  'field-index-count': parameter('fieldIndexCount', 'whole'),
  'create-metrics-table': parameter('createMetricsTable', 'switch'),
  'force-text-format': parameter('forceTextFormat', 'switch'),
  'use-insert': parameter('useInsert', 'switch'),
};

/** Below `loader.db-specific` of a configuration for TimescaleDB. */
export const timescaleUses: Uses = {
  host: server('host'),
  port: server('port'),
  user: server('user'),
  pass: secret,
  'admin-db-name': server('database'),
  postgres: special('postgres'),
  ...tables,
  'log-batches': parameter('logBatches', 'switch'),
  'write-profile': leftOut(
    'a run watches the server’s processor and memory by itself, where it knows the host',
  ),
  'write-replication-stats': leftOut('replicas are not watched'),
  'partition-column': leftOut('TSBS reads it and never uses it'),
};

/** Below `loader.db-specific` of a configuration for QuestDB. */
export const questdbUses: Uses = {
  'ilp-bind-to': special('ilp'),
  url: special('url'),
  tls: leftOut('TLS is part of the target’s connection', 'switch'),
  'auth-id': leftOut('who signs in is part of the target’s connection'),
  'auth-token': secret,
};

export const loadTimescaleUses: Uses = { ...loaderUses, ...timescaleUses };
export const loadQuestdbUses: Uses = { ...loaderUses, ...questdbUses };

export const generateQueriesUses: Uses = {
  'use-case': parameter('useCase', 'text'),
  scale: parameter('scale', 'whole'),
  'scale-var': parameter('scale', 'whole'),
  'timestamp-start': parameter('timestampStart', 'text'),
  'timestamp-end': parameter('timestampEnd', 'text'),
  seed: parameter('seed', 'whole'),
  queries: parameter('queries', 'whole'),
  'query-type': special('query-type'),
  'timescale-use-tags': parameter('timescaleUseTags', 'switch'),
  'timescale-use-json': parameter('timescaleUseJson', 'switch'),
  'timescale-use-time-bucket': parameter('timescaleUseTimeBucket', 'switch'),
  'interleaved-generation-groups': leftOut(wholeSet, 'whole', ['1']),
  'interleaved-generation-group-id': leftOut(wholeSet, 'whole', ['0']),
  'clickhouse-use-tags': leftOut('ClickHouse is no target here', 'switch'),
  'mongo-use-naive': leftOut('of MongoDB only', 'switch'),
  'db-name': leftOut('the database is that of the queries’ run'),
  format: leftOut(target, 'text', targets),
  file: special('file'),
  debug: leftOut(noDebug, 'whole', ['0']),
};

const runQueriesUses: Uses = {
  'db-name': parameter('dbName', 'text'),
  workers: parameter('workers', 'whole'),
  'max-queries': parameter('maxQueries', 'whole'),
  limit: parameter('maxQueries', 'whole'),
  'max-rps': parameter('maxRps', 'number'),
  'burn-in': parameter('burnIn', 'whole'),
  'print-interval': parameter('printInterval', 'whole'),
  'prewarm-queries': parameter('prewarmQueries', 'switch'),
  'print-responses': leftOut('answers are counted and not printed', 'switch'),
  debug: leftOut(noDebug, 'whole', ['0']),
  'hdr-latencies': leftOut('histograms are kept with the run: benchberry export ID --format tsbs-hdr'),
  'results-file': leftOut('results are kept with the run: benchberry export ID --format tsbs-json'),
  memprofile: leftOut(profiles),
  file: special('file'),
};

export const runTimescaleUses: Uses = {
  ...runQueriesUses,
  hosts: special('hosts'),
  user: server('user'),
  pass: secret,
  port: server('port'),
  postgres: special('postgres'),
  'show-explain': leftOut('plans of queries are not shown', 'switch'),
  'force-text-format': leftOut('how answers are encoded is for the driver to choose', 'switch'),
};

export const runQuestdbUses: Uses = {
  ...runQueriesUses,
  'pg-host': server('host'),
  'pg-port': leftOut('the port of queries is part of the target’s connection', 'whole'),
  'pg-user': server('user'),
  'pg-pass': secret,
  'pg-db': leftOut('QuestDB has one database'),
  'use-http': leftOut('whether queries go over HTTP is part of the target’s connection', 'switch'),
  url: special('url'),
  urls: special('url'),
  username: server('user'),
  password: secret,
};

/** Why files are left out that one program of TSBS makes for another one, and programs that hand files on. */
export const noFile = ownFile;
export const noCarriers = 'a step makes or reads, and unpacks, by itself what it sends';
