import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** A real PostgreSQL as Debian packages it, in a temporary folder of its own; for tests and measurements only. */
export interface TestServer {
  port: number;
  password: string;
  folder: string;
  /** Folder of the programs that it and its clients are of. */
  programs: string;
  /** A connection of the `postgresql` driver to it. */
  connection: Record<string, unknown>;
  /** Ends it at once as a crash would (`crash`) or in order, ending its connections (`shutdown`). */
  end(how: 'crash' | 'shutdown'): Promise<void>;
  start(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
  /** Runs psql against it and returns what it prints. */
  psql(sql: string, database?: string): string;
}

/** Debian's packages keep each version's programs apart; 15 is preferred, any other will do. */
function findBinaries(): string | null {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const versions = readdirSync(root).filter((name) => existsSync(path.join(root, name, 'bin', 'postgres')));
  const version = versions.includes('15') ? '15' : versions.sort().at(-1);
  return version === undefined ? null : path.join(root, version, 'bin');
}

const install = ['apt-get', 'install', '-y', '--no-install-recommends', 'postgresql'];

/** Why there can be no test server here, for the name of a skipped suite; null where there can. */
export const noTestServer: string | null =
  findBinaries() !== null || (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'))
    ? null
    : `no PostgreSQL in /usr/lib/postgresql; on Debian or Ubuntu, as root: ${install.join(' ')}`;

/**
 * Folder of the server's programs; installed first where they are missing and this is root on Debian or Ubuntu.
 * @throws Error with the command to run
 */
function binaries(): string {
  const found = findBinaries();
  if (found !== null) return found;
  try {
    const options = { stdio: 'pipe', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
    execFileSync('apt-get', ['-q', 'update'], options);
    execFileSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...install.slice(1)], options);
  } catch (error) {
    throw new Error(`PostgreSQL is missing and could not be installed. Run: ${install.join(' ')}`, {
      cause: error,
    });
  }
  const installed = findBinaries();
  if (installed === null) throw new Error(`PostgreSQL is missing. Run: ${install.join(' ')}`);
  return installed;
}

export interface TestServerOptions {
  /** Folder of `initdb` and `postgres`; else Debian's. */
  programs?: string;
  /** How passwords are asked for; `md5` before version 10. */
  method?: 'scram-sha-256' | 'md5';
  settings?: Record<string, string>;
  /** Lines of pg_hba.conf instead of the usual one. */
  hba?: readonly string[];
  /** Files to put into the data folder, e.g. a certificate. */
  files?: Record<string, string>;
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const programs = options.programs ?? binaries();
  const method = options.method ?? 'scram-sha-256';
  const account = accountFor();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'benchberry-pg-'));
  if (account) chownSync(folder, account.uid, account.gid);
  const data = path.join(folder, 'data');
  const password = randomBytes(12).toString('hex');
  const passwordFile = path.join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account) chownSync(passwordFile, account.uid, account.gid);
  execFileSync(
    path.join(programs, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      method,
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '-N', // --no-sync, as 9.6 calls it too
    ],
    { ...account, stdio: 'pipe', cwd: folder },
  );
  for (const [name, text] of Object.entries(options.files ?? {})) {
    const file = path.join(data, name);
    writeFileSync(file, text, { mode: 0o600 });
    if (account) chownSync(file, account.uid, account.gid);
  }
  if (options.hba) {
    writeFileSync(
      path.join(data, 'pg_hba.conf'),
      ['local all all scram-sha-256', ...options.hba, ''].join('\n'),
    );
  }
  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: folder, ...options.settings };
  const log = path.join(folder, 'log');
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(path.join(programs, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
      ...account,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server = child;
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (chunk: Buffer) => {
        writeFileSync(log, chunk, { flag: 'a' });
        if (chunk.includes('ready to accept connections')) resolve();
      });
      child.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8')}`)));
    });
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  }
  await start();
  return {
    port,
    password,
    folder,
    programs,
    connection: { host: '127.0.0.1', port, user: 'postgres', adminDatabase: 'postgres', tlsMode: 'prefer' },
    start,
    end: (how) => end(how === 'crash' ? 'SIGQUIT' : 'SIGINT'),
    async stop() {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
    psql: (sql, database = 'postgres') =>
      execFileSync(
        path.join(programs, 'psql'),
        [
          '-X',
          '-A',
          '-t',
          '-v',
          'ON_ERROR_STOP=1',
          '-h',
          folder,
          '-p',
          String(port),
          '-U',
          'postgres',
          database,
        ],
        { input: sql, encoding: 'utf8', env: { ...process.env, PGPASSWORD: password } },
      ).trim(),
  };
}

/** PostgreSQL refuses to run as root; Debian's packages make a user for it. */
export function accountFor(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export async function freePort(): Promise<number> {
  const listener = net.createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
