import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { keptOnce, run } from './cache.ts';

/** The path of one jar. @param artifact `group:name`; @throws Error of Maven */
export function fetchJar(artifact: string, version: string): Promise<string> {
  const name = `${artifact.split(':')[1]}-${version}.jar`;
  return keptOnce(name, async (folder) => {
    await run('mvn', [
      ...['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}:${version}`],
      `-DoutputDirectory=${folder}`,
    ]);
    return path.join(folder, name);
  });
}

/** `group:name:version` as Maven writes it. */
function dependency(artifact: string): string {
  const [group, name, version] = artifact.split(':');
  return `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`;
}

/**
 * A folder with all jars that artifacts (`group:name:version`) need to run.
 * @param pinned in place of the versions that they ask for
 * @param leftOut names of artifacts
 * @throws Error of Maven
 */
export function fetchJars(
  name: string,
  { artifacts, pinned = [], leftOut }: Record<'artifacts' | 'leftOut', string[]> & { pinned?: string[] },
): Promise<string> {
  const pom = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>benchberry</groupId>
  <artifactId>jars</artifactId>
  <version>1</version>
  <dependencyManagement><dependencies>${pinned.map(dependency).join('')}</dependencies></dependencyManagement>
  <dependencies>${artifacts.map(dependency).join('')}</dependencies>
</project>
`;
  return keptOnce(name, async (folder) => {
    await writeFile(path.join(folder, 'pom.xml'), pom);
    const jars = path.join(folder, 'jars');
    await run(
      'mvn',
      [
        ...['-q', '-B', '-U', 'dependency:copy-dependencies', '-DincludeScope=runtime'],
        ...[`-DexcludeArtifactIds=${leftOut.join()}`, `-DoutputDirectory=${jars}`],
      ],
      { cwd: folder },
    );
    return jars;
  });
}
