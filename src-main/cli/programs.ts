import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

/** Where browsers of Chromium's family lie, the most usual first. They need not be there. */
export function browserCandidates(env: NodeJS.ProcessEnv = process.env): string[] {
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map((name) =>
      join('/Applications', `${name}.app`, 'Contents', 'MacOS', name),
    );
  }
  if (process.platform === 'win32') {
    const roots = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter(
      (root) => root !== undefined,
    );
    const places = [
      ['Google', 'Chrome', 'Application', 'chrome.exe'],
      ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
    ];
    return roots.flatMap((root) => places.map((place) => join(root, ...place)));
  }
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** The executable that Electron's package has downloaded; null where it has not, or where there is no such package. */
export async function installedElectron(
  env: NodeJS.ProcessEnv = process.env,
  folder = electronFolder(),
): Promise<string | null> {
  if (folder === null) return null;
  const name = await readFile(join(folder, 'path.txt'), 'utf8').catch(() => null);
  const path = name && join(env.ELECTRON_OVERRIDE_DIST_PATH || join(folder, 'dist'), name);
  return path && existsSync(path) ? path : null;
}

function electronFolder(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return null; // not installed: it is a development dependency
  }
}
