import process from 'node:process';
import { fetchHbase, type HbasePrograms, hbasePrograms } from '../hbase/fetch.ts';
import { fetchJars } from '../maven.ts';

export const opentsdbVersion = '2.4.1';

/** What runs OpenTSDB: the folder of its jars, and the HBase that it keeps its points in. */
export interface OpentsdbPrograms {
  jars: string;
  hbase: HbasePrograms;
}

/** From where `npm run test:servers` hands them to the tests. */
export function opentsdbPrograms(): OpentsdbPrograms {
  const { BENCHBERRY_TEST_OPENTSDB_JARS: jars } = process.env;
  if (jars) return { jars, hbase: hbasePrograms() };
  throw new Error('Run these tests by: npm run test:servers -- opentsdb');
}

/**
 * OpenTSDB’s jars and HBase’s, fetched once and kept in a cache folder, and a Java that runs them.
 * @throws Error saying what is missing
 */
export async function fetchOpentsdb(): Promise<OpentsdbPrograms> {
  return { hbase: await fetchHbase(), jars: await opentsdbJars() };
}

function opentsdbJars(): Promise<string> {
  return fetchJars(`opentsdb-${opentsdbVersion}`, {
    artifacts: [
      `net.opentsdb:opentsdb:${opentsdbVersion}`,
      // The client of HBase is in a profile of OpenTSDB’s own pom.
      ...['org.hbase:asynchbase:1.8.2', 'org.apache.zookeeper:zookeeper:3.4.6'],
    ],
    // The web page’s compiler, and loggers: a second binding would be ambiguous.
    leftOut: ['gwt-user', 'opentsdb_gwt_theme', 'log4j', 'slf4j-log4j12', 'jline', 'junit'],
  });
}
