import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { cacheFolder, run } from '../cache.ts';
import { fetchHbase, type HbasePrograms, hbasePrograms } from '../hbase/fetch.ts';

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
  return { hbase: await fetchHbase(), jars: await fetchJars() };
}

/** The client of HBase is in a profile of OpenTSDB’s own pom; a second binding of its logging would be ambiguous. */
const pom = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>benchberry</groupId>
  <artifactId>opentsdb-jars</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>net.opentsdb</groupId><artifactId>opentsdb</artifactId><version>${opentsdbVersion}</version></dependency>
    <dependency><groupId>org.hbase</groupId><artifactId>asynchbase</artifactId><version>1.8.2</version></dependency>
    <dependency><groupId>org.apache.zookeeper</groupId><artifactId>zookeeper</artifactId><version>3.4.6</version></dependency>
  </dependencies>
</project>
`;
/** The web page's compiler, and loggers. */
const leftOut = 'gwt-user,opentsdb_gwt_theme,log4j,slf4j-log4j12,jline,junit';

async function fetchJars(): Promise<string> {
  const cache = cacheFolder();
  const kept = path.join(cache, `opentsdb-${opentsdbVersion}`);
  const there = await access(kept).then(
    () => true,
    () => false,
  );
  if (there) return kept;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(path.join(cache, 'fetching-'));
  try {
    await writeFile(path.join(folder, 'pom.xml'), pom);
    const jars = path.join(folder, 'jars');
    await run(
      'mvn',
      [
        ...['-q', '-B', '-U', 'dependency:copy-dependencies', '-DincludeScope=runtime'],
        ...[`-DexcludeArtifactIds=${leftOut}`, `-DoutputDirectory=${jars}`],
      ],
      { cwd: folder },
    );
    await rename(jars, kept);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return kept;
}
