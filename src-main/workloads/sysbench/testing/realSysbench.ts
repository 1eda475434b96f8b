import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { TestServer } from '../../../databases/testServer.ts';

/** Debian's package of sysbench; for tests and measurements only. */
const program = '/usr/bin/sysbench';
const install = ['apt-get', 'install', '-y', '--no-install-recommends', 'sysbench'];

/** Why there can be no sysbench here, for the name of a skipped suite; null where there can. */
export const noSysbench: string | null =
  existsSync(program) || (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'))
    ? null
    : `no ${program}; on Debian or Ubuntu, as root: ${install.join(' ')}`;

function installed(): string {
  if (existsSync(program)) return program;
  const options = { stdio: 'pipe', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  execFileSync('apt-get', ['-q', 'update'], options);
  execFileSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...install.slice(1)], options);
  return program;
}

/** What sysbench says of its options, without a server. */
export function sysbenchHelp(words: readonly string[]): string {
  return execFileSync(installed(), words, { encoding: 'utf8', stdio: 'pipe' });
}

/** Runs sysbench itself on a database. @returns what it prints @throws Error where it fails */
export function realSysbench(server: TestServer, database: string, words: readonly string[]): string {
  const where = ['--db-driver=pgsql', '--pgsql-host=127.0.0.1', `--pgsql-port=${server.port}`];
  const who = ['--pgsql-user=postgres', `--pgsql-password=${server.password}`, `--pgsql-db=${database}`];
  return execFileSync(installed(), [...where, ...who, ...words], { encoding: 'utf8', stdio: 'pipe' });
}
