import path from 'node:path';
import process from 'node:process';
import { writeSuiteReport } from '../../scripts/report.ts';
import { runVitestSuite, serverSuites } from '../../scripts/vitestSuite.ts';
import { startTestServer } from '../../src-main/databases/testServer.ts';
import { describeError, toAppError } from '../../src-shared/errors.ts';
import { fetchHbase, hbaseVersion } from './hbase/fetch.ts';
import { findInfluxdb } from './influxdb/server.ts';
import { findMariadb } from './mariadb/server.ts';
import { fetchOpentsdb, opentsdbVersion } from './opentsdb/fetch.ts';
import { fetchPostgres, type PostgresVersion, postgresVersions } from './programs.ts';
import { fetchQuestdb, questdbVersion } from './questdb/fetch.ts';
import { findVictoriaMetrics } from './victoria-metrics/server.ts';

// npm run test:servers [VERSION | ENGINE …]: the drivers' contract, telemetry and the answers of every query on each real server that can be had.
const say = (line: string) => process.stderr.write(`${line}\n`);

/** @returns tests that failed */
async function testPostgres(version: PostgresVersion): Promise<number> {
  const suite = `servers-postgresql-${version.name}`;
  let programs: string;
  try {
    programs = await fetchPostgres(version);
  } catch (error) {
    say(
      `PostgreSQL ${version.name} was skipped, it could not be fetched: ${describeError(toAppError(error))}`,
    );
    await writeSuiteReport({ suite, passed: 0, failed: 0, skipped: 1 });
    return 0;
  }
  const server = await startTestServer({
    programs,
    method: version.name === '9.6' ? 'md5' : 'scram-sha-256',
  });
  try {
    const url = `postgresql://postgres:${server.password}@127.0.0.1:${server.port}/postgres`;
    return await runVitestSuite(suite, serverSuites, { BENCHBERRY_TEST_PG_URL: url });
  } finally {
    await server.stop();
  }
}

/** Servers of Maven Central, by the folder of their tests: what tests are handed of them. */
const fetched = {
  questdb: {
    label: `QuestDB ${questdbVersion}`,
    async fetch() {
      const { jar, java } = await fetchQuestdb();
      return { BENCHBERRY_TEST_QUESTDB_JAR: jar, BENCHBERRY_TEST_JAVA: java };
    },
  },
  hbase: {
    label: `HBase ${hbaseVersion}`,
    async fetch() {
      const { jars, java } = await fetchHbase();
      return { BENCHBERRY_TEST_HBASE_JARS: jars, BENCHBERRY_TEST_JAVA: java };
    },
  },
  opentsdb: {
    label: `OpenTSDB ${opentsdbVersion}`,
    async fetch() {
      const { jars, hbase } = await fetchOpentsdb();
      return {
        BENCHBERRY_TEST_OPENTSDB_JARS: jars,
        BENCHBERRY_TEST_HBASE_JARS: hbase.jars,
        BENCHBERRY_TEST_JAVA: hbase.java,
      };
    },
  },
};

/** @returns tests that failed */
async function testFetched(
  folder: string,
  { label, fetch }: { label: string; fetch(): Promise<Record<string, string>> },
): Promise<number> {
  const suite = `servers-${folder}`;
  let programs: Record<string, string>;
  try {
    programs = await fetch();
  } catch (error) {
    say(`${label} was skipped, it cannot be run here: ${describeError(toAppError(error))}`);
    await writeSuiteReport({ suite, passed: 0, failed: 0, skipped: 1 });
    return 0;
  }
  const config = path.join(import.meta.dirname, 'vitest.config.ts');
  return runVitestSuite(suite, ['--config', config, `e2e/servers/${folder}`], programs);
}

/** Servers of the system's packages, by the folder of their tests. */
const packaged = {
  mariadb: { label: 'MariaDB', find: findMariadb },
  influxdb: { label: 'InfluxDB', find: findInfluxdb },
  'victoria-metrics': { label: 'VictoriaMetrics', find: findVictoriaMetrics },
};

/** @returns tests that failed */
async function testPackaged(
  folder: string,
  { label, find }: { label: string; find(): Promise<void> },
): Promise<number> {
  const suite = `servers-${folder}`;
  try {
    await find();
  } catch (error) {
    say(`${label} was skipped, it cannot be run here: ${describeError(toAppError(error))}`);
    await writeSuiteReport({ suite, passed: 0, failed: 0, skipped: 1 });
    return 0;
  }
  const config = path.join(import.meta.dirname, 'vitest.config.ts');
  return runVitestSuite(suite, ['--config', config, `e2e/servers/${folder}`]);
}

const asked = process.argv.slice(2);
const isAsked = (name: string) => asked.length === 0 || asked.includes(name);
if (process.platform !== 'linux') {
  say('The servers were skipped: their programs are for Linux');
  await writeSuiteReport({ suite: 'servers', passed: 0, failed: 0, skipped: 1 });
} else {
  let failed = 0;
  for (const version of postgresVersions) if (isAsked(version.name)) failed += await testPostgres(version);
  for (const [folder, server] of Object.entries(fetched))
    if (isAsked(folder)) failed += await testFetched(folder, server);
  for (const [folder, server] of Object.entries(packaged))
    if (isAsked(folder)) failed += await testPackaged(folder, server);
  process.exitCode = failed === 0 ? 0 : 1;
}
