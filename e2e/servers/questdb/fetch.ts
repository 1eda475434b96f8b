import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { cacheFolder, run } from '../cache.ts';
import { findJava } from '../java.ts';
import type { QuestdbPrograms } from './server.ts';

/** The newest of Maven Central that Java 17 runs. */
export const questdbVersion = '9.3.4';

/** From where `npm run test:servers` hands them to the tests. */
export function questdbPrograms(): QuestdbPrograms {
  const { BENCHBERRY_TEST_QUESTDB_JAR: jar, BENCHBERRY_TEST_JAVA: java } = process.env;
  if (jar && java) return { jar, java };
  throw new Error('Run these tests by: npm run test:servers -- questdb');
}

/**
 * QuestDB’s jar, fetched once and kept in a cache folder, and a Java that runs it.
 * @throws Error saying what is missing
 */
export async function fetchQuestdb(): Promise<QuestdbPrograms> {
  return { java: await findJava(`QuestDB ${questdbVersion}`, 17), jar: await fetchJar() };
}

async function fetchJar(): Promise<string> {
  const name = `questdb-${questdbVersion}.jar`;
  const cache = cacheFolder();
  const kept = path.join(cache, name);
  const there = await access(kept).then(
    () => true,
    () => false,
  );
  if (there) return kept;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(path.join(cache, 'fetching-'));
  try {
    await run('mvn', [
      ...['-q', '-B', 'dependency:copy', `-Dartifact=org.questdb:questdb:${questdbVersion}`],
      `-DoutputDirectory=${folder}`,
    ]);
    await rename(path.join(folder, name), kept);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return kept;
}
