import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { cacheFolder, run } from '../cache.ts';
import { findJava } from '../java.ts';

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
  return { java: await findJava(`HBase ${hbaseVersion}`, 17), jars: await fetchJars() };
}

/**
 * Two of the versions that HBase asks for are no longer to be had. Hadoop’s own servlet-api is older than the REST
 * gateway’s and comes before it on the class path.
 */
const pom = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>benchberry</groupId>
  <artifactId>hbase-jars</artifactId>
  <version>1</version>
  <dependencyManagement><dependencies>
    <dependency><groupId>net.minidev</groupId><artifactId>json-smart</artifactId><version>2.4.11</version></dependency>
    <dependency><groupId>org.glassfish</groupId><artifactId>javax.el</artifactId><version>3.0.0</version></dependency>
  </dependencies></dependencyManagement>
  <dependencies>
    <dependency><groupId>org.apache.hbase</groupId><artifactId>hbase-server</artifactId><version>${hbaseVersion}</version></dependency>
    <dependency><groupId>org.apache.hbase</groupId><artifactId>hbase-rest</artifactId><version>${hbaseVersion}</version></dependency>
  </dependencies>
</project>
`;
const leftOut = 'servlet-api';

async function fetchJars(): Promise<string> {
  const cache = cacheFolder();
  const kept = path.join(cache, `hbase-${hbaseVersion}`);
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
