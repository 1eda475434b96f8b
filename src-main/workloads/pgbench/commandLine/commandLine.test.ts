import { describe, expect, it } from 'vitest';
import { readCommandLines } from '../../commandLine/readCommandLines.ts';
import { toolOf } from '../../commandLine/tool.ts';
import { resolvePlan } from '../../resolve.ts';
import { readPgbenchLine } from './readPgbenchLine.ts';

const tools = [toolOf('pgbench', readPgbenchLine)];
const read = (text: string, files: Record<string, string> = {}) =>
  readCommandLines(text, tools, new Map(Object.entries(files)));

/** Steps, target and what is left out; the plan that they make is one that can be run. */
function taken(text: string, files?: Record<string, string>) {
  const { name, target, steps, leftOut } = read(text, files);
  const { problems } = resolvePlan({ version: 1, name, target: target ?? 'sandbox', steps });
  return { target, steps, leftOut, problems };
}

describe('command lines of pgbench', () => {
  it.each([
    // The one of the manual's kind that everybody knows.
    [
      'pgbench -c 10 -j 2 -T 3600 -P 60 bench_test',
      null,
      [{ 'pgbench.run': { dbName: 'bench_test', clients: 10, jobs: 2, seconds: 3600, progress: 60 } }],
    ],
    // Making the tables.
    ['pgbench -i -s 50 mydb', null, [{ 'pgbench.init': { dbName: 'mydb', scale: 50 } }]],
    [
      'pgbench --initialize --scale=100 --init-steps=dtGvpf --fillfactor 90 --foreign-keys -q -h db.local -U bench bench',
      'postgresql://bench@db.local:5432/postgres',
      [
        {
          'pgbench.init': {
            ...{
              dbName: 'bench',
              scale: 100,
              initSteps: 'dtGvpf',
              fillfactor: 90,
              foreignKeys: true,
              quiet: true,
            },
          },
        },
      ],
    ],
    [
      'pgbench -i -n --partitions=8 --partition-method=hash --unlogged --tablespace=fast --index-tablespace="my ssd" b',
      null,
      [
        {
          'pgbench.init': {
            ...{ dbName: 'b', noVacuum: true, partitions: 8, partitionMethod: 'hash', unloggedTables: true },
            ...{ tablespace: 'fast', indexTablespace: 'my ssd' },
          },
        },
      ],
    ],
    // Clustered flags, values attached, words in any order.
    [
      '/usr/lib/postgresql/15/bin/pgbench bench -nSc32 -j4 -T60 -Mprepared',
      null,
      [
        {
          'pgbench.run': {
            ...{
              scripts: [{ builtin: 'select-only' }],
              dbName: 'bench',
              noVacuum: true,
              clients: 32,
              jobs: 4,
            },
            ...{ seconds: 60, protocol: 'prepared' },
          },
        },
      ],
    ],
    // Where the server is, from the environment, with quotes.
    [
      `PGHOST="10.0.0.7" PGPORT=5433 PGUSER='bench mark' PGDATABASE=b pgbench -N -t 1000 --client=8`,
      'postgresql://bench%20mark@10.0.0.7:5433/postgres',
      [
        {
          'pgbench.run': {
            ...{ scripts: [{ builtin: 'simple-update' }], dbName: 'b', transactions: 1000, clients: 8 },
          },
        },
      ],
    ],
    // An open loop with a limit, retries, and a seed.
    [
      'pgbench -R 300.5 -L 20 --max-tries=0 --random-seed=42 -T 600 -c 20 -r --progress=10 --progress-timestamp "dbname=bench host=/var/run/postgresql sslmode=disable"',
      'postgresql://localhost:5432/postgres?host=%2Fvar%2Frun%2Fpostgresql&sslmode=disable',
      [
        {
          'pgbench.run': {
            ...{ dbName: 'bench', rate: 300.5, latencyLimit: 20, maxTries: 0, seconds: 600, clients: 20 },
            ...{ reportPerCommand: true, progress: 10, progressTimestamp: true, randomSeed: 42 },
          },
        },
      ],
    ],
    // A weighted mix by prefixes of names.
    [
      'pgbench -b tpcb@1 -b se@9 -c4 postgresql://app@db.local:6000/shop',
      'postgresql://app@db.local:6000/postgres',
      [
        {
          'pgbench.run': {
            scripts: [
              { builtin: 'tpcb-like', weight: 1 },
              { builtin: 'select-only', weight: 9 },
            ],
            ...{ dbName: 'shop', clients: 4 },
          },
        },
      ],
    ],
    // A new connection each time, vacuum of all, the scale of one's own scripts; continued over two lines.
    [
      'pgbench -Cv -s 7 \\\n  -d bench -c 3 --exit-on-abort',
      null,
      [
        {
          'pgbench.run': {
            ...{ dbName: 'bench', connect: true, vacuumAll: true, scale: 7, clients: 3, exitOnAbort: true },
          },
        },
      ],
    ],
    [
      'pgbench -l -T 60 --aggregate-interval=10 --log-prefix mine b',
      null,
      [
        {
          'pgbench.run': { dbName: 'b', log: true, seconds: 60, aggregateInterval: 10, logPrefix: 'mine' },
        },
      ],
    ],
    [
      'pgbench -lnc4 --sampling-rate=.01 b',
      null,
      [{ 'pgbench.run': { dbName: 'b', log: true, noVacuum: true, clients: 4, samplingRate: 0.01 } }],
    ],
    // Both at once.
    [
      'export PGUSER=bench\npgbench -i -s 2 b && pgbench -T 5 b',
      'postgresql://bench@localhost:5432/postgres',
      [{ 'pgbench.init': { dbName: 'b', scale: 2 } }, { 'pgbench.run': { dbName: 'b', seconds: 5 } }],
    ],
  ])('%s', (text, target, steps) =>
    expect(taken(text)).toEqual({ target, steps, leftOut: [], problems: [] }),
  );

  it('takes scripts from files that are known, with variables for them', () => {
    const text = `pgbench -f "my script.sql"@3 --file=other.sql -D rows=500 -D "greeting=it's me" -M extended -T 30 b`;
    const files = { 'my script.sql': '\\set x random(1, :rows)\nSELECT :x;', 'other.sql': 'SELECT 1;' };
    const line = taken(text, files);
    expect(line.problems).toEqual([]);
    expect(line.steps).toEqual([
      {
        'pgbench.run': {
          scripts: [
            { name: 'my script.sql', text: files['my script.sql'], weight: 3 },
            { name: 'other.sql', text: 'SELECT 1;' },
          ],
          ...{ dbName: 'b', define: `rows=500 'greeting=it'\\''s me'`, protocol: 'extended', seconds: 30 },
        },
      },
    ]);
    expect(read(text).missingFiles).toEqual(['my script.sql', 'other.sql']);
    expect(taken(text).problems.map(({ path }) => path)).toEqual([
      'steps[0].pgbench.run.scripts[0]',
      'steps[0].pgbench.run.scripts[1]',
    ]);
  });

  it('names what it leaves out, and why', () => {
    const text =
      'sudo -u postgres PGPASSWORD=hunter2 pgbench --verbose-errors -l --sampling-rate=1.1 --log-prefix=/var/log/../log -c ten --pro=5 --frob -h $HOST -F 90 b c > out.txt 2>&1 | tee log; psql b';
    const { leftOut, steps } = read(text);
    expect(steps).toEqual([{ 'pgbench.run': { dbName: 'b', log: true, logPrefix: 'log' } }]);
    expect(leftOut).toEqual([
      { option: 'PGPASSWORD', reason: expect.stringMatching(/kept with the target/) },
      { option: '--verbose-errors', reason: expect.stringMatching(/SQLSTATE/) },
      { option: '--sampling-rate=1.1', reason: 'a number above 0 and not above 1 is needed' },
      { option: '--log-prefix=/var/log/../log', reason: expect.stringMatching(/only the name log is taken/) },
      { option: '-c ten', reason: 'a whole number above 0 is needed' },
      { option: '--pro=5', reason: 'it may be --progress or --protocol or --progress-timestamp' },
      { option: '--frob', reason: 'pgbench has no such option' },
      { option: '-h $HOST', reason: 'only a shell can work it out: write its value' },
      { option: '-F 90', reason: 'pgbench takes it only together with -i' },
      { option: 'c', reason: 'pgbench takes one database and no more words' },
      { option: '> out.txt', reason: 'what is printed is kept with the run' },
      { option: '2>&1', reason: 'what is printed is kept with the run' },
      { option: 'sudo …', reason: 'the workbench starts the load by itself' },
      { option: '| tee …', reason: 'what is printed is kept with the run' },
      { option: 'psql …', reason: 'it is no command line of pgbench' },
    ]);
  });

  it('never takes a password over', () => {
    const text =
      'PGPASSWORD=hunter2 pgbench "postgresql://u:hunter2@db/b?connect_timeout=3" ; pgbench "dbname=b password=hunter2"';
    expect(JSON.stringify(read(text))).not.toContain('hunter2');
    expect(read(text).leftOut.map(({ option }) => option)).toEqual([
      'PGPASSWORD',
      'the password in the URL',
      'connect_timeout=3',
      'password=…',
    ]);
  });

  it.each([
    ['psql -c "select 1"', 'There is no command line of pgbench in this text'],
    ['', 'There is no command line of pgbench in this text'],
    ['pgbench -b list', 'With this option pgbench prints something and runs nothing'],
    ['pgbench --help', 'With this option pgbench prints something and runs nothing'],
    ['pgbench "b', 'The quote " is not closed'],
  ])('%s: %s', (text, message) => expect(() => read(text)).toThrow(message));
});
