import { describe, expect, it } from 'vitest';
import { AppError } from '../../src-shared/errors.ts';
import { planFromCommandLine } from './commandLine.ts';

describe('a pasted text', () => {
  it.each([
    'export PGPASSWORD=hunter2; pgbench b',
    "DB_PASSWORD='my hunter2' pgbench b",
    'A_KEY=hunter2 pgbench b',
    'set PGPASSWORD=hunter2\npgbench b',
    '$env:PGPASSWORD="hunter2"\npgbench b',
    'echo "h:5432:*:me:hunter2" > ~/.pgpass\npgbench b',
    'psql postgresql://me:hunter2@h/db -c "select 1"\npgbench b',
    'pgbench b | psql postgresql://me:hunter2@h/db',
    'pgbench b <<< hunter2',
    'docker run -e POSTGRES_PASSWORD=hunter2 image\npgbench b',
    'docker run --env=PGPASSWORD=hunter2 image pgbench b',
    'sshpass -p hunter2 ssh h pgbench b',
    'PGPASSWORD=hunter2 sudo -E -u postgres pgbench b',
    'pgbench --password=hunter2 b',
    "pgbench '--password=my hunter2' b",
    'pgbench b postgresql://me:hunter2@h/db',
    "pgbench b --bogus='postgresql://me:my hunter2@h/db'",
    'pgbench "postgresql://me:$PW-hunter2@h/db"',
    "pgbench 'postgresql://me@h/db?password=hunter2&sslpassword=hunter2'",
    "pgbench 'host=x sslpassword=hunter2 password = hunter2 dbname=b'",
    "pgbench 'host=x password=a\\ hunter2=1'",
    'PGDATABASE=postgresql://me:hunter2@h/db pgbench',
    "PGDATABASE='host=a password=hunter2' pgbench",
    "sysbench --pgsql-db='host=x password=hunter2 dbname=y' oltp_read_only run",
    'sysbench --pgsql-db=postgres://u:hunter2@h/db oltp_read_only run',
    'sysbench --pgsql_password=hunter2 oltp_read_only run',
    'sysbench --pgsql-password hunter2 oltp_read_only run',
    'sysbench --mysql-password=hunter2 oltp_read_only run',
    'sysbench --pgsql-password="$PW hunter2" oltp_read_only run',
    'tsbs_load_timescaledb --pass=hunter2',
    'tsbs_load_timescaledb --pass hunter2',
    'tsbs_load_timescaledb --postgres="sslmode=disable password=hunter2"',
    'PASSWORD=hunter2 scripts/full_cycle_minitest/full_cycle_minitest_timescaledb.sh',
    'export PASSWORD=hunter2; tsbs_generate_data --frob=$PASSWORD',
    `export PASSWORD=hunter2\ntsbs_load_timescaledb --pass=\${PASSWORD}`,
    'tsbs_load_questdb --auth-token=hunter2',
    'tsbs_load_questdb --url=http://me:hunter2@pi:9000/',
    'tsbs_run_queries_questdb --pg-pass hunter2',
    'tsbs_load load timescaledb --loader.db-specific.pass=hunter2',
  ])('leaves no password in the plan nor among what is left out: %s', (text) => {
    expect(JSON.stringify(planFromCommandLine(text, {}))).not.toContain('hunter2');
  });

  it('that is a configuration of tsbs_load is told where it belongs', () => {
    expect(() => planFromCommandLine('loader:\n  runner:\n    workers: 2\n', {})).toThrow(
      'This is a configuration of tsbs_load and no command line',
    );
  });

  it('takes what else a connection’s text says', () => {
    const { plan } = planFromCommandLine("PGDATABASE='host=db.local password=x dbname=b' pgbench -T 5", {});
    expect(plan).toMatchObject({
      target: 'postgresql://db.local:5432/postgres',
      steps: [{ 'pgbench.run': { dbName: 'b', seconds: 5 } }],
    });
    const sysbench = "sysbench --pgsql-db='dbname=s password=x sslmode=require' oltp_read_only run";
    expect(planFromCommandLine(sysbench, {}).plan).toMatchObject({
      target: 'postgresql://sbtest@localhost:5432/postgres?sslmode=require',
      steps: [{ 'sysbench.run': { script: 'oltp_read_only', dbName: 's' } }],
    });
  });

  it.each(['constructor', '__proto__', 'toString'])('%s is no option and no test', (name) => {
    const { leftOut } = planFromCommandLine(`${name}=1 sysbench --${name} oltp_read_only run`, {});
    expect(leftOut).toContainEqual({ option: `--${name}`, reason: 'sysbench has no such option' });
    for (const test of [name, `--test=${name}`, `--test=oltp --oltp-test-mode=${name}`])
      expect(() => planFromCommandLine(`sysbench ${test} run`, {})).toThrow(AppError);
  });

  it('that names very many variables and lines is refused, and each variable is told once', () => {
    const variables = Array.from({ length: 5000 }, (_, i) => `V${i}=1\n`).join('');
    expect(() => planFromCommandLine(`${variables}${'pgbench\n'.repeat(5000)}`, {})).toThrow(
      'There are more than 100 command lines in this text',
    );
    expect(planFromCommandLine(`${variables}${'pgbench\n'.repeat(100)}`, {}).leftOut).toHaveLength(5000);
  });
});
