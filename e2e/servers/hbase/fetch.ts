import process from 'node:process';
import { findJava } from '../java.ts';
import { fetchJars } from '../maven.ts';

export const hbaseVersion = '2.5.8';

/** What runs HBase: a Java, and the folder of its jars. */
export interface HbasePrograms {
  java: string;
  jars: string;
  /** Of Java. */
  flags?: readonly string[];
}

/** From where `npm run test:servers` hands them to the tests. */
export function hbasePrograms(): HbasePrograms {
  const { BENCHBERRY_TEST_HBASE_JARS: jars, BENCHBERRY_TEST_JAVA: java } = process.env;
  // Tests are over before the thorough compiler pays.
  if (jars && java) return { jars, java, flags: ['-XX:TieredStopAtLevel=1'] };
  throw new Error('Run these tests by: npm run test:servers -- hbase');
}

/**
 * HBase’s jars, fetched once and kept in a cache folder, and a Java that runs them.
 * @throws Error saying what is missing
 */
export async function fetchHbase(): Promise<HbasePrograms> {
  return { java: await findJava(`HBase ${hbaseVersion}`, 17), jars: await hbaseJars() };
}

function hbaseJars(): Promise<string> {
  return fetchJars(`hbase-${hbaseVersion}`, {
    artifacts: ['hbase-server', 'hbase-rest'].map((name) => `org.apache.hbase:${name}:${hbaseVersion}`),
    // The versions that HBase asks for are no longer to be had.
    pinned: ['net.minidev:json-smart:2.4.11', 'org.glassfish:javax.el:3.0.0'],
    // Hadoop’s own is older than the REST gateway’s and comes before it on the class path.
    leftOut: ['servlet-api'],
  });
}
