import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../../src-shared/errors.ts';

/**
 * Where everything is kept: `BENCHBERRY_DATA`, else `benchberry` in the system's folder for a user's application data. The
 * desktop, `serve` and the command line share it.
 */
export function dataFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  system: NodeJS.Platform = platform(),
  home = homedir(),
): string {
  const own = env.BENCHBERRY_DATA;
  return own ? resolve(own) : join(userData(env, system, home), 'benchberry');
}

function userData(
  env: Readonly<Record<string, string | undefined>>,
  system: NodeJS.Platform,
  home: string,
): string {
  if (system === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  if (system === 'darwin') return join(home, 'Library', 'Application Support');
  return env.XDG_DATA_HOME || join(home, '.local', 'share');
}

/**
 * Makes the folder where it is missing, for its user alone: runs name servers, users and what their owner noted. Root's
 * may be passed through, not read, since the sandbox then runs as another user below it. A folder that is there stays as
 * it is.
 * @throws AppError `no-permission`, `disk-full` with what to do
 */
export function makeDataFolder(folder: string): void {
  try {
    makeFolders(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const full = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    throw new AppError(
      {
        code: full ? 'disk-full' : 'no-permission',
        message: 'The data folder cannot be made or written',
        place: { file: folder },
        detail: error instanceof Error ? error.message : String(error),
        hint: full
          ? 'Free some space, or set BENCHBERRY_DATA to a folder on another disk.'
          : 'Give your user the right to write it, or set BENCHBERRY_DATA to another folder.',
      },
      { cause: error },
    );
  }
}

/** Node's own `recursive` never returns where the system says "no such file" of a folder whose parent is there, e.g. in /proc. */
function makeFolders(folder: string, mode: number): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolders(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
