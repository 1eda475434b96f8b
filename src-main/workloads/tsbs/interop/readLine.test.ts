import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src-shared/errors.ts';
import { readCommandLines } from '../../commandLine/readCommandLines.ts';
import { resolvePlan } from '../../resolve.ts';
import { tsbsCommandLines } from './readLine.ts';

const read = (text: string, files: Record<string, string> = {}) =>
  readCommandLines(text, [tsbsCommandLines], new Map(Object.entries(files)));

/** What is left out, without the reasons, and whether the plan can be run. */
function taken(text: string, files?: Record<string, string>) {
  const { name, target, steps, leftOut } = read(text, files);
  const { problems } = resolvePlan({ version: 1, name, target: target ?? 'sandbox', steps });
  return { target, steps, leftOut: leftOut.map(({ option }) => option), problems };
}

const cpu = {
  useCase: 'cpu-only',
  scale: 1,
  seed: 0,
  timestampStart: '2016-01-01T00:00:00Z',
  timestampEnd: '2016-01-02T00:00:00Z',
};

describe('command lines of TSBS', () => {
  it.each([
    // What stands in TSBS's own description.
    [
      'tsbs_generate_data --use-case="iot" --seed=123 --scale=4000 --timestamp-start="2016-01-01T00:00:00Z" --timestamp-end="2016-01-04T00:00:00Z" --log-interval="10s" --format="timescaledb" | gzip > /data/timescaledb-data.gz',
      null,
      [
        {
          'tsbs.load': {
            ...{ useCase: 'iot', seed: 123, scale: 4000, timestampStart: '2016-01-01T00:00:00Z' },
            ...{ timestampEnd: '2016-01-04T00:00:00Z', logInterval: '10s' },
          },
        },
      ],
      ['> /data/timescaledb-data.gz', '| gzip'],
    ],
    // Made into a file and loaded from it: one step.
    [
      'tsbs_generate_data --use-case cpu-only --scale 10 --format timescaledb --file /d\ntsbs_load_timescaledb --host=pi.local --workers=2 --file=/d',
      'postgresql://pi.local:5432/postgres',
      [{ 'tsbs.load': { ...cpu, scale: 10, workers: 2 } }],
      [],
    ],
    // The same through a pipe, with a slash too few and a dash too few.
    [
      '/opt/tsbs/bin/tsbs_generate_data -use-case=cpu-only -scale=3 -format=questdb | tsbs_load_timescaledb -workers 4 -hash-workers',
      null,
      [{ 'tsbs.load': { ...cpu, scale: 3, workers: 4, hashWorkers: true } }],
      [],
    ],
    // Two sets, each to its load.
    [
      'tsbs_generate_data --scale=1 --file=a; tsbs_generate_data --scale=2 --file=b; tsbs_load_timescaledb --file=b --db-name=two; tsbs_load_timescaledb --file=a --db-name=one',
      null,
      [
        { 'tsbs.load': { ...cpu, scale: 2, dbName: 'two' } },
        { 'tsbs.load': { ...cpu, scale: 1, dbName: 'one' } },
      ],
      [],
    ],
    // A file that was made before is loaded as it is.
    [
      'cat /data/old.gz | gunzip | tsbs_load_timescaledb --batch-size=5000 --chunk-time=12h0m0s',
      null,
      [{ 'tsbs.file': { file: '/data/old.gz', batchSize: 5000, chunkTime: '12h0m0s' } }],
      ['cat …', '| gunzip'],
    ],
    [
      'tsbs_load_timescaledb --limit=100 < /data/old',
      null,
      [{ 'tsbs.file': { file: '/data/old', limit: 100 } }],
      ['< …'],
    ],
    // Everything that the loader for TimescaleDB knows.
    [
      'tsbs_generate_data --seed=7 --log-interval=1m --max-data-points=500 --initial-scale=2 --scale=5 --use-case=cpu-only | tsbs_load_timescaledb --postgres="sslmode=require port=5433" --host=db --user=me --admin-db-name=adm --db-name=b --use-hypertable=false --use-jsonb-tags --in-table-partition-tag=true --partitions=4 --replication-factor=1 --chunk-time=8h --partition-index=f --time-index=0 --time-partition-index=T --field-index=TIME-VALUE --field-index-count=-1 --create-metrics-table=true --force-text-format --log-batches --insert-intervals=1,0-5 --do-load=true --do-create-db=false --do-abort-on-exist=true --reporting-period=1m',
      'postgresql://me@db:5433/adm?sslmode=require',
      [
        {
          'tsbs.load': {
            ...{ ...cpu, seed: 7, logInterval: '1m', maxDataPoints: 500, initialScale: 2, scale: 5 },
            ...{ dbName: 'b', useHypertable: false, useJsonbTags: true, inTablePartitionTag: true },
            ...{ partitions: 4, replicationFactor: 1, chunkTime: '8h', partitionIndex: false },
            ...{ timeIndex: false, timePartitionIndex: true, fieldIndex: 'TIME-VALUE', fieldIndexCount: -1 },
            ...{ createMetricsTable: true, forceTextFormat: true, logBatches: true },
            ...{ insertIntervals: '1,0-5', doLoad: true, doCreateDb: false, doAbortOnExist: true },
            reportingPeriod: '1m',
          },
        },
      ],
      [],
    ],
    // Queries that are made and run, type by type, are one step.
    [
      'tsbs_generate_queries --use-case=cpu-only --seed=123 --scale=100 --timestamp-end=2016-01-02T00:00:01Z --queries=50 --query-type=lastpoint --format=timescaledb > q1\ntsbs_generate_queries --use-case=cpu-only --seed=123 --scale=100 --timestamp-end=2016-01-02T00:00:01Z --queries=50 --query-type=high-cpu-1 --format=timescaledb > q2\ntsbs_run_queries_timescaledb --workers=2 --hosts=pi < q2\ntsbs_run_queries_timescaledb --workers=2 --hosts=pi < q1',
      'postgresql://pi:5432/postgres',
      [
        {
          'tsbs.queries': {
            ...{ ...cpu, seed: 123, scale: 100, timestampEnd: '2016-01-02T00:00:01Z', queries: 50 },
            ...{ types: ['high-cpu-1', 'lastpoint'], workers: 2 },
          },
        },
      ],
      ['> q1', '> q2', '< …'],
    ],
    // Run with other numbers of workers they are two.
    [
      'tsbs_generate_queries --query-type=lastpoint | tsbs_run_queries_timescaledb; tsbs_generate_queries --query-type=high-cpu-all | tsbs_run_queries_timescaledb --workers=4 --max-queries=10 --burn-in=2 --max-rps=50.5 --prewarm-queries --print-interval=0',
      null,
      [
        { 'tsbs.queries': { ...cpu, types: ['lastpoint'] } },
        {
          'tsbs.queries': {
            ...{ ...cpu, types: ['high-cpu-all'], workers: 4, maxQueries: 10, burnIn: 2, maxRps: 50.5 },
            ...{ prewarmQueries: true, printInterval: 0 },
          },
        },
      ],
      [],
    ],
    [
      'tsbs_generate_queries --query-type=cpu-max-all-1 --timescale-use-tags=false --timescale-use-json=true --timescale-use-time-bucket=false --clickhouse-use-tags=true | tsbs_run_queries_timescaledb --user=u --port=5444 --hosts=a,b --pass=hunter2 --debug=1 --show-explain | tee log',
      'postgresql://u@a:5444/postgres',
      [
        {
          'tsbs.queries': {
            ...cpu,
            ...{ timescaleUseTags: false, timescaleUseJson: true, timescaleUseTimeBucket: false },
            types: ['cpu-max-all-1'],
          },
        },
      ],
      ['--clickhouse-use-tags=true', '--pass', '--debug=1', '--show-explain', '--hosts: b', '| tee …'],
    ],
    // Queries whose making is not in the text.
    [
      'cat q.gz | gunzip | tsbs_run_queries_timescaledb --workers=8 --hdr-latencies=l.hdr --results-file=r.json',
      null,
      [{ 'tsbs.queries': { workers: 8 } }],
      ['--hdr-latencies=l.hdr', '--results-file=r.json', 'q.gz', 'cat …', '| gunzip'],
    ],
    // As an article about QuestDB on a Raspberry Pi 5 does it, generation cut off after two minutes.
    [
      'timeout 120s ./bin/tsbs_generate_data --use-case="cpu-only" --seed=123 --scale=4000 --timestamp-start="2016-01-01T00:00:00Z" --timestamp-end="2016-01-15T00:00:00Z" --log-interval="10s" --format="questdb" > ~/data\n./bin/tsbs_load_questdb --file ~/data --workers 4\n./bin/tsbs_generate_queries --use-case="cpu-only" --seed=123 --scale=4000 --timestamp-start="2016-01-01T00:00:00Z" --timestamp-end="2016-01-15T00:00:01Z" --queries=1000 --query-type="groupby-orderby-limit" --format="questdb" > ~/queries\n./bin/tsbs_run_queries_questdb --file ~/queries --workers 10',
      'questdb://localhost:9000',
      [
        {
          'tsbs.load': {
            ...{ ...cpu, seed: 123, scale: 4000, timestampEnd: '2016-01-15T00:00:00Z' },
            ...{ logInterval: '10s', workers: 4, ilpTransport: 'tcp' },
          },
        },
        {
          'tsbs.queries': {
            ...{ ...cpu, seed: 123, scale: 4000, timestampEnd: '2016-01-15T00:00:01Z' },
            ...{ queries: 1000, types: ['groupby-orderby-limit'], workers: 10 },
          },
        },
      ],
      ['tsbs_load_questdb', '> ~/data', 'timeout …', '> ~/queries'],
    ],
    // The scripts, with variables before them or set for all.
    [
      'SCALE=40 SEED=135 FORMATS=timescaledb BULK_DATA_DIR=/data/x scripts/generate_data.sh',
      null,
      [
        {
          'tsbs.load': {
            ...{ ...cpu, scale: 40, seed: 135, timestampEnd: '2016-01-04T00:00:00Z' },
            ...{ logInterval: '10s', maxDataPoints: 0 },
          },
        },
      ],
      [],
    ],
    [
      'export SCALE=9 DATABASE_HOST=pi\nscripts/generate_data.sh\nNUM_WORKERS=2 CHUNK_TIME=1h PERF_OUTPUT= scripts/load/load_timescaledb.sh',
      'postgresql://pi:5432/postgres',
      [
        {
          'tsbs.load': {
            ...{ ...cpu, scale: 9, seed: 123, timestampEnd: '2016-01-04T00:00:00Z', logInterval: '10s' },
            ...{ maxDataPoints: 0, dbName: 'benchmark', workers: 2, batchSize: 10_000 },
            ...{ reportingPeriod: '10s', chunkTime: '1h', partitions: 0, hashWorkers: false },
            ...{ timePartitionIndex: false, useJsonbTags: false, inTablePartitionTag: true },
            ...{ useHypertable: true, fieldIndexCount: 1, doCreateDb: true, forceTextFormat: false },
          },
        },
      ],
      [],
    ],
    [
      'QUERY_TYPES="lastpoint high-cpu-1" QUERIES=10 SCALE=4 ./scripts/generate_queries.sh && NUM_WORKERS=3 MAX_QUERIES=5 ./scripts/run_queries/run_queries_timescaledb.sh',
      null,
      [
        {
          'tsbs.queries': {
            ...{ ...cpu, scale: 4, seed: 123, timestampEnd: '2016-01-04T00:00:01Z', queries: 10 },
            ...{ timescaleUseJson: false, timescaleUseTags: true, timescaleUseTimeBucket: true },
            ...{ types: ['lastpoint', 'high-cpu-1'], maxQueries: 5, workers: 3 },
          },
        },
      ],
      [],
    ],
    [
      'HOST=pi.local PASSWORD=hunter2 SCALE=4 MAX_QUERIES=20 ./scripts/full_cycle_minitest/full_cycle_minitest_timescaledb.sh',
      'postgresql://pi.local:5432/postgres',
      [
        {
          'tsbs.load': {
            ...{ ...cpu, scale: 4, seed: 123, logInterval: '10s', dbName: 'benchmark', workers: 1 },
          },
        },
        {
          'tsbs.queries': {
            ...{ ...cpu, scale: 4, seed: 123, queries: 20, dbName: 'benchmark', workers: 1, maxRps: 0 },
            ...{ types: ['lastpoint', 'cpu-max-all-1', 'high-cpu-1'], maxQueries: 20 },
          },
        },
      ],
      ['--pass'],
    ],
    [
      'SCALE=3 ./full_cycle_minitest_questdb.sh',
      'questdb://localhost:9000',
      [
        {
          'tsbs.load': { ...{ ...cpu, scale: 3, seed: 123, logInterval: '10s' }, ilpTransport: 'tcp' },
        },
        {
          'tsbs.queries': {
            ...{ ...cpu, scale: 3, seed: 123, queries: 1000, maxQueries: 10 },
            types: [
              ...[
                'lastpoint',
                'cpu-max-all-1',
                'high-cpu-1',
                'single-groupby-5-1-1',
                'groupby-orderby-limit',
              ],
            ],
          },
        },
      ],
      ['tsbs_load_questdb'],
    ],
    // Variables that the text itself sets are put in.
    [
      `MAX_RPS=\${MAX_RPS:-"0"}\nWORKERS=3\n$GOPATH/bin/tsbs_generate_queries --query-type lastpoint --file f_lastpoint\n$GOPATH/bin/tsbs_run_queries_timescaledb --max-rps=\${MAX_RPS} --workers=$WORKERS --pass=\${PASSWORD} --file=f_lastpoint`,
      null,
      [{ 'tsbs.queries': { ...cpu, types: ['lastpoint'], maxRps: 0, workers: 3 } }],
      ['--pass'],
    ],
    // Older names.
    [
      'tsbs_generate_data --scale-var=6 | tsbs_load_timescaledb',
      null,
      [{ 'tsbs.load': { ...cpu, scale: 6 } }],
      [],
    ],
    [
      'tsbs_generate_queries --query-type=lastpoint --format=questdb | tsbs_run_queries_questdb --pg-host=pi --pg-user=me --pg-pass=hunter2 --workers=2 --pg-port=8812 --use-http=false',
      'questdb://me@pi:9000',
      [{ 'tsbs.queries': { ...cpu, types: ['lastpoint'], workers: 2 } }],
      ['--pg-pass', '--pg-port=8812', '--use-http=false'],
    ],
    [
      'tsbs_generate_data | tsbs_load_clickhouse --host=pi --user=me',
      null,
      [{ 'tsbs.load': cpu }],
      ['tsbs_load_clickhouse'],
    ],
    // A database that is no target here: the load is taken over.
    [
      'tsbs_generate_data --scale=2 --format=influx | tsbs_load_influx --workers=4 --urls=http://localhost:8086',
      null,
      [{ 'tsbs.load': { ...cpu, scale: 2, workers: 4 } }],
      ['--format=influx', 'tsbs_load_influx', '--urls=http://localhost:8086'],
    ],
    [
      'tsbs_generate_data --scale=2 | tsbs_load_questdb --workers=4 --url=http://pi:9001/ --ilp-bind-to pi:9010 --auth-token=hunter2',
      'questdb://pi:9001?ilpPort=9010',
      [{ 'tsbs.load': { ...cpu, scale: 2, workers: 4, ilpTransport: 'tcp' } }],
      ['--auth-token', 'tsbs_load_questdb'],
    ],
  ])('%s', (text, target, steps, leftOut) => {
    const { problems, ...read } = taken(text);
    expect(read).toEqual({ target, steps, leftOut });
    expect(problems).toEqual([]);
  });

  it('names what it cannot take over, and why', () => {
    const { leftOut } = read(
      'FOO=1 tsbs_generate_data --scale=ten --sed=1 --use-case=dev-ops --timestamp-start=yesterday --seed=$SEED --profile-file=p extra | tsbs_load_timescaledb --hash-workers false --workers=0 --write-replication-stats=x --no-flow-control --flow-control --channel-capacity=8',
    );
    expect(leftOut).toEqual([
      { option: '--scale=ten', reason: 'a whole number is needed, below 2^53' },
      { option: '--sed=1', reason: 'tsbs_generate_data has no such option: did you mean seed?' },
      {
        option: '--use-case=dev-ops',
        reason: expect.stringMatching(/is not one of cpu-only.*Did you mean devops\?/),
      },
      { option: '--timestamp-start=yesterday', reason: expect.stringMatching(/A time with its zone/) },
      { option: '--seed=$SEED', reason: 'only a shell can work it out: write its value' },
      { option: '--profile-file=p', reason: expect.stringMatching(/no profiler/) },
      { option: 'extra', reason: expect.stringMatching(/behind an equals sign/) },
      { option: 'FOO', reason: 'TSBS takes nothing from this variable' },
      { option: '--workers=0', reason: '0 is out of range: 1 to 1,000' },
      { option: '--write-replication-stats=x', reason: 'replicas are not watched' },
      { option: '--no-flow-control', reason: expect.stringMatching(/there is no queue/) },
      { option: '--flow-control', reason: expect.stringMatching(/there is no queue/) },
      { option: '--channel-capacity=8', reason: expect.stringMatching(/there is no queue/) },
      { option: 'false', reason: expect.stringMatching(/behind an equals sign/) },
    ]);
  });

  it('reads the configuration that a line names, and lets its flags win', () => {
    const line =
      'tsbs_load load timescaledb --config=./c.yaml --loader.runner.workers=4 --loader.db-specific.pass hunter2';
    expect(read(line).missingFiles).toEqual(['./c.yaml']);
    const config =
      'data-source:\n  simulator:\n    scale: 7\n    use-case: cpu-only\nloader:\n  runner:\n    workers: 2\n    log-batches:false\n    pass:hunter2\n';
    const { steps, leftOut } = read(line, { './c.yaml': config });
    expect(steps).toEqual([
      {
        'tsbs.load': {
          ...{ useCase: 'cpu-only', scale: 7, seed: 0, workers: 4 },
          ...{ timestampStart: '2020-01-01T00:00:00Z', timestampEnd: '2020-01-02T00:00:00Z' },
        },
      },
    ]);
    expect(leftOut).toEqual([
      { option: '--loader.db-specific.pass', reason: expect.stringMatching(/kept with the target/) },
      {
        option: './c.yaml: A space is missing after the colon of "log-batches"',
        reason: 'Write log-batches: false',
        place: { line: 8, column: 5 },
      },
      {
        option: './c.yaml: A space is missing after the colon of "pass"',
        reason: 'Write pass: …',
        place: { line: 9, column: 5 },
      },
    ]);
  });

  it.each([
    ['tsbs_load config --target=timescaledb --data-source=SIMULATOR', 'Nothing in this text loads data'],
    ['go install github.com/timescale/tsbs/cmd/tsbs_load', 'There is no command line of TSBS in this text'],
    ['cd $GOPATH/src/github.com/timescale/tsbs/cmd/tsbs_generate_data', 'There is no command line of TSBS'],
  ])('%s: %s', (text, message) => expect(() => read(text)).toThrow(message));

  it('never throws anything but an error that says what is wrong, and never makes a step with a value that it refuses', () => {
    const word = fc.oneof(
      fc.constantFrom('tsbs_generate_data', 'tsbs_load_timescaledb', 'tsbs_run_queries_questdb', 'tsbs_load'),
      fc.constantFrom(
        '--scale=4',
        '--scale',
        '-workers',
        '--query-type=lastpoint',
        'load',
        '|',
        ';',
        '<',
        '>',
      ),
      fc.constantFrom('SCALE=1', 'generate_data.sh', '--pass=x', '--postgres=a=b', '--url=::', '--hosts=,'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        try {
          const { steps } = read(words.join(' '));
          for (const step of steps)
            for (const [id, parameters] of Object.entries(step)) {
              const { problems } = resolvePlan({ version: 1, name: 'x', steps: [{ [id]: parameters }] });
              expect(problems.filter(({ message }) => message.startsWith('There is no key'))).toEqual([]);
            }
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
  });
});
