import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { accountFor, type TestServer } from '../../../databases/testServer.ts';

export interface PgbenchOutput {
  /** Its report. */
  out: string;
  /** Progress, warnings, what debug() shows. */
  err: string;
  code: number | null;
}

/**
 * Runs pgbench itself, of the server's own version, on a database; Debian has it among the server's programs. Not in step: the
 * server's log goes through this process.
 */
export async function realPgbench(
  server: TestServer,
  database: string,
  words: readonly string[],
): Promise<PgbenchOutput> {
  const program = path.join(server.programs, 'pgbench');
  if (!existsSync(program)) throw new Error(`There is no ${program}`);
  const where = ['-h', '127.0.0.1', '-p', String(server.port), '-U', 'postgres'];
  const child = spawn(program, [...where, ...words, database], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PGPASSWORD: server.password },
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { out, err, code: child.exitCode };
}

export function makeTablespace(server: TestServer, name: string): void {
  const place = path.join(server.folder, name);
  mkdirSync(place);
  const account = accountFor();
  if (account) chownSync(place, account.uid, account.gid);
  server.psql(`CREATE TABLESPACE "${name}" LOCATION '${place}'`);
}
