import { homedir, platform } from 'node:os';
import { join, resolve } from 'node:path';

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
