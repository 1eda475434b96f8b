import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitWords } from '../commandLine/words.ts';
import { readSysbenchLine } from './commandLine.ts';
import { prepareStep } from './prepareStep.ts';
import { runStep } from './runStep.ts';

const read = (line: string, environment: [string, string][] = []) =>
  readSysbenchLine(splitWords(line).slice(1), {
    program: 'sysbench',
    environment: new Map(environment),
    files: new Map(),
    input: null,
    output: null,
  });

describe('command lines of sysbench', () => {
  it('1.0: a run on a server of its own', () => {
    expect(read('sysbench --pgsql-host=db.local --threads=64 oltp_read_write run')).toEqual({
      name: 'sysbench oltp_read_write',
      target: 'postgresql://sbtest@db.local:5432/postgres',
      steps: [{ 'sysbench.run': { script: 'oltp_read_write', threads: 64 } }],
      leftOut: [],
    });
  });

  it('quotes, blanks in place of =, and a line that is continued', () => {
    const line = `sysbench "oltp_read_only" --db-driver=pgsql --pgsql-host 10.0.0.7 \\
      --pgsql-port='5433' --pgsql-user="bench mark" --pgsql-db=b1 --tables 8 --table-size=100000 \\
      --threads 16 --time=300 --report-interval=10 --percentile=99 --rand-type=pareto --rand-pareto-h=0.1 run`;
    expect(read(line)).toEqual({
      name: 'sysbench oltp_read_only',
      target: 'postgresql://bench%20mark@10.0.0.7:5433/postgres',
      steps: [
        {
          'sysbench.run': {
            ...{
              script: 'oltp_read_only',
              dbName: 'b1',
              tables: 8,
              tableSize: 100_000,
              threads: 16,
              time: 300,
            },
            ...{ reportInterval: 10, percentile: 99, randType: 'pareto', randParetoH: 0.1 },
          },
        },
      ],
      leftOut: [],
    });
  });

  it('prepare: what only a run has is not its own', () => {
    const line =
      'sysbench --db-driver=pgsql --threads=4 --time=60 --tables=4 --table_size=1000000 --create_secondary=off oltp_read_write prepare';
    expect(read(line)).toEqual({
      name: 'sysbench oltp_read_write, prepare',
      target: 'postgresql://sbtest@localhost:5432/postgres',
      steps: [
        { 'sysbench.prepare': { threads: 4, tables: 4, tableSize: 1_000_000, createSecondary: false } },
      ],
      leftOut: [],
    });
  });

  it('cleanup: the tables that it names', () => {
    expect(read('sysbench oltp_read_write --tables=4 --threads=4 cleanup').steps).toEqual([
      { 'sysbench.cleanup': { tables: 4, replaceTables: true } },
    ]);
  });

  it('what cannot be taken over is named', () => {
    const line =
      'sysbench --config-file=pg.cfg --pgsql-password=secret --mysql-ssl --secondary=on --report-checkpoints=10,20 ' +
      '--forced-shutdown=5 --nonsense=1 --threads=$N --time=long oltp_point_select run';
    const { leftOut, steps, target } = read(line);
    expect(steps).toEqual([{ 'sysbench.run': { script: 'oltp_point_select' } }]);
    expect(leftOut.map(({ option }) => option)).toEqual([
      ...['--config-file=pg.cfg', '--pgsql-password', '--mysql-ssl', '--secondary=on'],
      ...['--report-checkpoints=10,20', '--forced-shutdown=5', '--nonsense=1', '--threads=$N', '--time=long'],
    ]);
    expect(leftOut[0]?.reason).toBe('a file with options is not read: paste its options too');
    expect(leftOut[1]?.reason).toContain('a password has no place in a plan');
    expect(leftOut[8]?.reason).toBe('a whole number is needed');
    expect(JSON.stringify([steps, target, leftOut])).not.toContain('secret');
  });

  it('0.4, complex: its own tables, its own limits', () => {
    const line =
      'sysbench --test=oltp --db-driver=pgsql --pgsql-user=postgres --oltp-table-size=1000000 --oltp-test-mode=complex ' +
      '--num-threads=64 --max-time=300 --max-requests=0 --oltp-dist-type=special run';
    expect(read(line)).toMatchObject({
      target: 'postgresql://postgres@localhost:5432/postgres',
      steps: [
        {
          'sysbench.run': {
            ...{ script: 'oltp_read_write', sysbenchVersion: '0.4', tableSize: 1_000_000, threads: 64 },
            ...{ time: 300, events: 0, randType: 'special' },
          },
        },
      ],
      leftOut: [],
    });
  });

  it.each([
    ['--oltp-test-mode=simple', 'oltp_point_select'],
    ['--oltp-read-only', 'oltp_read_only'],
    ['--oltp-test-mode=nontrx --oltp-nontrx-mode=update_key', 'oltp_update_index'],
    ['--oltp-test-mode=nontrx', 'oltp_point_select'],
  ])('0.4: %s', (options, script) => {
    expect(read(`sysbench --test=oltp ${options} run`).steps).toEqual([
      { 'sysbench.run': { script, events: 10_000, time: 0, sysbenchVersion: '0.4' } },
    ]);
  });

  it('0.5: scripts by their files, options with their prefix', () => {
    const line =
      'sysbench --test=/usr/share/doc/sysbench/tests/db/oltp.lua --oltp-tables-count=8 --oltp-table-size=500000 ' +
      '--oltp-read-only=on --num-threads=8 --max-time=120 --max-requests=0 --oltp-range-size=10 run';
    expect(read(line).steps).toEqual([
      {
        'sysbench.run': {
          ...{ script: 'oltp_read_only', events: 0, time: 120, tables: 8, tableSize: 500_000 },
          ...{ threads: 8, rangeSize: 10 },
        },
      },
    ]);
  });

  it('a script by its path, a local socket, TLS, the last of two options', () => {
    const line =
      'sysbench /usr/share/sysbench/oltp_write_only.lua --pgsql-host=/var/run/postgresql --pgsql-sslmode=require ' +
      '--threads=1 --threads=2 --rand-seed=42 --histogram=on --skip-trx run';
    expect(read(line)).toMatchObject({
      target: 'postgresql://sbtest@localhost:5432/postgres?host=%2Fvar%2Frun%2Fpostgresql&sslmode=require',
      steps: [
        {
          'sysbench.run': {
            script: 'oltp_write_only',
            threads: 2,
            randSeed: 42,
            histogram: true,
            skipTrx: true,
          },
        },
      ],
    });
  });

  it('oltp_insert with ids of its own prepares empty tables, and says so', () => {
    const { steps, leftOut } = read('sysbench oltp_insert --auto-inc=off --table-size=100 prepare');
    expect(steps).toEqual([{ 'sysbench.prepare': { autoInc: false, tableSize: 0 } }]);
    expect(leftOut).toHaveLength(1);
  });

  it('variables around it: how the connection is protected, and that a password stays out', () => {
    const around: [string, string][] = [
      ['PGSSLMODE', 'require'],
      ['PGPASSWORD', 'secret'],
    ];
    const { target, leftOut } = read('sysbench oltp_read_only --pgsql-host=db run', around);
    expect(target).toBe('postgresql://sbtest@db:5432/postgres?sslmode=require');
    expect(leftOut.map(({ option }) => option)).toEqual(['PGPASSWORD']);
  });

  it('an option without its value does not swallow the test', () => {
    const { steps, leftOut } = read('sysbench --nonsense oltp_read_only --verbosity 3 --tables run');
    expect(steps).toEqual([{ 'sysbench.run': { script: 'oltp_read_only' } }]);
    expect(leftOut.map(({ option }) => option)).toEqual(['--nonsense', '--verbosity', '--tables']);
  });

  it('MySQL and a missing command are told of', () => {
    const { target, leftOut } = read('sysbench oltp_read_write --db-driver=mysql --mysql-host=h --rate=100');
    expect(target).toBeNull();
    expect(leftOut.map(({ option }) => option)).toEqual([
      '--mysql-host=h',
      'no command',
      '--db-driver=mysql',
    ]);
  });

  it.each([
    ['sysbench cpu run', /cpu is not one of those/],
    ['sysbench --threads=4 run', /names no test/],
    ['sysbench oltp_read_write help', /no command "help"/],
    ['sysbench --test=oltp --oltp-test-mode=sp run', /mode sp/],
  ])('%s is refused', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });

  it('never gives a step that its own schema does not know', () => {
    const option = fc.constantFrom(
      ...[
        '--tables=2',
        '--table-size=5',
        '--rate=3',
        '--rand-type=uniform',
        '--db-ps-mode=disable',
        '--delta=2',
      ],
      ...[
        '--random-points=3',
        '--create-secondary=off',
        '--skip-trx',
        '--oltp-dist-pct=2',
        '--warmup-time=1',
      ],
    );
    fc.assert(
      fc.property(fc.array(option), fc.constantFrom('run', 'prepare'), (options, command) => {
        const [step = {}] = read(`sysbench oltp_read_write ${options.join(' ')} ${command}`).steps;
        const [id] = Object.keys(step);
        const parameters = id === 'sysbench.run' ? runStep.parameters : prepareStep.parameters;
        expect(parameters.safeParse(step[id ?? '']).success).toBe(true);
      }),
    );
  });
});
