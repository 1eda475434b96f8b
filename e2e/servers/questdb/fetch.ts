import process from 'node:process';
import { findJava } from '../java.ts';
import { fetchJar } from '../maven.ts';
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
  return {
    java: await findJava(`QuestDB ${questdbVersion}`, 17),
    jar: await fetchJar('org.questdb:questdb', questdbVersion),
  };
}
